#include "census/voter/text_cells.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/error_testing.h"

namespace sfumato::census {
namespace {

std::vector<TextDamage> Damages(const std::vector<std::string>& keys) {
  std::vector<TextDamage> damages;
  for (const std::string& key : keys) {
    damages.push_back(
        {.key = key, .words = key + " words", .cause = key + "!", .draw = {}});
  }
  return damages;
}

std::vector<std::string> Keys(const TextCells& chosen) {
  std::vector<std::string> keys;
  for (const Cell& cell : chosen.cells) keys.push_back(cell.key);
  return keys;
}

using Strings = std::vector<std::string>;
using Cells = std::vector<std::int64_t>;

TEST(TextCellsTest, EachFamilyThatIsSeenIsAnAnswer) {
  const TextCells chosen = ChooseTextCells(
      Damages({"a", "b", "c"}),
      std::vector<FamilyVotes>{{{0.9, 0, 0}}, {{0, 0.04, 0}}, {{0, 0, 0.06}}});
  EXPECT_EQ(Keys(chosen),
            (Strings{kAsItShouldBe, "a", "c", kNoneOfThese, kCannotTell}));
  EXPECT_EQ(chosen.cell_of, (Cells{1, -1, 2}));
  ASSERT_EQ(chosen.remarks.size(), 1u);
  EXPECT_NE(chosen.remarks[0].find("“b words” is not asked"), std::string::npos)
      << chosen.remarks[0];
}

// Both ways together, 0.25 + 0.25 is above 0.4 and 0.25 + 0.125 is not.
TEST(TextCellsTest, FamiliesTakenForEachOtherAreOneAnswer) {
  const TextCells chosen =
      ChooseTextCells(Damages({"a", "b", "c", "d"}),
                      std::vector<FamilyVotes>{{{0.6, 0.25, 0, 0}},
                                               {{0.25, 0.6, 0, 0}},
                                               {{0, 0, 0.7, 0.25}},
                                               {{0, 0, 0.125, 0.8}}});
  EXPECT_EQ(Keys(chosen), (Strings{kAsItShouldBe, "a_or_b", "c", "d",
                                   kNoneOfThese, kCannotTell}));
  EXPECT_EQ(chosen.cells[1].words, "a words or b words");
  EXPECT_EQ(chosen.cells[1].cause, "a!; or b!");
  EXPECT_EQ(chosen.cell_of, (Cells{1, 1, 2, 3}));
  EXPECT_EQ(chosen.remarks,
            (Strings{"One answer, because these references cannot tell them "
                     "apart: a words, b words."}));
}

// a and b are not taken for each other, but both for c.
TEST(TextCellsTest, WhatIsOneAnswerWithAThirdIsOneAnswer) {
  const TextCells chosen = ChooseTextCells(
      Damages({"a", "b", "c"}),
      std::vector<FamilyVotes>{{{0.5, 0, 0.5}}, {{0, 0.5, 0.5}}, {{0, 0, 1}}});
  EXPECT_EQ(Keys(chosen),
            (Strings{kAsItShouldBe, "a_or_b_or_c", kNoneOfThese, kCannotTell}));
  EXPECT_EQ(chosen.cell_of, (Cells{1, 1, 1}));
}

TEST(TextCellsTest, ASplitFamilyHasACellForEachBarThatIsSeen) {
  const TextCells chosen = ChooseTextCells(
      Damages({"a", "b"}),
      std::vector<FamilyVotes>{{{0.9, 0}, {0.9, 0.5, 0.01}}, {{0, 0.9}}});
  EXPECT_EQ(Keys(chosen),
            (Strings{kAsItShouldBe, "a=all sentences", "a=30 % of sentences",
                     "b", kNoneOfThese, kCannotTell}));
  EXPECT_EQ(chosen.cells[2].words, "a words: 30 % of sentences");
  EXPECT_EQ(chosen.cells[2].cause, "a!");
  ASSERT_EQ(chosen.bars[0].size(), 2u);
  EXPECT_EQ(chosen.bars[0][1].bar, 1u);
  EXPECT_EQ(chosen.bars[0][1].cell, 2);
  EXPECT_TRUE(chosen.bars[1].empty());
  EXPECT_EQ(chosen.cell_of, (Cells{1, 3}));
  EXPECT_EQ(chosen.remarks, (Strings{"Too mild for these references: a words "
                                     "(10 % of sentences)."}));
}

TEST(TextCellsTest, AFamilyThatIsOneAnswerWithAnotherIsNotSplit) {
  const TextCells chosen = ChooseTextCells(
      Damages({"a", "b"}),
      std::vector<FamilyVotes>{{{0.5, 0.5}, {0.5, 0.5, 0.5}}, {{0, 0.9}}});
  EXPECT_EQ(Keys(chosen),
            (Strings{kAsItShouldBe, "a_or_b", kNoneOfThese, kCannotTell}));
  EXPECT_TRUE(chosen.bars[0].empty());
  ASSERT_EQ(chosen.remarks.size(), 2u);
  EXPECT_NE(chosen.remarks[1].find("“a words” is not split"),
            std::string::npos);
}

TEST(TextCellsTest, OneBarIsNothingToSplit) {
  for (const auto& [second, how_many] :
       {std::pair{0.9, "only one"}, {0.0, "none"}}) {
    const Error error = Thrown([&, first = second] {
      ChooseTextCells(Damages({"a"}),
                      std::vector<FamilyVotes>{{{first}, {first, 0.04, 0.04}}});
    });
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_NE(std::string(error.what()).find(how_many), std::string::npos)
        << error.what();
  }
}

TEST(TextCellsTest, OnlyFamiliesThatThereAreCanBeSplit) {
  const auto damages = Damages({"a", "b"});
  EXPECT_NO_THROW(CheckSplit(damages, Strings{"b", "a", "b"}));
  const Error error = Thrown([&] { CheckSplit(damages, Strings{"a", "x"}); });
  EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
  EXPECT_EQ(error.where(), "census.split");
  EXPECT_EQ(error.todo(), "text has a, b");
  const std::string text = error.what();
  EXPECT_NE(text.find("unknown family 'x'"), std::string::npos) << text;
}

}  // namespace
}  // namespace sfumato::census
