#include "dp/accounting/gaussian.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "gtest/gtest.h"

namespace sfumato::dp {
namespace {

struct Row {
  double mu, delta, epsilon;
};

// Theorem 8 solved with 60 digits (mpmath: 180 bisections of the difference of
// two normal tails).
constexpr Row kSixtyDigits[] = {
    {1e-6, 1e-300, 0.000036574312514248888919},
    {1e-6, 1e-100, 0.000020468473177623642754},
    {1e-6, 1e-30, 9.9714081729208040905e-6},
    {1e-6, 1e-12, 4.4248927590894822538e-6},
    {1e-6, 1e-5, 0.0},
    {1e-6, 1e-3, 0.0},
    {1e-6, 0.1, 0.0},
    {1e-6, 0.9, 0.0},
    {1e-3, 1e-300, 0.036762916699487861},
    {1e-3, 1e-100, 0.020802174114967862063},
    {1e-3, 1e-30, 0.010630424679403256004},
    {1e-3, 1e-12, 0.0056995464684262820959},
    {1e-3, 1e-5, 0.001938724969860109964},
    {1e-3, 1e-3, 0.0},
    {1e-3, 0.1, 0.0},
    {1e-3, 0.9, 0.0},
    {0.03, 1e-300, 1.106089857341221545},
    {0.03, 1e-100, 0.62936224813826531699},
    {0.03, 1e-30, 0.32864557637761715891},
    {0.03, 1e-12, 0.18764636556938597281},
    {0.03, 1e-5, 0.091538872672210310206},
    {0.03, 1e-3, 0.043580030422493876203},
    {0.03, 0.1, 0.0},
    {0.03, 0.9, 0.0},
    {0.5, 1e-300, 18.59023429729775558},
    {0.5, 1e-100, 10.672945439809632595},
    {0.5, 1e-30, 5.7182965818081069591},
    {0.5, 1e-12, 3.4490521504828077675},
    {0.5, 1e-5, 1.9930914044151196311},
    {0.5, 1e-3, 1.3522762448025541674},
    {0.5, 0.1, 0.28649610175682590251},
    {0.5, 0.9, 0.0},
    {1, 1e-300, 37.448847912139104941},
    {1, 1e-100, 21.62750809364838221},
    {1, 1e-30, 11.743883025231736254},
    {1, 1e-12, 7.2384944201788583599},
    {1, 1e-5, 4.3771780956812246277},
    {1, 1e-3, 3.1386705485829392086},
    {1, 0.1, 1.1603338527916172284},
    {1, 0.9, 0.0},
    {1.7, 1e-300, 64.281578142767056427},
    {1.7, 1e-100, 37.40177536450342474},
    {1.7, 1e-30, 20.630425442547251752},
    {1.7, 1e-12, 13.008840739888207267},
    {1.7, 1e-5, 8.1977277453109863916},
    {1.7, 1e-3, 6.1338866632768831295},
    {1.7, 0.1, 2.897738199132567403},
    {1.7, 0.9, 0.0},
    {10, 1e-300, 420.05299591238118867},
    {10, 1e-100, 262.19869684179679312},
    {10, 1e-30, 163.97439472577357817},
    {10, 1e-12, 119.58840871231335971},
    {10, 1e-5, 91.817289624663744685},
    {10, 1e-3, 80.032526094150492363},
    {10, 0.1, 61.876967460402057483},
    {10, 0.9, 36.118946248871308059},
    {300, 1e-300, 56113.185983024678407},
    {300, 1e-100, 51381.069935358014204},
    {300, 1e-30, 48438.226043378590277},
    {300, 1e-12, 47109.356695104587312},
    {300, 1e-5, 46278.474283239387617},
    {300, 1e-3, 45926.074810745109005},
    {300, 0.1, 45383.467603181578135},
    {300, 0.9, 44614.532392060350992},
    {1e4, 1e-300, 50370469.964841407825},
    {1e4, 1e-100, 50212733.536671823106},
    {1e4, 1e-30, 50114639.247457203012},
    {1e4, 1e-12, 50070343.838604573978},
    {1e4, 1e-5, 50042647.908152415504},
    {1e4, 1e-3, 50030901.323216161257},
    {1e4, 0.1, 50012814.515719521441},
    {1e4, 0.9, 49987183.484280474276},
    {1e6, 1e-300, 500037047095.29937972},
    {1e6, 1e-100, 500021273452.56097596},
    {1e6, 1e-30, 500011464023.68844935},
    {1e6, 1e-12, 500007034482.82530465},
    {1e6, 1e-5, 500004264889.79392496},
    {1e6, 1e-3, 500003090231.30616936},
    {1e6, 0.1, 500001281550.56554524},
    {1e6, 0.9, 499998718447.43445476},
};

TEST(GaussianTest, EpsilonAgreesWithSixtyDigitsFromTinyToHugeMu) {
  for (const auto& [mu, delta, epsilon] : kSixtyDigits) {
    const double ours = GaussianEpsilon(mu, delta);
    EXPECT_NEAR(ours, epsilon, 1e-11 * epsilon) << mu << " " << delta;
    // Never below the truth, beyond the rounding of the printed value.
    EXPECT_GE(ours, epsilon * (1 - 3e-16)) << mu << " " << delta;
  }
}

TEST(GaussianTest, DeltaAgreesWithTheSameRows) {
  for (const auto& [mu, delta, epsilon] : kSixtyDigits) {
    if (epsilon == 0) continue;
    // epsilon is rounded to a double; that moves delta by about
    // epsilon/mu x ulp(epsilon)/mu relatively.
    const double x = std::abs(epsilon / mu - mu / 2) + 1;
    const double tolerance = 1e-12 + x * epsilon / mu * 1e-15;
    EXPECT_NEAR(GaussianDelta(mu, epsilon) / delta, 1, tolerance)
        << mu << " " << delta;
  }
}

TEST(GaussianTest, DeltaAtZeroIsTheDistanceOfTwoNormals) {
  for (const double mu : {1e-6, 1e-3, 0.5, 1.0, 2.0, 9.0}) {
    const double distance = std::erf(mu / (2 * std::numbers::sqrt2));
    EXPECT_NEAR(GaussianDelta(mu, 0) / distance, 1, 1e-12) << mu;
    EXPECT_GE(GaussianDelta(mu, 0), distance * (1 - 1e-15)) << mu;
  }
}

// The definition: what is above e^epsilon times the other density.
double IntegratedDelta(double mu, double epsilon) {
  const int steps = 400000;
  const double low = -12, high = mu + 12, width = (high - low) / steps;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    const double t = low + (i + 0.5) * width;
    const double far = std::exp(-(t - mu) * (t - mu) / 2);
    const double near = std::exp(epsilon - t * t / 2);
    if (far > near) sum += far - near;
  }
  return sum * width / std::sqrt(2 * std::numbers::pi);
}

TEST(GaussianTest, DeltaIsTheHockeyStickDivergence) {
  for (const double mu : {0.2, 0.9, 1.1, 3.0, 6.0}) {
    for (const double epsilon : {0.0, 0.1, 1.0, 4.0}) {
      const double integrated = IntegratedDelta(mu, epsilon);
      EXPECT_NEAR(GaussianDelta(mu, epsilon), integrated,
                  1e-7 * integrated + 1e-14)
          << mu << " " << epsilon;
    }
  }
}

TEST(GaussianTest, SingleReleaseNeedsTheKnownNoise) {
  // Known values at delta 1e-5, to the digits given.
  EXPECT_NEAR(1 / GaussianMu(10, 1e-5), 0.49989, 5e-6);
  EXPECT_NEAR(1 / GaussianMu(1, 1e-5), 3.73063, 5e-6);
  EXPECT_NEAR(1 / GaussianMu(0.2, 1e-5), 16.304, 5e-4);
}

TEST(GaussianTest, MuIsTheLargestThatKeepsTheDelta) {
  for (const double epsilon : {0.0, 1e-6, 0.1, 1.0, 30.0, 1e6, 1e11}) {
    for (const double delta : {1e-300, 1e-30, 1e-9, 1e-3, 0.5}) {
      const double mu = GaussianMu(epsilon, delta);
      EXPECT_LE(GaussianDelta(mu, epsilon), delta) << epsilon << " " << delta;
      EXPECT_GT(GaussianDelta(mu * (1 + 1e-9), epsilon), delta)
          << epsilon << " " << delta;
    }
  }
}

TEST(GaussianTest, MoreMuOrLessDeltaNeverCostsLess) {
  double last = 0;
  for (double mu = 1e-6; mu < 1e6; mu *= 1.37) {
    const double epsilon = GaussianEpsilon(mu, 1e-9);
    EXPECT_GE(epsilon, last);
    EXPECT_GE(GaussianEpsilon(mu, 1e-10), epsilon);
    last = epsilon;
  }
}

TEST(GaussianTest, NoSignalCostsNothingAndNoNoiseEverything) {
  EXPECT_EQ(GaussianEpsilon(0, 1e-5), 0);
  EXPECT_EQ(GaussianDelta(0, 0), 0);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(GaussianEpsilon(infinity, 1e-5), infinity);
  EXPECT_EQ(GaussianDelta(infinity, 1), 1);
}

TEST(GaussianTest, RevealedReleasesAreAMeanOverABinomial) {
  // Two releases; rate 1/4: one 6/16, both 1/16; rate 3/4: 6/16 and 9/16.
  for (const auto& [rate, one, both] :
       {std::array{0.25, 0.375, 0.0625}, std::array{0.75, 0.375, 0.5625}}) {
    const double epsilon =
        RevealedGaussianEpsilon({.mu = 1, .rate = rate, .count = 2}, 1e-3);
    const double delta = one * GaussianDelta(1, epsilon) +
                         both * GaussianDelta(std::sqrt(2), epsilon);
    EXPECT_NEAR(delta, 1e-3, 1e-12);
    EXPECT_LE(delta, 1e-3);
  }
}

TEST(GaussianTest, RevealedReleasesAtTheirEnds) {
  EXPECT_EQ(RevealedGaussianEpsilon({.mu = 1, .rate = 1, .count = 9}, 1e-5),
            GaussianEpsilon(3, 1e-5));
  // Once in a long while: delta(0) <= rate count.
  EXPECT_EQ(
      RevealedGaussianEpsilon({.mu = 50, .rate = 1e-8, .count = 100}, 1e-5), 0);
  // A large number of small releases is nearly their mean number.
  const double many =
      RevealedGaussianEpsilon({.mu = 0.01, .rate = 0.5, .count = 10'000}, 1e-5);
  EXPECT_NEAR(many, GaussianEpsilon(0.01 * std::sqrt(5e3), 1e-5), 0.01 * many);
  EXPECT_GT(many, GaussianEpsilon(0.01 * std::sqrt(5e3), 1e-5));
}

TEST(GaussianTest, RefusesWhatIsNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(GaussianDelta(nan, 1), Error);
  EXPECT_THROW(GaussianDelta(1, nan), Error);
  EXPECT_THROW(GaussianDelta(-1, 1), Error);
  EXPECT_THROW(GaussianDelta(1, -1), Error);
  EXPECT_THROW(GaussianEpsilon(nan, 1e-5), Error);
  for (const double delta : {nan, 0.0, 1.0, -0.5, 2.0}) {
    EXPECT_THROW(GaussianEpsilon(1, delta), Error);
    EXPECT_THROW(GaussianMu(1, delta), Error);
  }
  EXPECT_THROW(GaussianMu(nan, 1e-5), Error);
  EXPECT_THROW(RevealedGaussianEpsilon({.mu = nan}, 1e-5), Error);
  EXPECT_THROW(RevealedGaussianEpsilon({.rate = nan}, 1e-5), Error);
  EXPECT_THROW(RevealedGaussianEpsilon({.rate = 0}, 1e-5), Error);
  EXPECT_THROW(RevealedGaussianEpsilon({.count = 0}, 1e-5), Error);
  EXPECT_THROW(RevealedGaussianEpsilon({.rate = 0.5}, nan), Error);
}

}  // namespace
}  // namespace sfumato::dp
