#include "eval/lineup.h"

#include <set>

#include "base/error.h"
#include "gtest/gtest.h"

namespace sfumato::eval {
namespace {

TEST(LineupTest, TwinsGiveTheFloor) {
  const Lineup twins = LineUp({"a1", "a2"}, {"b1", "b2"});
  EXPECT_EQ(twins.floor_source, "twins");
  EXPECT_TRUE(twins.twins_of_both());
  EXPECT_EQ(twins.alike, (std::vector<std::pair<int, int>>{{0, 1}, {2, 3}}));
  EXPECT_FALSE(LineUp({"a1"}, {"b1"}).floor_known());
  EXPECT_FALSE(LineUp({"a1"}, {"b1", "b2"}).twins_of_both());
}

TEST(LineupTest, RefusesNoModelOnASideAndThree) {
  EXPECT_THROW(LineUp({}, {"b1"}), Error);
  EXPECT_THROW(LineUp({"a1"}, {"b1", "b2", "b3"}), Error);
}

TEST(LineupTest, NoTestIsTriedOnAModelItLearnedFrom) {
  const Lineup lineup = LineUp({"a1", "a2"}, {"b1", "b2"});
  const auto check = [](const std::vector<Trial>& trials, bool across) {
    for (const auto& [learned, tried] : trials) {
      const std::set<int> all = {learned.first, learned.second, tried.first,
                                 tried.second};
      EXPECT_EQ(all.size(), 4u);
      EXPECT_EQ(learned.first < 2 && learned.second >= 2, across);
      EXPECT_EQ(tried.first < 2 && tried.second >= 2, across);
    }
  };
  EXPECT_EQ(AcrossSides(lineup).size(), 4u);
  check(AcrossSides(lineup), true);
  EXPECT_EQ(AcrossTwins(lineup).size(), 2u);
  check(AcrossTwins(lineup), false);
}

TEST(SeparationTest, EitherOrderRaisesTheFloor) {
  Separation found;
  found.RaiseFloor(0.3);
  EXPECT_DOUBLE_EQ(found.floor, 0.7);
  found.RaiseFloor(0.6);
  EXPECT_DOUBLE_EQ(found.floor, 0.7);
}

}  // namespace
}  // namespace sfumato::eval
