#include "dp/mechanisms/discrete_gaussian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "dp/mechanisms/falsify_testing.h"

namespace sfumato::dp {
namespace {

// How likely a law proportional to `weight` gives samples at least this odd:
// chi-square over -reach … reach, the ends taking what lies beyond. At most a
// few hundred bins, so that each expects many.
double PValue(const std::function<std::int64_t()>& sample,
              const std::function<long double(std::int64_t)>& weight,
              std::int64_t reach, int n) {
  const std::int64_t width = std::max<std::int64_t>(1, reach / 100);
  const auto bin = [&](std::int64_t x) {
    return static_cast<std::size_t>((std::clamp(x, -reach, reach) + reach) /
                                    width);
  };
  std::vector<double> counts(bin(reach) + 1);
  std::vector<double> shares(bin(reach) + 1);
  long double total = 0;
  for (std::int64_t x = -3 * reach; x <= 3 * reach; ++x) total += weight(x);
  for (std::int64_t x = -3 * reach; x <= 3 * reach; ++x) {
    shares[bin(x)] += static_cast<double>(weight(x) / total);
  }
  for (int i = 0; i < n; ++i) ++counts[bin(sample())];
  return ChiSquarePValue(counts, shares);
}

double GaussianPValue(Rational variance, double claimed_variance, int n) {
  BitStream bits = NoiseSource::Simulation(31).Stream(0);
  const DiscreteGaussianSampler sampler(variance);
  const auto v = static_cast<long double>(claimed_variance);
  return PValue([&] { return sampler(bits); },
                [&](std::int64_t x) {
                  const auto y = static_cast<long double>(x);
                  return std::exp(-y * y / (2 * v));
                },
                static_cast<std::int64_t>(6 * std::sqrt(claimed_variance)) + 3,
                n);
}

struct Case {
  Rational variance;
  double value;
};
const Case kCases[] = {
    {{.numerator = 1, .denominator = 10}, 0.1},
    {ExactRational(0.1), 0.1},
    {{.numerator = 1, .denominator = 2}, 0.5},
    {{.numerator = 1, .denominator = 1}, 1},
    {{.numerator = 5, .denominator = 2}, 2.5},
    {{.numerator = 10'000, .denominator = 100}, 100},
    {ExactRational(12'345.678), 12'345.678},
    {{.numerator = 1'000'000, .denominator = 1}, 1e6},
};

TEST(DiscreteGaussianSamplerTest, HasExactlyTheProbabilitiesOfTheFormula) {
  for (const Case& c : kCases) {
    EXPECT_GT(GaussianPValue(c.variance, c.value, 100'000), kFalseAlarm)
        << c.value;
  }
}

TEST(DiscreteGaussianSamplerTest,
     TheTestCatchesADeviationTooSmallByTenPerCent) {
  for (const Case& c : kCases) {
    EXPECT_LT(GaussianPValue(c.variance, c.value / 0.81, 100'000), kFalseAlarm)
        << c.value;
  }
}

TEST(DiscreteGaussianSamplerTest, RefusesWhatItCannotMake) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (const Rational bad :
       std::vector<Rational>{{.numerator = 0},
                             {.numerator = 1, .denominator = 0},
                             {.numerator = 1, .denominator = most},
                             {.numerator = most, .denominator = 3},
                             {.numerator = most}}) {
    ExpectBadInput([&] { DiscreteGaussianSampler sampler(bad); }, "variance");
  }
}

TEST(DiscreteGaussianSamplerTest, TakesEveryDoubleFromAHundredthTo2To52) {
  base::Rng rng(32);
  BitStream bits = NoiseSource::Simulation(33).Stream(0);
  for (int i = 0; i < 2000; ++i) {
    const double variance = std::exp2(rng.Uniform(std::log2(0.01), 52));
    const DiscreteGaussianSampler sampler(ExactRational(variance));
    // Twelve deviations: once in 10^32.
    EXPECT_LE(static_cast<double>(std::abs(sampler(bits))),
              12 * std::sqrt(variance) + 1);
  }
}

double LaplacePValue(Rational scale, double claimed_scale) {
  BitStream bits = NoiseSource::Simulation(34).Stream(0);
  return PValue(
      [&] { return SampleDiscreteLaplace(scale, bits); },
      [&](std::int64_t x) {
        return std::exp(-std::abs(static_cast<long double>(x)) / claimed_scale);
      },
      static_cast<std::int64_t>(20 * claimed_scale) + 3, 100'000);
}

TEST(DiscreteLaplaceTest, HasExactlyTheProbabilitiesOfTheFormula) {
  EXPECT_GT(LaplacePValue({.numerator = 1, .denominator = 3}, 1 / 3.0),
            kFalseAlarm);
  EXPECT_GT(LaplacePValue({.numerator = 1}, 1), kFalseAlarm);
  EXPECT_GT(LaplacePValue({.numerator = 7, .denominator = 2}, 3.5),
            kFalseAlarm);
  EXPECT_GT(LaplacePValue({.numerator = 1000}, 1000), kFalseAlarm);
}

TEST(DiscreteLaplaceTest, TheTestCatchesAScaleTooSmallByTenPerCent) {
  EXPECT_LT(LaplacePValue({.numerator = 7, .denominator = 2}, 3.5 / 0.9),
            kFalseAlarm);
}

TEST(DiscreteLaplaceTest, RefusesAScaleThatIsNone) {
  BitStream bits = NoiseSource::Simulation(1).Stream(0);
  for (const Rational bad :
       {Rational{.numerator = 0}, Rational{.numerator = 1, .denominator = 0},
        Rational{.numerator = std::uint64_t{1} << 31}}) {
    ExpectBadInput([&] { SampleDiscreteLaplace(bad, bits); }, "scale");
  }
}

TEST(BernoulliExpTest, SurvivesAsOftenAsTheExponentialSays) {
  BitStream bits = NoiseSource::Simulation(35).Stream(0);
  for (const Rational gamma :
       {Rational{.numerator = 0}, Rational{.numerator = 3, .denominator = 10},
        Rational{.numerator = 1}, Rational{.numerator = 5, .denominator = 2},
        Rational{.numerator = 7}}) {
    const double p = std::exp(-static_cast<double>(gamma.numerator) /
                              static_cast<double>(gamma.denominator));
    std::vector<double> counts(2);
    for (int i = 0; i < 100'000; ++i) ++counts[SampleBernoulliExp(gamma, bits)];
    EXPECT_GT(ChiSquarePValue(counts, std::vector<double>{1 - p, p}),
              kFalseAlarm)
        << p;
  }
}

TEST(ExactRationalTest, IsTheDoubleItself) {
  // 0.1 is 3602879701896397 / 2^55.
  EXPECT_EQ(ExactRational(0.1).numerator, 3602879701896397u);
  EXPECT_EQ(ExactRational(0.1).denominator, std::uint64_t{1} << 55);
  EXPECT_EQ(ExactRational(6.25).numerator, 25u);
  EXPECT_EQ(ExactRational(6.25).denominator, 4u);
  EXPECT_EQ(ExactRational(0x1p60).numerator, std::uint64_t{1} << 60);
  EXPECT_EQ(ExactRational(0x1p60).denominator, 1u);
  for (const double bad : {0.0, -1.0, 1e-30, 1e30, std::nan(""), HUGE_VAL}) {
    ExpectBadInput([&] { ExactRational(bad); }, "no such fraction");
  }
}

}  // namespace
}  // namespace sfumato::dp
