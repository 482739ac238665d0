#include "data/vocabulary.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "data/dataset_writer.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

using Counts = std::map<std::string, std::int64_t>;
using Words = std::vector<std::string>;

// What went wrong, in one line.
std::string ErrorOf(const std::string& text) {
  try {
    ParseVocabulary(text, "words.txt");
  } catch (const Error& error) {
    return fmt::format("{} | {} | {}", error.what(), error.where(),
                       error.todo());
  }
  return "";
}

class VocabularyTest : public ::testing::Test {
 protected:
  // Two users of `form`, written as a set.
  FederatedDataset SetOf(const std::vector<Words>& users, TextForm form) {
    const base::Path folder =
        base::Path(::testing::TempDir()) /
        ("vocabulary_" +
         std::string(
             ::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder);
    DatasetInfo info;
    info.name = "people";
    info.kind = Kind::kText;
    info.origin = Origin::kPublic;
    info.text_form = form;
    DatasetWriter writer(folder, info);
    for (std::size_t i = 0; i < users.size(); ++i) {
      writer.BeginUser("user_" + std::to_string(i));
      for (const std::string& sentence : users[i]) {
        writer.Add({.text = sentence});
      }
    }
    writer.Finish();
    return FederatedDataset(folder);
  }
};

TEST_F(VocabularyTest, GivesWordsTheNumbersOfTheirOrder) {
  const Vocabulary words({"the", "i", "regex"});
  EXPECT_EQ(words.symbols(), 7);
  EXPECT_EQ(words.IdOf("the"), 4);
  EXPECT_EQ(words.IdOf("regex"), 6);
  EXPECT_EQ(words.WordOf(5), "i");
  EXPECT_EQ(words.IdOf("jsfiddle"), Vocabulary::kUnknown);
  EXPECT_FALSE(words.Knows("i have"));
  EXPECT_NE(words.Sum(), Vocabulary({"i", "the", "regex"}).Sum());
}

TEST_F(VocabularyTest, TextIsReadAsItIsWritten) {
  const VocabularyText text{.words = {"the", "c#", "#", "naïve"},
                            .remarks = {"exact: for simulations only"}};
  const VocabularyText again = ParseVocabulary(ToText(text), "words.txt");
  EXPECT_EQ(again.words, text.words);
  EXPECT_EQ(again.remarks, text.remarks);
  EXPECT_EQ(ParseVocabulary("a\r\nb", "w").words, (Words{"a", "b"}));
}

TEST_F(VocabularyTest, LinesThatAreNoWordsAreRefusedWithTheirNumber) {
  EXPECT_NE(ErrorOf("a\n\nb\n").find("line 2"), std::string::npos);
  EXPECT_NE(ErrorOf("a\nb\na\n").find("line 1"), std::string::npos);
  EXPECT_NE(ErrorOf("a\nb\na\n").find("twice"), std::string::npos);
  EXPECT_NE(ErrorOf("a\nThe\n").find("line 2"), std::string::npos);
  EXPECT_NE(ErrorOf("new york\n").find("token"), std::string::npos);
  EXPECT_NE(ErrorOf("a\xff\n").find("UTF-8"), std::string::npos);
  EXPECT_NE(ErrorOf("# \xff\na\n").find("UTF-8"), std::string::npos);
}

// A file of private text may have been named by mistake.
TEST_F(VocabularyTest, NothingOfARefusedFileIsQuoted) {
  for (const char* text : {"the\nSecret\n", "secret\nsecret\n", "a secret\n"}) {
    const std::string error = ErrorOf(text);
    EXPECT_NE(error, "");
    EXPECT_EQ(error.find("ecret"), std::string::npos) << error;
  }
}

TEST_F(VocabularyTest, TooManyWordsAreRefused) {
  std::string text;
  for (std::size_t i = 0; i <= Vocabulary::kMostWords; ++i) {
    text += "w" + std::to_string(i) + "\n";
  }
  EXPECT_NE(ErrorOf(text).find("more than 1000000"), std::string::npos);
}

TEST_F(VocabularyTest, AVocabularyHasWordsAndEachOnce) {
  EXPECT_THROW(Vocabulary(Words{}), Error);
  EXPECT_THROW(Vocabulary(Words{"a", "a"}), Error);
}

TEST_F(VocabularyTest, CountsWordsOfBothFormsAlike) {
  const Counts expected = {{"i", 2}, {"have", 2}, {"it", 1}, {".", 1}};
  EXPECT_EQ(CountWords(SetOf({{"I have it."}, {"I HAVE"}}, TextForm::kRaw)),
            expected);
  EXPECT_EQ(CountWords(SetOf({{"i have it ."}, {"i have"}}, TextForm::kTokens)),
            expected);
}

TEST_F(VocabularyTest, WhatABrokenStageMadeIsNoWord) {
  EXPECT_EQ(CountWords(SetOf({{"i\u00A0have it", "It"}}, TextForm::kTokens)),
            (Counts{{"it", 1}}));
}

TEST_F(VocabularyTest, TheMostFrequentComeFirstAndEqualOnesByTheirBytes) {
  EXPECT_EQ(MostFrequent({{"b", 2}, {"a", 2}, {"c", 3}, {"d", 1}}, 3),
            (Words{"c", "a", "b"}));
  EXPECT_EQ(MostFrequent({{"b", 2}}, 3), (Words{"b"}));
}

TEST_F(VocabularyTest, AUserAddsOnlySoManyDifferentWords) {
  const FederatedDataset set =
      SetOf({{"a b c d e f g h", "a a a"}}, TextForm::kTokens);
  const Words three = WordsOfUser(set.user(0), TextForm::kTokens, 3, 7);
  EXPECT_EQ(std::set<std::string>(three.begin(), three.end()).size(), 3u);
  EXPECT_EQ(WordsOfUser(set.user(0), TextForm::kTokens, 3, 7), three);
  EXPECT_EQ(WordsOfUser(set.user(0), TextForm::kTokens, 100, 7).size(), 8u);
  // What a broken stage made of words could not be read back as one.
  const FederatedDataset broken =
      SetOf({{"i\u00A0have it", "It"}}, TextForm::kTokens);
  EXPECT_EQ(WordsOfUser(broken.user(0), TextForm::kTokens, 100, 7),
            (Words{"it"}));
  // All are drawn alike, however often they are said: 8 words, 3 of them.
  std::map<std::string, int> drawn;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    for (const std::string& word :
         WordsOfUser(set.user(0), TextForm::kTokens, 3, seed)) {
      ++drawn[word];
    }
  }
  for (const auto& [word, times] : drawn) {
    EXPECT_NEAR(times, 1500, 150) << word;  // five deviations of 30.6
  }
}

}  // namespace
}  // namespace sfumato::data
