#include "models/canaries.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/error.h"
#include "models/sequences.h"

namespace sfumato::models {
namespace {

const data::Vocabulary& Known() {
  static const data::Vocabulary words(
      {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"});  // 4 … 13
  return words;
}

// Users of three sentences each, which have symbols below 4 only.
std::unique_ptr<Examples> People(std::int64_t users) {
  return SyntheticSequences(
      {.symbols = 4, .longest = 6, .users = users, .user_size = 3, .seed = 9});
}

std::vector<float> RowOf(const Examples& examples, std::int64_t user,
                         std::int64_t i, std::int64_t* label = nullptr) {
  std::vector<float> row(static_cast<std::size_t>(examples.shape().size()), 99);
  const std::int64_t read = examples.Read(user, i, row);
  if (label != nullptr) *label = read;
  return row;
}

TEST(CanariesTest, AreInThoseUsersDataAndSoOften) {
  const auto people = People(5);
  const std::vector<Canary> canaries = {{.user = 3, .words = {4, 9, 13}},
                                        {.user = 0, .words = {7, 7, 5}}};
  const auto with = WithCanaries(*people, canaries, 4);
  EXPECT_EQ(with->users(), 5);
  EXPECT_EQ(with->shape(), people->shape());
  for (std::int64_t user = 0; user < 5; ++user) {
    const bool has = user == 0 || user == 3;
    EXPECT_EQ(with->user_size(user), has ? 7 : 3);
    for (std::int64_t i = 0; i < 3; ++i) {
      EXPECT_EQ(RowOf(*with, user, i), RowOf(*people, user, i));
    }
  }
  for (std::int64_t i = 3; i < 7; ++i) {
    std::int64_t label = 0;
    EXPECT_EQ(RowOf(*with, 3, i, &label),
              (std::vector<float>{2, 4, 9, 13, 3, 0, 0, 0}));
    EXPECT_EQ(label, 4);
    EXPECT_EQ(RowOf(*with, 0, i), (std::vector<float>{2, 7, 7, 5, 3, 0, 0, 0}));
  }
}

TEST(CanariesTest, TheSeedDecidesWhoAndWhat) {
  const CanaryOptions options{.users = 6, .words = 8, .seed = 1};
  const auto first = DrawCanaries(options, Known(), 100);
  const auto again = DrawCanaries(options, Known(), 100);
  CanaryOptions other_seed = options;
  other_seed.seed = 2;
  const auto other = DrawCanaries(other_seed, Known(), 100);
  CanaryOptions more_users = options;
  more_users.users = 9;
  const auto more = DrawCanaries(more_users, Known(), 100);
  std::set<std::int64_t> users;
  std::set<WordNumbers> sentences;
  int moved = 0;
  ASSERT_EQ(first.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(first[i].user, again[i].user);
    EXPECT_EQ(first[i].words, again[i].words);
    EXPECT_EQ(first[i].user, more[i].user);
    EXPECT_EQ(first[i].words, more[i].words);
    EXPECT_NE(first[i].words, other[i].words);
    moved += first[i].user != other[i].user ? 1 : 0;
    EXPECT_EQ(first[i].words.size(), 8u);
    users.insert(first[i].user);
    sentences.insert(first[i].words);
  }
  EXPECT_EQ(users.size(), 6u);
  EXPECT_EQ(sentences.size(), 6u);
  EXPECT_GE(moved, 4);
  // Everybody can be one of them.
  EXPECT_EQ(DrawCanaries({.users = 3, .words = 1}, Known(), 3).size(), 3u);
}

TEST(CanariesTest, EveryWordIsDrawnUniformlyAndAlternativesAlike) {
  // 10,000 draws of ten words: 1,000 each, six deviations are 180. Twenty
  // counts cry wolf once in 25 million.
  const CanaryOptions options{.users = 2000, .words = 5, .seed = 3};
  std::map<std::int64_t, int> drawn;
  std::map<std::int64_t, int> others;
  const auto canaries = DrawCanaries(options, Known(), 2000);
  const auto alternatives = DrawAlternatives(options, Known(), 2000);
  int same = 0;
  for (std::size_t i = 0; i < 2000; ++i) {
    for (const std::int64_t word : canaries[i].words) ++drawn[word];
    for (const std::int64_t word : alternatives[i]) ++others[word];
    same += canaries[i].words == alternatives[i] ? 1 : 0;
  }
  EXPECT_EQ(drawn.size(), 10u);
  EXPECT_EQ(others.size(), 10u);
  for (std::int64_t word = 4; word < 14; ++word) {
    EXPECT_NEAR(drawn[word], 1000, 180);
    EXPECT_NEAR(others[word], 1000, 180);
  }
  EXPECT_LE(same, 3);  // of one in 100,000 each
}

TEST(CanariesTest, RefuseUsersThatAreNotThereAndWhatWouldBeCut) {
  const auto people = People(2);
  EXPECT_THROW(DrawCanaries({.users = 3}, Known(), 2), Error);
  EXPECT_THROW(DrawCanaries({.users = 1, .words = 0}, Known(), 2), Error);
  EXPECT_THROW(DrawAlternatives({.words = 0}, Known(), 2), Error);
  EXPECT_THROW(WithCanaries(*people, {{.user = 2, .words = {4}}}, 1), Error);
  EXPECT_THROW(
      WithCanaries(*people, {{.user = 0, .words = WordNumbers(7, 4)}}, 1),
      Error);
  EXPECT_NO_THROW(
      WithCanaries(*people, {{.user = 0, .words = WordNumbers(6, 4)}}, 1));
}

}  // namespace
}  // namespace sfumato::models
