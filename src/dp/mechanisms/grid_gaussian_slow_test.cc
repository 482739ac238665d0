#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "dp/mechanisms/falsify_testing.h"
#include "dp/mechanisms/grid_gaussian.h"

namespace sfumato::dp {
namespace {

// 2^28 values: bins a hundredth of a deviation wide, and far tails.
TEST(GridGaussianTest, AQuarterOfABillionValuesAreNormal) {
  constexpr double kDeviation = 0.7 * 0x1p36;
  constexpr std::size_t kAtOnce = 1 << 22;
  constexpr int kTimes = 64;
  constexpr int kBins = 1200;  // from -6 to 6
  const GridGaussian gaussian(kDeviation);
  NoiseSource noise = NoiseSource::Simulation(91);
  std::vector<double> counts(kBins + 2);
  std::vector<double> beyond(7);  // half deviations from 3
  for (int i = 0; i < kTimes; ++i) {
    std::vector<std::int64_t> values(kAtOnce);
    gaussian.AddTo(values, noise);
    for (const std::int64_t value : values) {
      const double x = static_cast<double>(value) / kDeviation;
      const double bin = std::floor((x + 6) * 100) + 1;
      ++counts[static_cast<std::size_t>(std::clamp(bin, 0.0, kBins + 1.0))];
      const double tail = std::floor(2 * (std::abs(x) - 3));
      if (tail >= 0) ++beyond[static_cast<std::size_t>(std::min(tail, 6.0))];
    }
  }
  std::vector<double> shares(kBins + 2);
  for (int i = 0; i < kBins + 2; ++i) {
    const double left = i == 0 ? 1 : NormalTail(-6 + 0.01 * (i - 1));
    const double right = i == kBins + 1 ? 0 : NormalTail(-6 + 0.01 * i);
    shares[static_cast<std::size_t>(i)] = left - right;
  }
  EXPECT_GT(ChiSquarePValue(counts, shares), kFalseAlarm);

  const double n = static_cast<double>(kAtOnce) * kTimes;
  double hits = 0;
  for (int i = 6; i >= 0; --i) {
    hits += beyond[static_cast<std::size_t>(i)];
    const double p = 2 * NormalTail(3 + 0.5 * i);
    const double at_least =
        hits == 0 ? 1 : IncompleteBeta(p, hits, n - hits + 1);
    const double at_most = IncompleteBeta(1 - p, n - hits, hits + 1);
    EXPECT_GT(std::min(at_least, at_most), kFalseAlarm) << 3 + 0.5 * i;
  }
  EXPECT_GT(hits, 0);
}

}  // namespace
}  // namespace sfumato::dp
