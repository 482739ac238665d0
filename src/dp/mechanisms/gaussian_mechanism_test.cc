#include "dp/mechanisms/gaussian_mechanism.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "dp/mechanisms/falsify_testing.h"

namespace sfumato::dp {
namespace {

constexpr std::size_t kDimension = 20'000;

// How likely a sum of squares at least this far off is, for values of mean 0
// and this deviation.
double VariancePValue(std::span<const float> values, double deviation) {
  double squares = 0;
  for (const float x : values) squares += (x / deviation) * (x / deviation);
  const double above =
      UpperGamma(0.5 * static_cast<double>(values.size()), 0.5 * squares);
  return 2 * std::min(above, 1 - above);
}

// The released sum, less what was added to it.
std::vector<float> NoiseOf(double noise_multiplier, double clip_norm,
                           int answered, double divisor) {
  const GaussianMechanism mechanism(
      {.noise_multiplier = noise_multiplier, .clip_norm = clip_norm});
  NoiseSource noise = NoiseSource::Simulation(5);
  ClippedSum sum = mechanism.EmptySum(kDimension, "");
  std::vector<float> update(kDimension);
  update[0] = static_cast<float>(clip_norm);
  for (int i = 0; i < answered; ++i) sum.Add(update);
  std::vector<float> mean =
      mechanism.ReleaseMean(std::move(sum), divisor, noise).value();
  for (float& x : mean) x = static_cast<float>(x * divisor);
  mean[0] -= static_cast<float>(answered * clip_norm);
  return mean;
}

// Trap: noise scaled to the planned cohort while fewer clients answered.
TEST(GaussianMechanismTest, NoiseIsTheSameHoweverManyAnswered) {
  for (const int answered : {0, 1, 100}) {
    EXPECT_GT(VariancePValue(NoiseOf(2, 0.5, answered, 100), 2 * 0.5),
              kFalseAlarm)
        << answered;
  }
}

TEST(GaussianMechanismTest, TheDivisorComesAfterTheNoise) {
  EXPECT_GT(VariancePValue(NoiseOf(2, 0.5, 10, 7), 1), kFalseAlarm);
  EXPECT_GT(VariancePValue(NoiseOf(2, 0.5, 10, 7000), 1), kFalseAlarm);
}

TEST(GaussianMechanismTest, TheTestCatchesNoiseTooSmallByTenPerCent) {
  EXPECT_LT(VariancePValue(NoiseOf(0.9 * 2, 0.5, 10, 100), 1), kFalseAlarm);
}

// Trap: the accountant given sigma times C as the multiplier.
TEST(GaussianMechanismTest, TheEventHasTheMultiplierNotTheDeviation) {
  const GaussianMechanism mechanism(
      {.noise_multiplier = 1.5,
       .clip_norm = 3,
       .participants = {.sampling = Poisson{.rate = 0.25},
                        .population = {.name = "phones"}}});
  const Event event = mechanism.Event("round 7");
  EXPECT_EQ(std::get<Gaussian>(event.mechanism).noise_multiplier, 1.5);
  EXPECT_EQ(std::get<Poisson>(event.sampling).rate, 0.25);
  EXPECT_EQ(event.population.name, "phones");
  EXPECT_EQ(event.cohort, "round 7");
  EXPECT_EQ(event.count, 1);
}

TEST(GaussianMechanismTest, AReleaseCarriesTheEventOfItsCohort) {
  const GaussianMechanism mechanism({.noise_multiplier = 1, .clip_norm = 1});
  NoiseSource noise = NoiseSource::Simulation(1);
  const auto mean =
      mechanism.ReleaseMean(mechanism.EmptySum(2, "round 7"), 10, noise);
  EXPECT_EQ(mean.event(), mechanism.Event("round 7"));
}

TEST(GaussianMechanismTest, AnEmptyCohortReleasesNoise) {
  const std::vector<float> noise = NoiseOf(1, 1, 0, 1);
  EXPECT_GT(VariancePValue(noise, 1), kFalseAlarm);
}

TEST(GaussianMechanismTest, TheMeanIsTheSumOverTheConfiguredNumber) {
  const GaussianMechanism mechanism(
      {.noise_multiplier = 0.001, .clip_norm = 5});
  NoiseSource noise = NoiseSource::Simulation(1);
  ClippedSum sum = mechanism.EmptySum(2, "");
  sum.Add(std::vector<float>{3, 4});
  sum.Add(std::vector<float>{30, 40});  // clipped to {3, 4}
  const auto mean = mechanism.ReleaseMean(std::move(sum), 4, noise);
  // The noise on a mean is 0.001 * 5 / 4; ten deviations.
  EXPECT_NEAR(mean.value()[0], 1.5, 0.0125);
  EXPECT_NEAR(mean.value()[1], 2.0, 0.0125);
}

// Rule 2: the same cohort with fresh noise would be another event.
TEST(GaussianMechanismTest, ReleasesACohortOnce) {
  const GaussianMechanism mechanism({.noise_multiplier = 1, .clip_norm = 1});
  NoiseSource noise = NoiseSource::Simulation(1);
  ClippedSum sum = mechanism.EmptySum(2, "round 7");
  mechanism.ReleaseMean(std::move(sum), 1, noise);
  ExpectBadInput([&] { mechanism.ReleaseMean(std::move(sum), 1, noise); },
                 "a second release");
  static_assert(!std::is_copy_constructible_v<ClippedSum>);
}

TEST(GaussianMechanismTest, TwoReleasesHaveDifferentNoise) {
  const GaussianMechanism mechanism({.noise_multiplier = 1, .clip_norm = 1});
  for (const bool secure : {false, true}) {
    NoiseSource noise =
        secure ? NoiseSource::Secure() : NoiseSource::Simulation(1);
    const auto release = [&] {
      return mechanism.ReleaseMean(mechanism.EmptySum(4, ""), 1, noise).value();
    };
    EXPECT_NE(release(), release());
  }
}

// Trap: NaN passing a range check.
TEST(GaussianMechanismTest, RefusesNumbersThatCannotBe) {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    ExpectBadInput(
        [&] { GaussianMechanism m({.noise_multiplier = bad, .clip_norm = 1}); },
        "noise multiplier");
    ExpectBadInput(
        [&] { GaussianMechanism m({.noise_multiplier = 1, .clip_norm = bad}); },
        "clip norm");
    const GaussianMechanism mechanism({.noise_multiplier = 1, .clip_norm = 1});
    NoiseSource noise = NoiseSource::Simulation(1);
    ExpectBadInput(
        [&] { mechanism.ReleaseMean(mechanism.EmptySum(1, ""), bad, noise); },
        "divisor");
  }
}

TEST(GaussianMechanismTest, RefusesASumClippedToAnotherNorm) {
  const GaussianMechanism mechanism({.noise_multiplier = 1, .clip_norm = 1});
  NoiseSource noise = NoiseSource::Simulation(1);
  ExpectBadInput([&] { mechanism.ReleaseMean(ClippedSum(2, 1), 1, noise); },
                 "clip norm");
}

TEST(GaussianMechanismTest, RefusesWhatNoAccountantHasAProofFor) {
  try {
    GaussianMechanism mechanism(
        {.noise_multiplier = 1,
         .clip_norm = 1,
         .participants = {.sampling =
                              FixedSize{.cohort = 10, .population = 100}}});
    FAIL() << "fixed-size sampling with add-remove adjacency";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
  }
}

}  // namespace
}  // namespace sfumato::dp
