#include "census/voter/image_cells.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sfumato::census {
namespace {

std::vector<ImageFamily> Families(const std::vector<std::string>& keys) {
  std::vector<ImageFamily> families;
  for (const std::string& key : keys) {
    families.push_back({.key = key,
                        .words = key + " words",
                        .cause = key + "!",
                        .strengths = {{.values = "mild"}, {.values = "much"}}});
  }
  return families;
}

// Of 20 users with this strength, how many mark each family; the others mark
// nothing that is asked about.
Tally Marked(std::int64_t family, const std::string& values,
             const std::vector<int>& marks) {
  Tally tally{.family = family, .values = values};
  for (std::size_t mark = 0; mark < marks.size(); ++mark) {
    for (int i = 0; i < marks[mark]; ++i) {
      tally.marks.push_back({static_cast<std::int64_t>(mark)});
    }
  }
  tally.marks.resize(20, {-1});
  return tally;
}

using Strings = std::vector<std::string>;

Strings Keys(const ImageCells& chosen) {
  Strings keys;
  for (const Cell& cell : chosen.cells) keys.push_back(cell.key);
  return keys;
}

ImageCells Chosen(const std::vector<Tally>& tallies, const Strings& split) {
  return ChooseImageCells(Families({"a", "b", "c"}), split, tallies);
}

std::vector<Tally> AllSeen() {
  std::vector<Tally> tallies;
  for (std::int64_t family = 0; family < 3; ++family) {
    for (const char* values : {"mild", "much"}) {
      std::vector<int> marks(3, 0);
      marks[static_cast<std::size_t>(family)] = 18;
      tallies.push_back(Marked(family, values, marks));
    }
  }
  return tallies;
}

TEST(ImageCellsTest, EachFamilyThatIsSeenIsAnAnswer) {
  std::vector<Tally> tallies = AllSeen();
  tallies[2] = Marked(1, "mild", {0, 9, 0});  // fewer than half
  ImageCells chosen = Chosen(tallies, {});
  EXPECT_EQ(Keys(chosen),
            (Strings{kAsItShouldBe, "a", "b", "c", kNoneOfThese, kCannotTell}));
  EXPECT_EQ(chosen.remarks,
            (Strings{"Too mild for these references: b words (mild)."}));
  tallies[3] = Marked(1, "much", {0, 9, 0});
  chosen = Chosen(tallies, {});
  EXPECT_EQ(Keys(chosen),
            (Strings{kAsItShouldBe, "a", "c", kNoneOfThese, kCannotTell}));
  EXPECT_EQ(chosen.cell_of_family, (std::vector<std::int64_t>{1, 4, 2}));
}

// "c" is taken for "a" as well as for "b", which are not taken for each other.
TEST(ImageCellsTest, AFamilyBetweenTwoMakesOneAnswerOfAllThree) {
  std::vector<Tally> tallies = AllSeen();
  tallies[4] = Marked(2, "mild", {9, 0, 11});
  tallies[5] = Marked(2, "much", {0, 9, 11});
  tallies[0] = Marked(0, "mild", {15, 0, 5});
  tallies[2] = Marked(1, "mild", {0, 15, 5});
  const ImageCells chosen = Chosen(tallies, {});
  // 0.225 + 0.125, both ways together, is not enough; 0.225 + 0.225 is.
  EXPECT_EQ(Keys(chosen).size(), 6u);
  tallies[1] = Marked(0, "much", {15, 0, 5});
  tallies[3] = Marked(1, "much", {0, 15, 5});
  const ImageCells together = Chosen(tallies, {});
  EXPECT_EQ(Keys(together),
            (Strings{kAsItShouldBe, "a_or_b_or_c", kNoneOfThese, kCannotTell}));
  EXPECT_EQ(together.cell_of_family, (std::vector<std::int64_t>{1, 1, 1}));
}

TEST(ImageCellsTest, AStrengthThatIsTakenForAnotherFamilyIsSaid) {
  std::vector<Tally> tallies = AllSeen();
  tallies[2] = Marked(1, "mild", {5, 9, 0});
  EXPECT_EQ(Chosen(tallies, {}).remarks,
            (Strings{"With these references b words (mild) is often taken for: "
                     "a words.",
                     "Too mild for these references: b words (mild)."}));
}

TEST(ImageCellsTest, AFamilyOfSeveralStrengthsIsSplitWhereAsked) {
  const ImageCells chosen = Chosen(AllSeen(), {"b"});
  EXPECT_EQ(Keys(chosen), (Strings{kAsItShouldBe, "a", "b=mild", "b=much", "c",
                                   kNoneOfThese, kCannotTell}));
  ASSERT_EQ(chosen.splits.size(), 1u);
  EXPECT_EQ(chosen.splits[0].cells, (std::vector<std::int64_t>{2, 3}));
}

}  // namespace
}  // namespace sfumato::census
