#include "fed/sampling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "dp/mechanisms/falsify_testing.h"
#include "fed/fed_testing.h"

namespace sfumato::fed {
namespace {

using Users = std::vector<std::int64_t>;

dp::BitStream Bits(std::uint64_t round, std::uint64_t seed = 3) {
  return CohortBits({.simulation = true, .seed = seed}, round);
}

// How likely it is that users are drawn at least this unequally often, or this
// often together, when each has an own coin of `rate`.
double CoinPValue(double drawn_with, double rate, std::int64_t users,
                  int rounds) {
  std::vector<double> counts(static_cast<std::size_t>(users));
  for (int round = 0; round < rounds; ++round) {
    dp::BitStream bits = Bits(static_cast<std::uint64_t>(round));
    for (const std::int64_t user :
         DrawCohort(dp::Poisson{.rate = drawn_with}, users, bits)) {
      ++counts[static_cast<std::size_t>(user)];
    }
  }
  double statistic = 0;
  double total = 0;
  for (const double count : counts) {
    const double off = count - rounds * rate;
    statistic += off * off / (rounds * rate * (1 - rate));
    total += off;
  }
  const auto people = static_cast<double>(users);
  const double above = dp::UpperGamma(0.5 * people, 0.5 * statistic);
  const double deviations =
      std::abs(total) / std::sqrt(people * rounds * rate * (1 - rate));
  return 2 * std::min({above, 1 - above, 2 * dp::NormalTail(deviations)});
}

// A right draw fails with probability 1e-9 for each rate.
TEST(PoissonCohortTest, EachUserIsDrawnAtTheRate) {
  EXPECT_GT(CoinPValue(0.001, 0.001, 3000, 20'000), dp::kFalseAlarm);
  EXPECT_GT(CoinPValue(0.3, 0.3, 40, 20'000), dp::kFalseAlarm);
  EXPECT_GT(CoinPValue(0.5, 0.5, 40, 20'000), dp::kFalseAlarm);
  EXPECT_GT(CoinPValue(0.9, 0.9, 40, 20'000), dp::kFalseAlarm);
}

TEST(PoissonCohortTest, TheTestCatchesARateThatIsOffByFourPerCent) {
  EXPECT_LT(CoinPValue(0.312, 0.3, 40, 20'000), dp::kFalseAlarm);
  EXPECT_LT(CoinPValue(0.00104, 0.001, 3000, 20'000), dp::kFalseAlarm);
}

// Coins are apart: the number drawn is binomial. False alarm 1e-9.
TEST(PoissonCohortTest, SizesAreBinomial) {
  constexpr int kUsers = 12;
  constexpr double kRate = 0.25;
  std::vector<double> counts(kUsers + 1);
  for (std::uint64_t round = 0; round < 50'000; ++round) {
    dp::BitStream bits = Bits(round);
    ++counts[DrawCohort(dp::Poisson{.rate = kRate}, kUsers, bits).size()];
  }
  std::vector<double> chances;
  double chance = std::pow(1 - kRate, kUsers);
  for (int k = 0; k <= kUsers; ++k) {
    chances.push_back(chance);
    chance *= kRate / (1 - kRate) * (kUsers - k) / (k + 1);
  }
  EXPECT_GT(dp::ChiSquarePValue(counts, chances), dp::kFalseAlarm);
}

TEST(PoissonCohortTest, CostsAsMuchAsTheCohortIsLarge) {
  dp::BitStream bits = Bits(1);
  const Users drawn = DrawCohort(dp::Poisson{.rate = 5e-4}, 2'000'000, bits);
  EXPECT_GT(drawn.size(), 800u);
  EXPECT_LT(drawn.size(), 1200u);
  // The next word of the stream tells how many were used.
  const std::uint64_t next = bits();
  dp::BitStream again = Bits(1);
  std::size_t used = 0;
  while (again() != next) ++used;
  EXPECT_LT(used, 2 * drawn.size());
}

TEST(PoissonCohortTest, ARateOfOneIsEveryone) {
  dp::BitStream bits = Bits(1);
  EXPECT_EQ(DrawCohort(dp::Poisson{.rate = 1}, 4, bits), (Users{0, 1, 2, 3}));
}

TEST(FixedCohortTest, EverySubsetIsAsLikelyAsAnyOther) {
  std::map<Users, double> counts;
  for (std::uint64_t round = 0; round < 20'000; ++round) {
    dp::BitStream bits = Bits(round);
    ++counts[DrawCohort(dp::FixedSize{.cohort = 2, .population = 5}, 5, bits)];
  }
  ASSERT_EQ(counts.size(), 10u);  // 5 over 2
  std::vector<double> seen;
  for (const auto& [subset, count] : counts) seen.push_back(count);
  EXPECT_GT(dp::ChiSquarePValue(seen, std::vector<double>(10, 0.1)),
            dp::kFalseAlarm);
}

TEST(FixedCohortTest, HasExactlyItsSizeSortedAndWithoutRepetition) {
  dp::BitStream bits = Bits(1);
  const Users drawn = DrawCohort(
      dp::FixedSize{.cohort = 1000, .population = 2'000'000}, 2'000'000, bits);
  EXPECT_EQ(drawn.size(), 1000u);
  EXPECT_EQ(std::set<std::int64_t>(drawn.begin(), drawn.end()).size(), 1000u);
  EXPECT_TRUE(std::ranges::is_sorted(drawn));
  EXPECT_GE(drawn.front(), 0);
  EXPECT_LT(drawn.back(), 2'000'000);
  EXPECT_EQ(DrawCohort(dp::FixedSize{3, 3}, 3, bits), (Users{0, 1, 2}));
}

TEST(CohortTest, FollowsFromSeedAndRoundInASimulation) {
  const auto draw = [](std::uint64_t round, std::uint64_t seed) {
    dp::BitStream bits = Bits(round, seed);
    return DrawCohort(dp::Poisson{.rate = 0.1}, 1000, bits);
  };
  EXPECT_EQ(draw(4, 9), draw(4, 9));
  EXPECT_NE(draw(4, 9), draw(5, 9));
  EXPECT_NE(draw(4, 9), draw(4, 8));
}

TEST(CohortTest, CannotBeForetoldOutsideASimulation) {
  const auto draw = [] {
    dp::BitStream bits = CohortBits({.simulation = false, .seed = 9}, 4);
    return DrawCohort(dp::Poisson{.rate = 0.5}, 1000, bits);
  };
  EXPECT_NE(draw(), draw());  // alike with probability 2^-1000
}

TEST(CohortTest, RefusesWhatCannotBeDrawn) {
  dp::BitStream bits = Bits(1);
  for (const double rate : {0.0, -0.1, 1.1, std::nan("")}) {
    dp::ExpectBadInput([&] { DrawCohort(dp::Poisson{.rate = rate}, 10, bits); },
                       "rate");
  }
  dp::ExpectBadInput([&] { DrawCohort(dp::FixedSize{11, 10}, 10, bits); },
                     "more than there are");
  dp::ExpectBadInput([&] { DrawCohort(dp::FixedSize{2, 12}, 10, bits); },
                     "another population");
  EXPECT_EQ(Thrown([&] { DrawCohort(dp::Revealed{0.1}, 10, bits); }).kind(),
            ErrorKind::kUnsupported);
}

TEST(CohortTest, EventsHaveTheAdjacencyThatIsProven) {
  EXPECT_EQ(dp::ParticipantsOf(dp::Poisson{0.1}).adjacency,
            dp::Adjacency::kAddRemove);
  EXPECT_EQ(dp::ParticipantsOf(dp::All{}).adjacency, dp::Adjacency::kAddRemove);
  EXPECT_EQ(dp::ParticipantsOf(dp::FixedSize{1, 10}).adjacency,
            dp::Adjacency::kReplaceOne);
}

TEST(WeightingTest, CapsTheNumberOfExamples) {
  const Point p = {0};
  const PointExamples examples(
      1, {{}, {p}, {p, p, p}, {p, p, p, p}, {p, p, p, p, p, p, p, p}});
  const Users users = {0, 1, 2, 3, 4};
  EXPECT_EQ(WeightsOf({.by_examples = true, .cap = 4}, users, examples),
            (std::vector<double>{0, 0.25, 0.75, 1, 1}));
  EXPECT_EQ(WeightsOf({}, users, examples), std::vector<double>(5, 1.0));
  for (const double cap : {0.0, 0.5, -1.0, std::nan(""), HUGE_VAL}) {
    dp::ExpectBadInput(
        [&] { WeightsOf({.by_examples = true, .cap = cap}, users, examples); },
        "cap");
  }
}

}  // namespace
}  // namespace sfumato::fed
