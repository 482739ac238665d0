#include "dp/mechanisms/key_histogram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "dp/mechanisms/falsify_testing.h"

namespace sfumato::dp {
namespace {

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
  std::vector<std::string> keys(1000, "the");
  keys.insert(keys.end(), 500, "of");
  for (int i = 0; i < 1000; ++i) keys.push_back("secret " + std::to_string(i));
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
  std::vector<std::string> keys;
  for (int i = 0; i < 100'000; ++i) keys.push_back(std::to_string(i));
  const auto shown =
      static_cast<double>(histogram.Release(keys, "", noise).value().size());
  EXPECT_GT(ChiSquarePValue(std::vector<double>{shown, 100'000 - shown},
                            std::vector<double>{0.025, 0.975}),
            kFalseAlarm);
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
}

}  // namespace
}  // namespace sfumato::dp
