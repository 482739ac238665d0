#include "census/answer/noise_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/error_testing.h"
#include "base/json.h"

namespace sfumato::census {
namespace {

constexpr NoiseLaw kLaplace{.kind = NoiseKind::kLaplace, .parameter = 2};
constexpr NoiseLaw kGaussian{.kind = NoiseKind::kGaussian, .parameter = 1.5};

TEST(NoiseLawTest, LaplaceMatchesAPencil) {
  // q = exp(-1/2): P(0) = (1 - q) / (1 + q), P(3) = P(0) q³,
  // P(≥ 1) = q / (1 + q).
  const double q = std::exp(-0.5);
  EXPECT_NEAR(Pmf(kLaplace, 0), (1 - q) / (1 + q), 1e-15);
  EXPECT_NEAR(Pmf(kLaplace, -3), (1 - q) / (1 + q) * q * q * q, 1e-15);
  EXPECT_NEAR(TailFrom(kLaplace, 1), q / (1 + q), 1e-15);
  EXPECT_NEAR(TailFrom(kLaplace, 0), 1 / (1 + q), 1e-15);
  EXPECT_NEAR(DeviationOf(kLaplace), std::sqrt(2 * q) / (1 - q), 1e-12);
}

TEST(NoiseLawTest, TailsAndDeviationsAreSumsOfTheirPmf) {
  for (const NoiseLaw& law :
       {kLaplace, kGaussian,
        NoiseLaw{.kind = NoiseKind::kGaussian, .parameter = 0.3}}) {
    double all = 0;
    double square = 0;
    for (std::int64_t x = -200; x <= 200; ++x) {
      all += Pmf(law, x);
      square += static_cast<double>(x * x) * Pmf(law, x);
    }
    EXPECT_NEAR(all, 1, 1e-12);
    EXPECT_NEAR(DeviationOf(law), std::sqrt(square), 1e-12);
    for (const std::int64_t from : {-7, 0, 1, 9}) {
      double tail = 0;
      for (std::int64_t x = 200; x >= from; --x) tail += Pmf(law, x);
      EXPECT_NEAR(TailFrom(law, from), tail, 1e-12);
    }
  }
}

TEST(NoiseLawTest, QuantilesAreTheLeastNumbersThatReachTheirChance) {
  for (const NoiseLaw& law : {kLaplace, kGaussian}) {
    for (const double chance : {0.001, 0.025, 0.5, 0.975, 0.9999}) {
      const std::int64_t x = QuantileOf(law, chance);
      EXPECT_GE(1 - TailFrom(law, x + 1), chance);
      EXPECT_LT(1 - TailFrom(law, x), chance);
    }
  }
  EXPECT_EQ(QuantileOf(kLaplace, 0.5), 0);
  EXPECT_EQ(QuantileOf({}, 0.99), 0);
}

// Chi-square of 9 cells and 20,000 draws of a fixed seed: above 27.9 with
// probability 0.0005 if the draws are right.
TEST(NoiseLawTest, DrawsFollowTheLaw) {
  for (const NoiseLaw& law : {kLaplace, kGaussian}) {
    base::Rng rng(3, {static_cast<std::uint64_t>(law.kind)});
    std::map<std::int64_t, double> seen;
    constexpr int kDraws = 20'000;
    for (int i = 0; i < kDraws; ++i) {
      ++seen[std::clamp<std::int64_t>(Draw(law, rng), -4, 4)];
    }
    double chi = 0;
    for (std::int64_t x = -4; x <= 4; ++x) {
      const double chance = x == -4  ? 1 - TailFrom(law, -3)
                            : x == 4 ? TailFrom(law, 4)
                                     : Pmf(law, x);
      chi += std::pow(seen[x] - kDraws * chance, 2) / (kDraws * chance);
    }
    EXPECT_LT(chi, 27.9);
  }
}

TEST(NoiseLawTest, ComesBackFromJsonAndRefusesWhatIsNoLaw) {
  const NoiseLaw back = NoiseLawFromJson(ToJson(kGaussian), "x");
  EXPECT_EQ(back.kind, NoiseKind::kGaussian);
  EXPECT_EQ(back.parameter, 1.5);
  for (const char* text : {"3", "{}", R"({"kind": "laplace", "parameter": 2})",
                           R"({"kind": "discrete_laplace", "parameter": 0})",
                           R"({"kind": "discrete_laplace", "parameter": -1})",
                           R"({"kind": "discrete_laplace", "parameter": "2"})",
                           R"({"kind": "none", "parameter": 2})"}) {
    const Error error =
        Thrown([&] { NoiseLawFromJson(base::ParseJson(text), "census.json"); });
    EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << text;
    EXPECT_EQ(error.where(), "census.json");
  }
}

}  // namespace
}  // namespace sfumato::census
