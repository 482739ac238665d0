#include "census/answer/difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace sfumato::census {
namespace {

constexpr NoiseLaw kLaplace{.kind = NoiseKind::kLaplace, .parameter = 2};
constexpr NoiseLaw kGaussian{.kind = NoiseKind::kGaussian, .parameter = 6};

// The claim that the verdict's level rests on, at many more rates than those
// that the multiple was computed for.
void ExpectHoldsForEveryRate(const DifferenceQuestion& question) {
  const Difference difference(question);
  double most = 0;
  for (double angle = 0; angle < std::numbers::pi / 2; angle += 0.004) {
    const double chance =
        difference.ChanceAt(std::sin(angle) * std::sin(angle));
    EXPECT_LE(chance, question.chance)
        << question.few << " " << question.many << " " << angle;
    most = std::max(most, chance);
  }
  for (const double rate : {1e-6, 1e-5, 1e-4, 3e-4, 1e-3, 2e-3, 1.0}) {
    EXPECT_LE(difference.ChanceAt(rate), question.chance) << rate;
  }
  // A test that never says yes would hold, too.
  EXPECT_GT(most, 0.5 * question.chance);
}

TEST(DifferenceTest, HoldsForEveryRateAndSize) {
  for (const auto& [few, many] : {std::pair{20.0, 20.0},
                                  {300.0, 300.0},
                                  {100.0, 700.0},
                                  {700.0, 100.0}}) {
    for (const double chance : {1e-2, 2e-4}) {
      for (const NoiseLaw& noise : {kLaplace, kGaussian, NoiseLaw{}}) {
        ExpectHoldsForEveryRate(
            {.few = few, .many = many, .noise = noise, .chance = chance});
      }
    }
  }
}

TEST(DifferenceTest, HoldsWhereTheNumbersOfUsersAreNoisy) {
  ExpectHoldsForEveryRate({.few = 300,
                           .many = 450,
                           .noise = kLaplace,
                           .users_noise = SumOf(LawOf(kLaplace), 23),
                           .chance = 2e-4});
}

// Without noise, groups of 2 and 2 users: only 0 beside 2 can be reached, with
// chance (1 - p)² p² ≤ 1/16, at p = 1/2. One chance below that is never passed.
TEST(DifferenceTest, TwoBesideTwoByPencil) {
  const Difference difference({.few = 2, .many = 2, .chance = 0.0645});
  EXPECT_NEAR(difference.ChanceAt(0.5), 1.0 / 16, 1e-12);
  EXPECT_EQ(difference.LeastCount(0, 0), 2);
  const Difference strict({.few = 2, .many = 2, .chance = 0.06});
  EXPECT_EQ(strict.ChanceAt(0.5), 0);
  EXPECT_GT(strict.LeastCount(0, 0), 2);
}

TEST(DifferenceTest, MoreMarksOrMoreLeaksAskForMore) {
  const Difference difference(
      {.few = 300, .many = 300, .noise = kLaplace, .chance = 2e-4});
  double before = 0;
  for (double count = -10; count <= 290; ++count) {
    const double least = difference.LeastCount(count, 0);
    EXPECT_GT(least, count);
    EXPECT_GE(least, before);
    EXPECT_GE(difference.LeastCount(count, 9), least + 9);
    before = least;
  }
  // Noise alone reaches 19 in 2 of 10,000 cases; that nothing else does is not
  // known.
  EXPECT_GE(difference.LeastCount(0, 0), 20);
  EXPECT_LE(difference.LeastCount(0, 0), 26);
}

}  // namespace
}  // namespace sfumato::census
