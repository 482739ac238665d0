#include "census/voter/made_up_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sfumato::census {
namespace {

// Twenty sentences of letters that "backwards" changes, each another.
TextPerson Person() {
  TextPerson person;
  for (char c = 'a'; c <= 't'; ++c) {
    person.sentences.push_back(std::string("xyz") + c + " abc" + c);
  }
  person.tokens = person.sentences;
  return person;
}

std::size_t Family(const std::string& key) {
  const auto& damages = TextDamages();
  const auto found = std::ranges::find(damages, key, &TextDamage::key);
  return static_cast<std::size_t>(found - damages.begin());
}

std::size_t CountOfOwn(const std::vector<std::string>& sentences) {
  const TextPerson person = Person();
  return static_cast<std::size_t>(
      std::ranges::count_if(sentences, [&](const std::string& sentence) {
        return std::ranges::find(person.tokens, sentence) !=
               person.tokens.end();
      }));
}

class MadeUpTextTest : public testing::Test {
 protected:
  MadeUpText Make(const Fate& fate) {
    return MakeUp(Person(), data::TextForm::kTokens, fate, source_, rng_);
  }

  base::Rng rng_{7};
  TextSource source_ = SourceOf({"xyz abc"}, false);
};

TEST_F(MadeUpTextTest, TheDamageComesAfterWhatWasBefore) {
  for (int i = 0; i < 100; ++i) {
    const MadeUpText user =
        Make({.damages = {Family("cut")}, .least = 4, .has_before = true});
    EXPECT_GE(user.before.size(), 4u);
    EXPECT_GE(user.sentences.size(), 4u);
    EXPECT_LE(user.before.size(), 10u);  // half of what there is
    EXPECT_LE(user.sentences.size(), 10u);
    EXPECT_EQ(CountOfOwn(user.before), user.before.size());
    EXPECT_EQ(user.changed[0],
              user.sentences.size() - CountOfOwn(user.sentences));
    EXPECT_GT(user.changed[0], 0u);
  }
}

TEST_F(MadeUpTextTest, NoSentenceIsOfBothTimes) {
  for (int i = 0; i < 100; ++i) {
    MadeUpText user = Make({.least = 10, .has_before = true});
    std::vector<std::string> all = user.before;
    all.insert(all.end(), user.sentences.begin(), user.sentences.end());
    std::ranges::sort(all);
    EXPECT_EQ(all, Person().tokens);
  }
}

TEST_F(MadeUpTextTest, WhatWasThereBeforeIsNoChange) {
  const MadeUpText user = Make({.damages = {Family("cut")},
                                .least = 10,
                                .has_before = true,
                                .before_too = true});
  EXPECT_LT(CountOfOwn(user.before), user.before.size());
  EXPECT_LT(CountOfOwn(user.sentences), user.sentences.size());
  EXPECT_EQ(user.changed[0], 0u);
}

TEST_F(MadeUpTextTest, WithoutABeforeThereIsNone) {
  const MadeUpText user = Make({.least = 20});
  EXPECT_TRUE(user.before.empty());
  EXPECT_EQ(user.sentences.size(), 20u);
}

}  // namespace
}  // namespace sfumato::census
