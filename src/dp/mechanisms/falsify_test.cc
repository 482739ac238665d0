#include <cmath>
#include <vector>

#include "dp/mechanisms/falsify_testing.h"
#include "gtest/gtest.h"

namespace sfumato::dp {
namespace {

TEST(FalsifyTest, ChiSquareAgreesWithItsClosedForms) {
  // Two degrees of freedom: e^(-x/2). One: erfc(sqrt(x/2)).
  EXPECT_NEAR(UpperGamma(1, 20), std::exp(-20.0), 1e-20);
  EXPECT_NEAR(UpperGamma(0.5, 3), std::erfc(std::sqrt(3.0)), 1e-12);
  EXPECT_NEAR(UpperGamma(0.5, 0.2), std::erfc(std::sqrt(0.2)), 1e-12);
  // Four: (1 + x/2) e^(-x/2).
  EXPECT_NEAR(UpperGamma(2, 9), 10 * std::exp(-9.0), 1e-12);
}

TEST(FalsifyTest, ClopperPearsonAgreesWithClosedForms) {
  // No hit in n tries: (1 - p)^n = alarm. One try, one hit: p = alarm.
  EXPECT_NEAR(UpperBound({.hits = 0, .misses = 100}, 1e-3),
              1 - std::pow(1e-3, 0.01), 1e-9);
  EXPECT_NEAR(LowerBound({.hits = 1, .misses = 0}, 1e-3), 1e-3, 1e-9);
  // One hit in two: P(at least one) = 1 - (1-p)^2 = alarm.
  EXPECT_NEAR(LowerBound({.hits = 1, .misses = 1}, 0.19), 0.1, 1e-9);
}

TEST(FalsifyTest, ExactGaussianDeltaMatchesThePublishedCalibration) {
  // sigma 3.73063 at epsilon 1 and 0.49989 at epsilon 10 give delta 1e-5.
  EXPECT_NEAR(ExactGaussianDelta(1 / 3.73063, 1), 1e-5, 1e-10);
  EXPECT_NEAR(ExactGaussianDelta(1 / 0.49989, 10), 1e-5, 1e-8);
}

TEST(FalsifyTest, ACheatIsFalsifiedAndAnHonestClaimIsNot) {
  const Tries half{.hits = 50'000, .misses = 50'000};
  const Tries third{.hits = 33'333, .misses = 66'667};
  EXPECT_FALSE(Falsified(half, third, std::log(1.5), 0));
  EXPECT_TRUE(Falsified(half, third, std::log(1.4), 0));
}

}  // namespace
}  // namespace sfumato::dp
