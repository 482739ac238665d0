#include "eval/exposure.h"

#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/random.h"
#include "gtest/gtest.h"

namespace sfumato::eval {
namespace {

double Phi(double u) { return 0.5 * std::erfc(-u / std::sqrt(2.0)); }

TEST(ExposureTest, IsTheBitsByWhichTheRankIsBelowChance) {
  // Seven alternatives: log2 8 = 3 bits at most.
  const std::vector<double> others = {10, 20, 30, 40, 50, 60, 70};
  const std::vector<double> canaries = {5, 25, 45, 99};
  const ExposureTable table = Exposures(canaries, others);
  EXPECT_EQ(table.alternatives, 7);
  EXPECT_DOUBLE_EQ(table.most, 3);
  EXPECT_EQ(table.canaries[0].rank, 1);
  EXPECT_DOUBLE_EQ(table.canaries[0].exposure, 3);
  EXPECT_EQ(table.canaries[1].rank, 3);
  EXPECT_DOUBLE_EQ(table.canaries[1].exposure, 3 - std::log2(3.0));
  EXPECT_EQ(table.canaries[2].rank, 5);
  EXPECT_EQ(table.canaries[3].rank, 8);
  EXPECT_DOUBLE_EQ(table.canaries[3].exposure, 0);
  EXPECT_DOUBLE_EQ(table.largest, 3);
  EXPECT_DOUBLE_EQ(table.mean,
                   (3 + 3 - std::log2(3.0) + 3 - std::log2(5.0)) / 4);
}

TEST(ExposureTest, AModelThatKnowsNothingExposesNothing) {
  const std::vector<double> same(9, 7.0);
  const ExposureTable table = Exposures({{7.0}}, same);
  EXPECT_EQ(table.canaries[0].rank, 10);
  EXPECT_DOUBLE_EQ(table.canaries[0].exposure, 0);
  EXPECT_FALSE(table.fitted);
  EXPECT_TRUE(std::isnan(table.canaries[0].extrapolated));
}

TEST(ExposureTest, ByChanceIsTheMeanOverAllRanks) {
  // log2 4, log2 4/2, log2 4/3, log2 4/4.
  const std::vector<double> others = {1, 2, 3};
  EXPECT_NEAR(Exposures({{0.0}}, others).by_chance,
              (2 + 1 + std::log2(4.0 / 3)) / 4, 1e-12);
}

TEST(ExposureTest, RefusesNothingToRankAndWhatIsNotFinite) {
  const std::vector<double> one = {1};
  const std::vector<double> none = {};
  EXPECT_THROW(Exposures(none, one), Error);
  EXPECT_THROW(Exposures(one, none), Error);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    const std::vector<double> wrong = {1, bad};
    EXPECT_THROW(Exposures(wrong, one), Error);
    EXPECT_THROW(Exposures(one, wrong), Error);
  }
}

TEST(SkewNormalTest, TailsAreThoseOfClosedForms) {
  // Shape 0 is the normal; 1 is the larger of two normals, -1 the smaller.
  for (const double u : {-20.0, -9.0, -5.0, -1.0, -0.3, 0.0, 0.8, 3.0}) {
    const double x = 10 + 2 * u;
    const double plain = std::log(Phi(u));
    const auto at = [&](double shape) {
      return SkewNormal{.location = 10, .scale = 2, .shape = shape}.LogCdf(x);
    };
    EXPECT_NEAR(at(0), plain, 1e-6 * (1 - plain)) << u;
    EXPECT_NEAR(at(1), 2 * plain, 1e-6 * (1 - plain)) << u;
    EXPECT_NEAR(at(-1), plain + std::log(2 - Phi(u)), 1e-6 * (1 - plain)) << u;
  }
  // Half of a skew normal lies on each side of 0 as its angle says: the mass
  // below its location is 1/2 - atan(shape)/π.
  EXPECT_NEAR(std::exp(SkewNormal{.shape = 12}.LogCdf(0)),
              0.5 - std::atan(12.0) / std::acos(-1.0), 1e-6);
}

TEST(SkewNormalTest, IsFoundAgainInItsOwnDraws) {
  // (|v| d + w √(1 - d²)) with d = 3/√10 has shape 3 (Azzalini 1985).
  base::Rng random(4, {base::Key("skew normal")});
  const double d = 3 / std::sqrt(10.0);
  std::vector<double> sample;
  for (int i = 0; i < 5000; ++i) {
    const double v = std::abs(random.Normal());
    sample.push_back(50 + 4 * (d * v + std::sqrt(1 - d * d) * random.Normal()));
  }
  const SkewNormal fit = FitSkewNormal(sample);
  EXPECT_NEAR(fit.location, 50, 0.5);
  EXPECT_NEAR(fit.scale, 4, 0.4);
  EXPECT_NEAR(fit.shape, 3, 0.9);
  EXPECT_LT(DistanceFrom(fit, sample), 1.358 / std::sqrt(5000.0));
  // A uniform sample is none: its distance from a normal is 0.057.
  std::vector<double> flat;
  for (int i = 0; i < 1000; ++i) flat.push_back(i);
  EXPECT_GT(DistanceFrom(FitSkewNormal(flat), flat), 0.05);
}

TEST(SkewNormalTest, ExtendsRanksBeyondTheSample) {
  base::Rng random(5, {base::Key("alternatives")});
  std::vector<double> others;
  for (int i = 0; i < 5000; ++i) others.push_back(random.Normal(80, 5));
  const ExposureTable table = Exposures({{80.0, 40.0}}, others);
  EXPECT_LT(table.fit_distance, table.fit_limit);
  // The middle is one bit. Eight deviations below it Φ is 6.2e-16, 50.5 bits;
  // skewness is known to √(6/5000), which moves the tail by some bits.
  EXPECT_NEAR(table.canaries[0].extrapolated, 1, 0.05);
  EXPECT_NEAR(table.canaries[1].extrapolated, 50.5, 10);
  EXPECT_DOUBLE_EQ(table.canaries[1].exposure, std::log2(5001.0));
}

TEST(ExposureBoundTest, IsTheLeastOfWhatItsGuaranteesSay) {
  const std::vector<PrivacyPoint> points = {
      {.epsilon = std::log(4.0), .delta = 0.001}, {.epsilon = 0, .delta = 0.2}};
  // 4/16 + 0.001 and 1/16 + 0.2; at ten bits 4/1024 + 0.001.
  EXPECT_NEAR(ChanceOfExposure(points, 4), 0.251, 1e-12);
  EXPECT_NEAR(ChanceOfExposure(points, 10), 4.0 / 1024 + 0.001, 1e-12);
  EXPECT_NEAR(ChanceOfExposure(points, 1), 0.7, 1e-12);
  EXPECT_EQ(ChanceOfExposure(points, 0), 1);
  const PrivacyPoint nothing{.epsilon = std::numeric_limits<double>::infinity(),
                             .delta = 1e-3};
  EXPECT_EQ(ChanceOfExposure({&nothing, 1}, 13), 1);
  EXPECT_EQ(ExpectedExposure({&nothing, 1}, 13), 13);
  const PrivacyPoint unknown{.epsilon =
                                 std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(ChanceOfExposure({&unknown, 1}, 13), 1);
  EXPECT_EQ(ExpectedExposure({&unknown, 1}, 13), 13);
}

// min(1, e^epsilon 2^-t + delta) over t from 0 to `most`, by hand: one up to
// where the bound begins to say something, then falling.
double Integral(const PrivacyPoint& point, double most) {
  const double ln2 = std::log(2.0);
  const double begin = (point.epsilon - std::log1p(-point.delta)) / ln2;
  if (begin > most) return most;
  return begin + point.delta * (most - begin) +
         (std::exp(point.epsilon - begin * ln2) -
          std::exp(point.epsilon - most * ln2)) /
             ln2;
}

TEST(ExposureBoundTest, TheMeanIsTheIntegralOfTheChances) {
  for (const PrivacyPoint point : {PrivacyPoint{.epsilon = 0, .delta = 0},
                                   PrivacyPoint{.epsilon = 2, .delta = 0.01},
                                   PrivacyPoint{.epsilon = 8.9, .delta = 0.1},
                                   PrivacyPoint{.epsilon = 9.5, .delta = 0}}) {
    const double exact = Integral(point, 13);
    const double shown = ExpectedExposure({&point, 1}, 13);
    EXPECT_GE(shown, exact - 1e-9) << point.epsilon;  // a bound, never below
    EXPECT_NEAR(shown, exact, 1e-3) << point.epsilon;
  }
}

TEST(ExposureBoundTest, EachBitIsBoundedByTheGuaranteeThatSaysMostOfIt) {
  const std::vector<PrivacyPoint> points = {
      {.epsilon = std::log(4.0), .delta = 0.001}, {.epsilon = 0, .delta = 0.2}};
  // They cross where 3 · 2^-t = 0.199: before it the second is less.
  const double ln2 = std::log(2.0);
  const double cross = std::log2(3 / 0.199);
  const double second = Integral(points[1], cross);
  const double first =
      0.001 * (13 - cross) + 4 * (0.199 / 3 - std::exp(-13 * ln2)) / ln2;
  EXPECT_NEAR(ExpectedExposure(points, 13), first + second, 1e-3);
  EXPECT_LT(first + second,
            std::min(Integral(points[0], 13), Integral(points[1], 13)) - 0.1);
}

// How often the canary is the first of three after a release that gives the
// canary away with chance `away` and knows nothing of it otherwise.
double ChanceOfFirst(double away) {
  base::Rng random(6, {base::Key("given away")});
  int exposed = 0;
  constexpr int kTrials = 4000;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> scores(3);
    for (double& score : scores) score = random.Uniform();
    if (random.Bernoulli(away)) scores[0] = -1;
    const ExposureTable table =
        Exposures({scores.data(), 1}, {scores.data() + 1, 2});
    exposed += table.canaries[0].exposure >= table.most ? 1 : 0;
  }
  return exposed / static_cast<double>(kTrials);
}

TEST(ExposureBoundTest, HoldsForAPrivateReleaseAndCatchesAnOpenOne) {
  // (0, δ)-DP with δ that chance: at most 1/3 + δ. Five deviations of 4,000
  // trials are 0.03: once in three million.
  const PrivacyPoint point{.epsilon = 0, .delta = 0.1};
  const double bound = ChanceOfExposure({&point, 1}, std::log2(3.0));
  EXPECT_LT(ChanceOfFirst(0.1), bound + 0.04);
  EXPECT_GT(ChanceOfFirst(0.5), bound + 0.04);
}

}  // namespace
}  // namespace sfumato::eval
