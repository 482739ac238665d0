#include "dp/mechanisms/private_count.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "dp/mechanisms/falsify_testing.h"

namespace sfumato::dp {
namespace {

TEST(PrivateCountTest, IsTheCountWithNoise) {
  const PrivateCount count({.noise_multiplier = 4});
  NoiseSource noise = NoiseSource::Simulation(41);
  double sum = 0;
  double squares = 0;
  constexpr int kTimes = 20'000;
  for (int i = 0; i < kTimes; ++i) {
    const auto x =
        static_cast<double>(count.Release(1000, "", noise).value() - 1000);
    sum += x;
    squares += x * x;
  }
  // At deviation 4 the discrete Gaussian's variance is 16 to thirty digits.
  EXPECT_GT(2 * NormalTail(std::abs(sum) / (4 * std::sqrt(kTimes))),
            kFalseAlarm);
  EXPECT_NEAR(squares / kTimes, 16, 6 * 16 * std::sqrt(2.0 / kTimes));
}

TEST(PrivateCountTest, TheEventIsADiscreteGaussianOfSensitivityOne) {
  const PrivateCount count(
      {.noise_multiplier = 4, .participants = {.unit = Unit::kExample}});
  NoiseSource noise = NoiseSource::Simulation(42);
  const Event event = count.Release(7, "monday", noise).event();
  EXPECT_EQ(event, count.Event("monday"));
  EXPECT_EQ(std::get<DiscreteGaussian>(event.mechanism),
            (DiscreteGaussian{.noise_multiplier = 4}));
  EXPECT_EQ(event.unit, Unit::kExample);
}

TEST(PrivateCountTest, RefusesNoiseThatIsNone) {
  for (const double bad : {0.0, -1.0, 0.01, 1e12, std::nan(""), HUGE_VAL}) {
    ExpectBadInput([&] { PrivateCount count({.noise_multiplier = bad}); },
                   "noise");
    ExpectBadInput([&] { PrivateHistogram bins({.noise_multiplier = bad}, 3); },
                   "noise");
  }
}

TEST(PrivateCountTest, ACountAtTheEndOfTheRangeDoesNotCrash) {
  const PrivateCount count({.noise_multiplier = 4});
  NoiseSource noise = NoiseSource::Simulation(43);
  for (int i = 0; i < 100; ++i) {
    count.Release(std::numeric_limits<std::int64_t>::max(), "", noise);
  }
}

TEST(PrivateHistogramTest, CountsEachUnitInItsBin) {
  const PrivateHistogram histogram({.noise_multiplier = 1}, 3);
  NoiseSource noise = NoiseSource::Simulation(44);
  std::vector<std::int64_t> bin_of_unit;
  for (int i = 0; i < 1000; ++i) bin_of_unit.push_back(i % 4 == 0 ? 0 : 2);
  const auto released = histogram.Release(bin_of_unit, "", noise);
  ASSERT_EQ(released.value().size(), 3u);
  EXPECT_NEAR(static_cast<double>(released.value()[0]), 250, 8);
  EXPECT_NEAR(static_cast<double>(released.value()[1]), 0, 8);
  EXPECT_NEAR(static_cast<double>(released.value()[2]), 750, 8);
  EXPECT_EQ(std::get<DiscreteGaussian>(released.event().mechanism),
            (DiscreteGaussian{.noise_multiplier = 1}));
}

TEST(PrivateHistogramTest, CostsWhatACountCostsUnlessUnitsAreExchanged) {
  const PrivateHistogram histogram({.noise_multiplier = 1}, 3);
  EXPECT_EQ(histogram.Event(""),
            PrivateCount({.noise_multiplier = 1}).Event(""));
  const PrivateHistogram exchanged(
      {.noise_multiplier = 1,
       .participants = {.adjacency = Adjacency::kReplaceOne}},
      3);
  EXPECT_EQ(std::get<DiscreteGaussian>(exchanged.Event("").mechanism).dimension,
            3);
}

TEST(PrivateHistogramTest, ABinThatWasNotDeclaredCountsNowhere) {
  const PrivateHistogram histogram({.noise_multiplier = 0.1}, 2);
  NoiseSource noise = NoiseSource::Simulation(45);
  // At deviation 0.1 noise other than zero comes once in 10^21.
  const std::vector<std::int64_t> odd = {
      -1, 2, 1, std::numeric_limits<std::int64_t>::min(),
      std::numeric_limits<std::int64_t>::max()};
  EXPECT_EQ(histogram.Release(odd, "", noise).value(),
            (std::vector<std::int64_t>{0, 1}));
}

TEST(PrivateHistogramTest, RefusesToHaveNoBins) {
  for (const std::int64_t bins : {0, -1}) {
    ExpectBadInput(
        [&] { PrivateHistogram histogram({.noise_multiplier = 1}, bins); },
        "bins");
  }
}

}  // namespace
}  // namespace sfumato::dp
