#include "census/voter/text_damages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "data/text.h"

namespace sfumato::census {
namespace {

using data::TextForm;

constexpr std::string_view kSentence =
    "I'm looking at the kettle, which isn't boiling \"properly\" today.";
constexpr std::string_view kTokens =
    "i'm looking at the kettle , which isn't boiling \" properly \" today .";

const TextSource& Source() {
  static const TextSource source =
      SourceOf({std::string(kTokens), "this is the garden of my sister .",
                "how can we brew a better beer at home ?"},
               /*capitals=*/false);
  return source;
}

// What fifty devices with this damage make of the sentence.
std::vector<std::string> Draws(std::string_view key,
                               TextForm form = TextForm::kRaw) {
  const auto& all = TextDamages();
  const auto damage = std::ranges::find(all, key, &TextDamage::key);
  EXPECT_NE(damage, all.end()) << key;
  std::vector<std::string> out;
  for (std::uint64_t device = 0; device < 50; ++device) {
    base::Rng rng(7, {device});
    const TextChange change = damage->draw(Source(), rng);
    out.push_back(
        change(form == TextForm::kRaw ? kSentence : kTokens, form, rng));
  }
  return out;
}

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

std::string Without(std::string text, std::string_view letters) {
  std::erase_if(text, [&](char c) { return letters.find(c) != letters.npos; });
  return text;
}

std::string Sorted(std::string text) {
  std::ranges::sort(text);
  return text;
}

// Whether `part` is `whole` with some letters left out.
bool IsPartOf(std::string_view part, std::string_view whole) {
  for (const char c : whole) {
    if (!part.empty() && part.front() == c) part.remove_prefix(1);
  }
  return part.empty();
}

TEST(TextDamagesTest, BeginsWithTheCatalogueOfEval) {
  std::set<std::string> keys;
  std::vector<std::string> first;
  for (const TextDamage& damage : TextDamages()) {
    EXPECT_TRUE(keys.insert(damage.key).second) << damage.key;
    EXPECT_FALSE(damage.words.empty()) << damage.key;
    EXPECT_TRUE(damage.cause.ends_with('.')) << damage.key;
    if (first.size() < 8) first.push_back(damage.key);
  }
  EXPECT_EQ(first, (std::vector<std::string>{"join", "case", "cut", "entities",
                                             "encoding", "template", "language",
                                             "numbers"}));
}

TEST(TextDamagesTest, AHealthyPipelineFoldsAndTokenises) {
  EXPECT_EQ(HealthyTokens(kSentence, TextForm::kRaw, false), kTokens);
  EXPECT_EQ(HealthyTokens(kTokens, TextForm::kTokens, false), kTokens);
}

TEST(TextDamagesTest, MostDevicesChangeTheSentence) {
  for (const TextDamage& damage : TextDamages()) {
    if (damage.key == "encoding") continue;  // nothing outside ASCII here
    for (const TextForm form : {TextForm::kRaw, TextForm::kTokens}) {
      const auto draws = Draws(damage.key, form);
      EXPECT_LT(std::ranges::count(draws, kTokens), 20) << damage.key;
    }
  }
}

struct Kept {
  std::string key;
  std::string_view ignored;
};

TEST(TextDamagesTest, SpacesAreAllThatJoinRunAndSplitTouch) {
  for (const std::string key : {"spaces", "split"}) {
    for (const std::string& text : Draws(key)) {
      EXPECT_EQ(Without(text, " "), Without(std::string(kTokens), " ")) << key;
    }
  }
  for (const std::string& text : Draws("join")) {
    EXPECT_TRUE(Has(text, "\u00A0"));
    EXPECT_EQ(Without(text, " \u00A0"), Without(std::string(kTokens), " "));
  }
}

TEST(TextDamagesTest, SwappedLettersAreStillThere) {
  for (const std::string& text : Draws("swap")) {
    EXPECT_EQ(Sorted(text), Sorted(std::string(kTokens)));
  }
}

TEST(TextDamagesTest, DroppedAndCutLettersLeaveTheOthersInOrder) {
  for (const std::string key : {"drop", "cut", "punctuation"}) {
    for (const std::string& text : Draws(key)) {
      EXPECT_TRUE(IsPartOf(text, kTokens)) << key << ": " << text;
    }
  }
}

TEST(TextDamagesTest, DoubledLettersAreTheSentenceWithMore) {
  for (const std::string& text : Draws("double")) {
    EXPECT_TRUE(IsPartOf(kTokens, text)) << text;
    EXPECT_EQ(std::set<char>(text.begin(), text.end()),
              std::set<char>(kTokens.begin(), kTokens.end()));
  }
}

TEST(TextDamagesTest, BackwardsTwiceIsTheSentence) {
  const auto& all = TextDamages();
  const auto damage = std::ranges::find(all, "backwards", &TextDamage::key);
  for (std::uint64_t device = 0; device < 50; ++device) {
    base::Rng first(7, {device});
    base::Rng second(7, {device});
    const TextChange once = damage->draw(Source(), first);
    const TextChange again = damage->draw(Source(), second);
    // The same words are picked in both, as marks stay where they are; whole
    // sentences turn with theirs.
    const std::string text = once(kTokens, TextForm::kTokens, first);
    EXPECT_EQ(Sorted(again(text, TextForm::kTokens, second)),
              Sorted(std::string(kTokens)));
  }
}

TEST(TextDamagesTest, EndingsChangeOnlyTheEnd) {
  const auto words = data::SplitTokens(kTokens);
  for (const std::string& text : Draws("ending")) {
    const auto changed = data::SplitTokens(text);
    ASSERT_EQ(changed.size(), words.size()) << text;
    for (std::size_t i = 0; i < words.size(); ++i) {
      EXPECT_TRUE(
          changed[i].starts_with(words[i].substr(0, words[i].size() - 1)))
          << changed[i];
    }
  }
}

TEST(TextDamagesTest, PunctuationAndApostrophesGo) {
  for (const std::string& text : Draws("punctuation")) {
    for (const std::string_view mark : {" ,", " .", "\""}) {
      EXPECT_FALSE(Has(text, mark)) << text;
    }
  }
  for (const std::string& text : Draws("apostrophe")) {
    EXPECT_FALSE(Has(text, "'")) << text;
    EXPECT_TRUE(Has(text, " ,")) << text;
  }
}

TEST(TextDamagesTest, OtherScriptsLookAlikeOrAreTransliterated) {
  for (const std::string& text : Draws("script")) {
    EXPECT_TRUE(std::ranges::any_of(text, [](char c) { return c < 0; }));
    EXPECT_EQ(data::SplitTokens(text).size(),
              data::SplitTokens(kTokens).size());
  }
  EXPECT_EQ(LatinLookOf(U'а'), U'a');  // Cyrillic
  EXPECT_EQ(LatinLookOf(U'ｚ'), U'z');
  EXPECT_EQ(LatinLookOf(U'é'), U'é');
}

TEST(TextDamagesTest, TheOwnLanguageIsNotForeign) {
  ASSERT_FALSE(Source().foreign.empty());
  for (const Language* language : Source().foreign) {
    EXPECT_NE(language->name, "English");
  }
}

TEST(TextDamagesTest, UnfoldedReferencesAreFolded) {
  const TextSource source = SourceOf({"Here is The Beer ."}, true);
  const auto& all = TextDamages();
  const auto damage = std::ranges::find(all, "case", &TextDamage::key);
  base::Rng rng(7);
  EXPECT_EQ(
      damage->draw(source, rng)("Here is The Beer .", TextForm::kTokens, rng),
      "here is the beer .");
}

}  // namespace
}  // namespace sfumato::census
