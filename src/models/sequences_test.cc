#include "models/sequences.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "data/dataset_writer.h"

namespace sfumato::models {
namespace {

using Sentence = std::vector<std::string>;

data::FederatedDataset SetOf(const std::vector<Sentence>& users,
                             data::TextForm form = data::TextForm::kTokens) {
  const base::Path folder =
      base::Path(::testing::TempDir()) /
      ("sequences_" +
       std::string(
           ::testing::UnitTest::GetInstance()->current_test_info()->name()));
  std::filesystem::remove_all(folder);
  data::DatasetInfo info;
  info.name = "people";
  info.kind = data::Kind::kText;
  info.origin = data::Origin::kPublic;
  info.text_form = form;
  data::DatasetWriter writer(folder, info);
  for (std::size_t i = 0; i < users.size(); ++i) {
    writer.BeginUser("user_" + std::to_string(i));
    for (const std::string& sentence : users[i]) writer.Add({.text = sentence});
  }
  writer.Finish();
  return data::FederatedDataset(folder);
}

struct Row {
  std::vector<float> values;
  std::int64_t predictions = 0;
  bool operator==(const Row&) const = default;
};
Row RowOf(const Examples& examples, std::int64_t user, std::int64_t i) {
  // What was there before must not show through.
  Row row{.values = std::vector<float>(
              static_cast<std::size_t>(examples.shape().size()), 99.0f)};
  row.predictions = examples.Read(user, i, row.values);
  return row;
}

const data::Vocabulary& Known() {
  static const data::Vocabulary words({"i", "have", "a", "dog"});  // 4 … 7
  return words;
}

TEST(SequencesTest, AreBeginWordsEndAndZeros) {
  const data::FederatedDataset set =
      SetOf({{"I have, a regex"}, {}, {"", "dog"}}, data::TextForm::kRaw);
  const auto rows = SentencesOf(set, Known(), 6);
  EXPECT_EQ(rows->shape(), (Shape{1, 8, 1}));
  EXPECT_EQ(rows->users(), 3);
  EXPECT_EQ(rows->user_size(1), 0);
  EXPECT_EQ(RowOf(*rows, 0, 0), (Row{{2, 4, 5, 1, 6, 1, 3, 0}, 6}));
  // A sentence of nothing still ends.
  EXPECT_EQ(RowOf(*rows, 2, 0), (Row{{2, 3, 0, 0, 0, 0, 0, 0}, 1}));
  EXPECT_EQ(RowOf(*rows, 2, 1), (Row{{2, 7, 3, 0, 0, 0, 0, 0}, 2}));
}

TEST(SequencesTest, WhatIsTooLongIsCutAndHasNoEnd) {
  const std::string long_word(1 << 20, 'x');
  const data::FederatedDataset set =
      SetOf({{"i have a", "i have a dog", long_word + " i"}});
  const auto rows = SentencesOf(set, Known(), 3);
  EXPECT_EQ(RowOf(*rows, 0, 0), (Row{{2, 4, 5, 6, 3}, 4}));
  EXPECT_EQ(RowOf(*rows, 0, 1), (Row{{2, 4, 5, 6, 0}, 3}));
  EXPECT_EQ(RowOf(*rows, 0, 2), (Row{{2, 1, 4, 3, 0}, 3}));
}

TEST(SequencesTest, UnknownWordsAreTheBytesOfWhatTheVocabularyLacks) {
  const data::FederatedDataset set = SetOf(
      {{"i have regex", "dog"}, {"i\u00A0have é é a", std::string(9, 'x')}});
  const auto words = UnknownWordsOf(set, Known(), {.longest = 6});
  EXPECT_EQ(words->users(), 2);
  EXPECT_EQ(words->user_size(0), 1);
  EXPECT_EQ(words->user_size(1), 4);
  EXPECT_EQ(RowOf(*words, 0, 0),
            (Row{{256, 'r', 'e', 'g', 'e', 'x', 257, 0}, 6}));
  EXPECT_EQ(RowOf(*words, 1, 0),
            (Row{{256, 'i', ' ', 'h', 'a', 'v', 'e', 257}, 7}));
  EXPECT_EQ(RowOf(*words, 1, 1), (Row{{256, 0xC3, 0xA9, 257, 0, 0, 0, 0}, 3}));
  EXPECT_EQ(RowOf(*words, 1, 2), RowOf(*words, 1, 1));
  EXPECT_EQ(RowOf(*words, 1, 3),
            (Row{{256, 'x', 'x', 'x', 'x', 'x', 'x', 0}, 6}));
}

TEST(SequencesTest, UnknownWordsMayBeOfSomeSentencesOnly) {
  const data::FederatedDataset set = SetOf({{"x", "y", "z"}, {"w", "v"}});
  const std::vector<std::vector<std::int64_t>> sentences = {{0, 2}, {}};
  const auto words =
      UnknownWordsOf(set, Known(), {.longest = 2, .sentences = &sentences});
  EXPECT_EQ(words->user_size(0), 2);
  EXPECT_EQ(words->user_size(1), 0);
  EXPECT_EQ(RowOf(*words, 0, 1), (Row{{256, 'z', 257, 0}, 2}));

  const std::vector<std::int64_t> second = {1};
  const std::vector<std::vector<std::int64_t>> its_second = {{1}};
  const auto fewer = UnknownWordsOf(
      set, Known(), {.longest = 2, .users = &second, .sentences = &its_second});
  EXPECT_EQ(fewer->users(), 1);
  EXPECT_EQ(RowOf(*fewer, 0, 0), (Row{{256, 'v', 257, 0}, 2}));
}

TEST(SequencesTest, UnknownSharesAreThoseOfEachUsersWords) {
  const data::FederatedDataset set =
      SetOf({{"i have regex", "dog"}, {}, {"x y"}});
  const std::vector<double> shares = UnknownShares(set, Known());
  EXPECT_DOUBLE_EQ(shares[0], 0.25);
  EXPECT_TRUE(std::isnan(shares[1]));
  EXPECT_DOUBLE_EQ(shares[2], 1);
}

TEST(SequencesTest, RefuseWhatIsNoTextAndLengthsThatCannotBe) {
  const data::FederatedDataset set = SetOf({{"i"}});
  for (const std::int64_t bad : {0, -3, 1 << 20}) {
    EXPECT_THROW(SentencesOf(set, Known(), bad), Error);
    EXPECT_THROW(UnknownWordsOf(set, Known(), {.longest = bad}), Error);
  }
}

}  // namespace
}  // namespace sfumato::models
