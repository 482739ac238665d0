#include "dp/accounting/privacy_loss.h"

#include <cmath>
#include <functional>
#include <numbers>

#include "base/error.h"
#include "dp/accounting/composition.h"
#include "gtest/gtest.h"

namespace sfumato::dp {
namespace {

using Density = std::function<double(double)>;

double Normal(double x) {
  return std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
}
double LaplaceDensity(double x) { return 0.5 * std::exp(-std::abs(x)); }

Density Shifted(const Density& density, double shift) {
  return [=](double x) { return density(x - shift); };
}
Density Mixed(const Density& a, const Density& b, double rate) {
  return [=](double x) { return (1 - rate) * a(x) + rate * b(x); };
}

// The tails by brute force: sums over a fine grid of outputs.
Tails Brute(const Density& p, const Density& q, double loss) {
  Tails tails;
  const double h = 1e-4;
  for (double x = -25 + h / 2; x < 25; x += h) {
    if (p(x) > std::exp(loss) * q(x)) {
      tails.p += p(x) * h;
      tails.q += q(x) * h;
    }
  }
  return tails;
}

void ExpectTails(const PrivacyLoss& loss, const Density& p, const Density& q,
                 std::initializer_list<double> thresholds) {
  for (const double threshold : thresholds) {
    SCOPED_TRACE(threshold);
    const Tails ours = loss.Above(threshold);
    const Tails brute = Brute(p, q, threshold);
    EXPECT_NEAR(ours.p, brute.p, 1e-4);
    EXPECT_NEAR(ours.q, brute.q, 1e-4);
  }
}

TEST(PrivacyLossTest, PoissonSampledGaussianInBothDirections) {
  const Event event{.mechanism = Gaussian{0.8}, .sampling = Poisson{0.3}};
  const Density without = Normal;
  const Density with = Mixed(Normal, Shifted(Normal, 1.25), 0.3);
  ExpectTails(PrivacyLoss(event, Direction::kRemove), with, without,
              {-0.4, -0.2, 0, 0.1, 0.5, 1.5});
  ExpectTails(PrivacyLoss(event, Direction::kAdd), without, with,
              {-1, -0.3, 0, 0.1, 0.3, 0.4});
}

TEST(PrivacyLossTest, PoissonSampledLaplace) {
  const Event event{.mechanism = Laplace{0.5}, .sampling = Poisson{0.2}};
  const Density with = Mixed(LaplaceDensity, Shifted(LaplaceDensity, 2.0), 0.2);
  ExpectTails(PrivacyLoss(event, Direction::kRemove), with, LaplaceDensity,
              {-0.19, -0.1, 0, 0.2, 0.8, 0.9});
  ExpectTails(PrivacyLoss(event, Direction::kAdd), LaplaceDensity, with,
              {-0.9, -0.5, 0, 0.1, 0.18, 0.3});
}

TEST(PrivacyLossTest, FixedSizeSamplingTakesTheLargerProfile) {
  const Event event{.mechanism = Gaussian{1.6},
                    .sampling = FixedSize{3, 10},
                    .adjacency = Adjacency::kReplaceOne};
  // A replaced user moves the sum by 2S: 2 / 1.6 deviations.
  const Density without = Normal;
  const Density with = Mixed(Normal, Shifted(Normal, 1.25), 0.3);
  const PrivacyLoss loss(event, Direction::kRemove);
  ExpectTails(loss, with, without, {0, 0.2, 1.0});
  ExpectTails(loss, without, with, {-1.0, -0.2});
  // delta(l) = P - e^l Q: larger than either direction's, everywhere.
  const PrivacyLoss remove(
      {.mechanism = Gaussian{0.8}, .sampling = Poisson{0.3}},
      Direction::kRemove);
  const PrivacyLoss add({.mechanism = Gaussian{0.8}, .sampling = Poisson{0.3}},
                        Direction::kAdd);
  for (double l = -3; l < 3; l += 0.125) {
    const auto delta = [l](const PrivacyLoss& one) {
      return one.Above(l).p - std::exp(l) * one.Above(l).q;
    };
    EXPECT_GE(delta(loss), delta(remove) - 1e-12) << l;
    EXPECT_GE(delta(loss), delta(add) - 1e-12) << l;
  }
}

TEST(PrivacyLossTest, PoissonWithReplaceOneComparesOppositeContributions) {
  const Event event{.mechanism = Gaussian{0.8},
                    .sampling = Poisson{0.3},
                    .adjacency = Adjacency::kReplaceOne};
  ExpectTails(PrivacyLoss(event, Direction::kRemove),
              Mixed(Normal, Shifted(Normal, 1.25), 0.3),
              Mixed(Normal, Shifted(Normal, -1.25), 0.3),
              {-2, -0.5, 0, 0.1, 0.7, 3});
}

TEST(PrivacyLossTest, RevealedSamplingLosesNothingWithoutTheRecord) {
  const Event event{.mechanism = Gaussian{2}, .sampling = Revealed{0.25}};
  const PrivacyLoss loss(event, Direction::kRemove);
  const PrivacyLoss plain({.mechanism = Gaussian{2}}, Direction::kRemove);
  EXPECT_DOUBLE_EQ(loss.Above(0.1).p, 0.25 * plain.Above(0.1).p);
  EXPECT_DOUBLE_EQ(loss.Above(-0.1).p, 0.75 + 0.25 * plain.Above(-0.1).p);
}

TEST(PrivacyLossTest, BoundsHoldTheLoss) {
  for (const Direction direction : {Direction::kRemove, Direction::kAdd}) {
    const PrivacyLoss loss({.mechanism = Gaussian{1}, .sampling = Poisson{0.1}},
                           direction);
    EXPECT_LE(loss.Above(loss.High(1e-12)).p, 1e-12);
    EXPECT_LE(1 - loss.Above(loss.Low()).p, 1e-15);
  }
}

TEST(CompositionTest, BothDirectionsAgreeWithIntegrationOverThePlane) {
  const double h = 0.01;
  const double epsilon = 0.15;
  const Density with = Mixed(Normal, Shifted(Normal, 1.25), 0.2);
  std::vector<double> p;
  std::vector<double> q;
  for (double x = -8; x < 10; x += h) {
    p.push_back(with(x) * h);
    q.push_back(Normal(x) * h);
  }
  double remove = 0;
  double add = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = 0; j < p.size(); ++j) {
      const double a = p[i] * p[j];
      const double b = q[i] * q[j];
      remove += std::max(0.0, a - std::exp(epsilon) * b);
      add += std::max(0.0, b - std::exp(epsilon) * a);
    }
  }
  const Event event{.mechanism = Gaussian{0.8}, .sampling = Poisson{0.2}};
  const Term removed{PrivacyLoss(event, Direction::kRemove), 2};
  const Term added{PrivacyLoss(event, Direction::kAdd), 2};
  EXPECT_NEAR(ComposedDelta({&removed, 1}, epsilon), remove, 2e-3 * remove);
  EXPECT_NEAR(ComposedDelta({&added, 1}, epsilon), add, 2e-3 * add);
  EXPECT_GT(std::abs(remove - add), 0.02 * remove);
}

TEST(CompositionTest, LossesLargerThanTheirMassAllowsCountAgainstDelta) {
  // Half of delta goes to revealed secrets; the rest pays for the noise.
  const Event event{.mechanism = Approximate{.epsilon = 0.5, .delta = 5e-7}};
  const Term term{PrivacyLoss(event, Direction::kRemove), 1};
  EXPECT_NEAR(ComposedDelta({&term, 1}, 0.5), 5e-7, 1e-9);
  EXPECT_NEAR(ComposedEpsilon({&term, 1}, 1e-6), 0.5, 1e-3);
}

}  // namespace
}  // namespace sfumato::dp
