#include "bench/census_simulation.h"

#include <algorithm>

#include "gtest/gtest.h"

namespace sfumato::bench {
namespace {

using census::Votes;

constexpr std::int64_t kUsers = 1200;
constexpr std::int64_t kDamaged = 240;

// Cells: healthy, families a (1), b (2) and c (3), none (4), cannot tell (5).
// Its reference users all vote rightly.
census::Calibration Reliable(std::int64_t marks = 1) {
  census::Calibration calibration{.marks = marks};
  for (const char* key : {census::kAsItShouldBe, "a", "b", "c",
                          census::kNoneOfThese, census::kCannotTell}) {
    calibration.cells.push_back({.key = key, .words = key});
  }
  for (std::size_t s = 0; s < 4; ++s) {
    census::Tried tried{.users = s == 0 ? 4000 : 100};
    tried.votes.resize(calibration.cells.size());
    tried.votes[s] = tried.users;
    calibration.states.push_back(
        {.key = calibration.cells[s].key, .tried = {tried}});
  }
  return calibration;
}

Votes All(std::int64_t users, const std::vector<std::int64_t>& marks) {
  return Votes(static_cast<std::size_t>(users), marks);
}

TakenVotes Voters(const std::vector<std::int64_t>& damaged) {
  return {.healthy = All(kUsers, {0}), .damaged = All(kDamaged, damaged)};
}

class SimulationTest : public testing::Test {
 protected:
  CensusTally Run(const TakenVotes& votes, SimulatedCensus setup,
                  const census::Calibration& calibration = Reliable()) {
    setup.censuses = 40;
    return Simulate(votes, setup, calibration, pool_);
  }

  base::WorkerPool pool_{{.threads = 2}};
};

TEST_F(SimulationTest, VoterThatIsRightNamesEverythingAndItsIntervalHolds) {
  const CensusTally tally = Run(Voters({1}), {.right = {1}, .share = 0.05});
  EXPECT_EQ(tally.censuses, 40);
  EXPECT_EQ(tally.differs, 40);
  // 30 votes beside noise of scale 2 pass a threshold of about 12, except with
  // a probability of e^-9.
  EXPECT_EQ(tally.named, 40);
  // Intervals of 95 %: fewer than 33 of 40 has a probability below 0.002.
  EXPECT_GE(tally.covered, 33);
  // Another family is named with 0.01 at most: three have 0.007.
  EXPECT_LE(tally.wrong, 2);
}

TEST_F(SimulationTest, VoterThatAlwaysSaysHealthyNamesNothing) {
  const CensusTally tally = Run(Voters({0}), {.right = {1}, .share = 0.05});
  EXPECT_EQ(tally.named, 0);
  EXPECT_EQ(tally.partly, 0);
  EXPECT_LE(tally.covered, 2);  // 5 % is far above an interval around nothing
  EXPECT_LE(tally.differs, 2);  // three have a probability of 0.007
}

TEST_F(SimulationTest, VoterThatTakesOneFamilyForAnotherGivesWrongNames) {
  const CensusTally tally = Run(Voters({2}), {.right = {1}, .share = 0.05});
  EXPECT_EQ(tally.named, 0);
  EXPECT_EQ(tally.wrong, 40);
  EXPECT_GE(std::ranges::count(tally.wrong_names, "b"), 40);
}

TEST_F(SimulationTest, DamageWithoutACellCanOnlyBeNamedWrongly) {
  const CensusTally tally =
      Run(Voters({2}), {.nameable = false, .share = 0.05});
  EXPECT_EQ(tally.named, 0);
  EXPECT_EQ(tally.covered, 0);
  EXPECT_EQ(tally.wrong, 40);
}

TEST_F(SimulationTest, NoneOfTheseLeavesTheQuestionOpen) {
  const CensusTally tally = Run(Voters({4}), {.share = 0.3});
  EXPECT_EQ(tally.none, 40);
  EXPECT_EQ(tally.open, 40);
  EXPECT_LE(tally.wrong, 2);
}

TEST_F(SimulationTest, TwoDamagesAreNamedIfBothAre) {
  const SimulatedCensus setup{.right = {1, 2}, .share = 0.3};
  EXPECT_EQ(Run(Voters({1, 2}), setup, Reliable(2)).named, 40);
  const CensusTally one = Run(Voters({1}), setup, Reliable(2));
  EXPECT_EQ(one.named, 0);
  EXPECT_EQ(one.partly, 40);
}

TEST_F(SimulationTest, DamageIsInTheSecondOfTwoGroups) {
  SimulatedCensus setup{
      .right = {1}, .share = 0.2, .design = census::Design::kTwoGroups};
  EXPECT_EQ(setup.damaged(), 60);  // 20 % of 300
  EXPECT_EQ(Run(Voters({1}), setup).named, 40);
  // What healthy users are taken for is in both groups, and cancels.
  const TakenVotes mistaken{.healthy = All(kUsers, {2})};
  setup.right = {};
  setup.share = 0;
  EXPECT_LE(Run(mistaken, setup).differs, 2);
}

TEST_F(SimulationTest, NobodyIsAskedTwiceWhereThereAreEnough) {
  // The 30 who are damaged would mark c if they were asked as healthy users
  // too.
  TakenVotes votes{.healthy = All(600, {0}), .damaged = All(30, {1})};
  std::fill_n(votes.healthy.begin(), 30, std::vector<std::int64_t>{3});
  const SimulatedCensus setup{.right = {1}, .share = 0.05, .epsilon = 1000};
  EXPECT_FALSE(setup.Resamples(votes));
  EXPECT_EQ(Run(votes, setup).wrong, 0);
  votes.damaged.pop_back();
  EXPECT_TRUE(setup.Resamples(votes));
}

}  // namespace
}  // namespace sfumato::bench
