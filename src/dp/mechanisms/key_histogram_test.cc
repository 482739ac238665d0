#include "dp/mechanisms/key_histogram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "dp/mechanisms/falsify_testing.h"

namespace sfumato::dp {
namespace {

using Keys = std::vector<std::vector<std::string>>;  // of each unit

TEST(KeyHistogramTest, TheThresholdIsTheQuantileOfTheNoise) {
  // Upper quantiles of the normal from tables: 0.025 at 1.959963985, 1e-9 at
  // 5.997807015.
  EXPECT_NEAR(KeyHistogram({.noise_multiplier = 2, .delta = 0.025}).threshold(),
              1 + 2 * 1.959963985, 1e-8);
  EXPECT_NEAR(KeyHistogram({.noise_multiplier = 10, .delta = 1e-9}).threshold(),
              1 + 10 * 5.997807015, 1e-7);
}

TEST(KeyHistogramTest, ShowsWhatManyHaveAndNothingElse) {
  const KeyHistogram histogram({.noise_multiplier = 2, .delta = 1e-12});
  NoiseSource noise = NoiseSource::Simulation(51);
  Keys keys(1000, {"the"});
  keys.insert(keys.end(), 500, {"of"});
  for (int i = 0; i < 1000; ++i) {
    keys.push_back({"secret " + std::to_string(i)});
  }
  const auto shown = histogram.Release(keys, "today", noise);
  ASSERT_EQ(shown.value().size(), 2u);
  EXPECT_NEAR(static_cast<double>(shown.value().at("the")), 1000, 16);
  EXPECT_NEAR(static_cast<double>(shown.value().at("of")), 500, 16);
  EXPECT_EQ(std::get<ThresholdedHistogram>(shown.event().mechanism),
            (ThresholdedHistogram{.noise_multiplier = 2, .delta = 1e-12}));
  EXPECT_EQ(shown.event(), histogram.Event("today"));
}

TEST(KeyHistogramTest, ShowsAKeyOfOneUnitWithProbabilityDelta) {
  const KeyHistogram histogram({.noise_multiplier = 2, .delta = 0.025});
  NoiseSource noise = NoiseSource::Simulation(53);
  Keys keys;
  for (int i = 0; i < 100'000; ++i) keys.push_back({std::to_string(i)});
  const auto shown =
      static_cast<double>(histogram.Release(keys, "", noise).value().size());
  EXPECT_GT(ChiSquarePValue(std::vector<double>{shown, 100'000 - shown},
                            std::vector<double>{0.025, 0.975}),
            kFalseAlarm);
}

TEST(KeyHistogramTest, SeveralKeysOfAUnitTakeMoreNoiseAndAHigherThreshold) {
  // Deviation 2 · sqrt 4; the quantile is that of 0.1 / 4.
  const KeyHistogram histogram(
      {.noise_multiplier = 2, .delta = 0.1, .most_keys = 4});
  EXPECT_DOUBLE_EQ(histogram.deviation(), 4);
  EXPECT_NEAR(histogram.threshold(), 1 + 4 * 1.959963985, 1e-7);
  // The ledger is told the noise over the norm of what a unit adds.
  EXPECT_EQ(std::get<ThresholdedHistogram>(histogram.Event("").mechanism),
            (ThresholdedHistogram{.noise_multiplier = 2, .delta = 0.1}));
}

TEST(KeyHistogramTest, AUnitWithFourKeysShowsOneOfThemWithDeltaAtMost) {
  const KeyHistogram histogram(
      {.noise_multiplier = 2, .delta = 0.1, .most_keys = 4});
  NoiseSource noise = NoiseSource::Simulation(57);
  Keys keys;
  for (int i = 0; i < 25'000; ++i) {
    const std::string name = std::to_string(i);
    keys.push_back({name + "a", name + "b", name + "c", name + "d"});
  }
  std::set<std::string> units;
  for (const auto& [key, count] : histogram.Release(keys, "", noise).value()) {
    units.insert(key.substr(0, key.size() - 1));
  }
  // 1 - (1 - 0.025)^4, below the 0.1 that is promised.
  const double expected = 1 - std::pow(0.975, 4);
  const auto shown = static_cast<double>(units.size());
  EXPECT_GT(ChiSquarePValue(std::vector<double>{shown, 25'000 - shown},
                            std::vector<double>{expected, 1 - expected}),
            kFalseAlarm);
}

TEST(KeyHistogramTest, NoUnitCountsTwiceOrForMoreThanItsKeys) {
  const KeyHistogram histogram(
      {.noise_multiplier = 0.02, .delta = 1e-9, .most_keys = 2});
  NoiseSource noise = NoiseSource::Simulation(58);
  const Keys keys(100, {"one", "one", "two", "three"});
  const auto shown = histogram.Release(keys, "", noise).value();
  EXPECT_EQ(shown,
            (std::map<std::string, std::int64_t>{{"one", 100}, {"two", 100}}));
}

TEST(KeyHistogramTest, NobodyHasNothingToShow) {
  const KeyHistogram histogram({.noise_multiplier = 2, .delta = 1e-6});
  NoiseSource noise = NoiseSource::Simulation(52);
  EXPECT_TRUE(histogram.Release({}, "", noise).value().empty());
}

TEST(KeyHistogramTest, RefusesNumbersThatCannotBe) {
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    ExpectBadInput(
        [&] { KeyHistogram h({.noise_multiplier = bad, .delta = 1e-6}); },
        "noise");
    ExpectBadInput(
        [&] { KeyHistogram h({.noise_multiplier = 1, .delta = bad}); },
        "delta");
  }
  for (const std::int64_t bad : {0, -1, 2'000'000}) {
    ExpectBadInput(
        [&] {
          KeyHistogram h(
              {.noise_multiplier = 1, .delta = 1e-6, .most_keys = bad});
        },
        "keys");
  }
}

}  // namespace
}  // namespace sfumato::dp
