#include "dp/accounting/calibration.h"

#include <cmath>

#include "base/error.h"
#include "dp/accounting/pld.h"
#include "gtest/gtest.h"

namespace sfumato::dp {
namespace {

Event Round(double noise, double rate, std::int64_t rounds) {
  return {
      .mechanism = Gaussian{noise}, .sampling = Poisson{rate}, .count = rounds};
}

TEST(CalibrationTest, TheUsualDeltaIsBelowOneOverTheUsers) {
  EXPECT_NEAR(UsualDelta(1e5), 3.1623e-6, 1e-10);  // 10^-5.5
  EXPECT_EQ(UsualDelta(100), 1e-3);                // 10^-2.2 is more
  EXPECT_EQ(UsualDelta(0), 1e-3);
  for (const double users : {1.0, 2.0, 999.0, 1000.0, 1e5, 1e9}) {
    EXPECT_NO_THROW(CheckDeltaFor(UsualDelta(users), users, "delta")) << users;
    EXPECT_THROW(CheckDeltaFor(1.001 / users, users, "delta"), Error) << users;
  }
}

TEST(CalibrationTest, NoiseOfTheKnownSettings) {
  const Event rounds = Round(1, 0.01, 10000);
  // 4.12581 and 3.81334 were computed elsewhere; the second one's own lattice
  // is coarser than ours.
  EXPECT_NEAR(
      NoiseFor(rounds,
               {.epsilon = 1, .delta = 1e-5, .accountant = Accountant::kRdp}),
      4.12581, 2e-4);
  EXPECT_NEAR(NoiseFor(rounds, {.epsilon = 1, .delta = 1e-5}), 3.81334, 5e-4);
}

TEST(CalibrationTest, NoiseOfOneReleaseIsTheAnalyticGaussian) {
  const Event release{.mechanism = Gaussian{1}};
  EXPECT_NEAR(NoiseFor(release, {.epsilon = 10, .delta = 1e-5}), 0.49989, 1e-5);
  EXPECT_NEAR(NoiseFor(release, {.epsilon = 1, .delta = 1e-5}), 3.73063, 1e-5);
  EXPECT_NEAR(NoiseFor(release, {.epsilon = 0.2, .delta = 1e-5}), 16.304, 5e-4);
  Event replaced = release;
  replaced.adjacency = Adjacency::kReplaceOne;
  EXPECT_NEAR(NoiseFor(replaced, {.epsilon = 1, .delta = 1e-5}), 2 * 3.73063,
              2e-5);
}

TEST(CalibrationTest, HonestNoiseOfGsWganWithRandomCritics) {
  // Relative to 2C, 32 gradients of one critic: 14.02 and 100.8.
  Event step{.mechanism = Gaussian{1},
             .sampling = Revealed{0.001},
             .adjacency = Adjacency::kReplaceOne,
             .count = 20000};
  const double scale = std::sqrt(32.0) / 2;
  EXPECT_NEAR(scale * NoiseFor(step, {.epsilon = 10, .delta = 1e-5}), 14.02,
              0.01);
  EXPECT_NEAR(scale * NoiseFor(step, {.epsilon = 1, .delta = 1e-5}), 100.8,
              0.06);
}

TEST(CalibrationTest, WhatComesBackKeepsTheBudgetAndIsTheBest) {
  const Limit budget{.epsilon = 2, .delta = 1e-6};
  const double noise = NoiseFor(Round(1, 0.02, 500), budget);
  const auto cost = [&](double z, double rate, std::int64_t rounds) {
    const Event event = Round(z, rate, rounds);
    return PldEpsilon({&event, 1}, budget.delta);
  };
  EXPECT_LE(cost(noise, 0.02, 500), 2);
  EXPECT_GT(cost(noise * 0.9995, 0.02, 500), 2);

  const std::int64_t rounds = RoundsFor(Round(1.2, 0.02, 1), budget);
  EXPECT_LE(cost(1.2, 0.02, rounds), 2);
  EXPECT_GT(cost(1.2, 0.02, rounds + 1), 2);

  const std::int64_t cohort = CohortFor(Round(1.2, 1, 500), 10000, budget);
  EXPECT_LE(cost(1.2, 1e-4 * static_cast<double>(cohort), 500), 2);
  EXPECT_GT(cost(1.2, 1e-4 * static_cast<double>(cohort + 1), 500), 2);
}

TEST(CalibrationTest, EverybodyWhenTheBudgetIsAmple) {
  EXPECT_EQ(CohortFor(Round(100, 1, 1), 50, {.epsilon = 5, .delta = 1e-5}), 50);
}

TEST(CalibrationTest, RefusesWhatNoNoiseOrCohortKeeps) {
  EXPECT_THROW(RoundsFor(Round(0.3, 1, 1), {.epsilon = 0.1, .delta = 1e-6}),
               Error);
  EXPECT_THROW(
      CohortFor(Round(0.3, 1, 1000000), 10, {.epsilon = 0.1, .delta = 1e-6}),
      Error);
  for (const double epsilon : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(NoiseFor(Round(1, 0.1, 10), {.epsilon = epsilon}), Error);
  }
  EXPECT_THROW(NoiseFor(Round(1, 0.1, 10), {.epsilon = 1, .delta = 0}), Error);
  EXPECT_THROW(NoiseFor({.mechanism = Laplace{1}}, {}), Error);
}

TEST(CalibrationTest, LargeNoiseIsFoundAndNotRefused) {
  const Event rounds = Round(1, 0.5, 1000000);
  const double noise = NoiseFor(
      rounds, {.epsilon = 0.5, .delta = 1e-6, .accountant = Accountant::kRdp});
  EXPECT_GT(noise, 3000);
  EXPECT_LT(noise, 5000);
}

TEST(CalibrationTest, PlainNoiseKeepsItsLimitToTheLastBit) {
  for (const double epsilon : {0.1, 0.7, 1.3, 2.9, 8.1}) {
    Event release{.mechanism = Gaussian{1}, .count = 7};
    const double noise = NoiseFor(release, {.epsilon = epsilon, .delta = 1e-7});
    release.mechanism = Gaussian{noise};
    EXPECT_LE(PldEpsilon({&release, 1}, 1e-7), epsilon);
  }
}

TEST(CalibrationTest, PrivacyAtScaleOfTheFirstPaper) {
  // Ten users with z = 0.01 bear as much noise on the mean as a thousand with
  // z = 1; of two million users, Fig 8a.
  const Scale scale = PrivacyAtScale({});
  EXPECT_DOUBLE_EQ(scale.factor, 100);
  EXPECT_EQ(scale.cohort, 1000);
  EXPECT_NEAR(scale.guarantee.epsilon, 0.160445, 3e-4);
  EXPECT_DOUBLE_EQ(scale.guarantee.delta, 5e-9);
  const Scale published = PrivacyAtScale(
      {.accountant = Accountant::kPublished, .sampling = FixedSize{}});
  EXPECT_NEAR(published.guarantee.epsilon, 1.393471, 1e-6);
  EXPECT_THROW(PrivacyAtScale({.population = 500}), Error);
}

TEST(LeastNoiseTest, FindsWhereAFallingEpsilonIsEnough) {
  const auto falls = [](double noise) { return 12 / noise; };
  const double noise = LeastNoise(falls, 0.5, 3);  // 12 / 4
  EXPECT_GE(noise, 4);
  EXPECT_LT(noise, 4 * (1 + 1e-4));
  EXPECT_EQ(LeastNoise(falls, 5, 3), 5) << "it is enough already";
  EXPECT_TRUE(std::isinf(LeastNoise([](double) { return 9.0; }, 1, 3)));
}

}  // namespace
}  // namespace sfumato::dp
