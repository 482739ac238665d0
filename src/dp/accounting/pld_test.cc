#include "dp/accounting/pld.h"

#include <cmath>
#include <complex>
#include <numbers>

#include "base/error.h"
#include "base/random.h"
#include "dp/accounting/composition.h"
#include "dp/accounting/gaussian.h"
#include "dp/accounting/rdp.h"
#include "gtest/gtest.h"

namespace sfumato::dp {
namespace {

Event PoissonRounds(double noise, double rate, std::int64_t rounds) {
  return {
      .mechanism = Gaussian{noise}, .sampling = Poisson{rate}, .count = rounds};
}

Event FixedRounds(double noise, std::int64_t cohort, std::int64_t population,
                  std::int64_t rounds) {
  return {.mechanism = Gaussian{noise},
          .sampling = FixedSize{cohort, population},
          .adjacency = Adjacency::kReplaceOne,
          .count = rounds};
}

double Epsilon(const Event& event, double delta) {
  return PldEpsilon({&event, 1}, delta);
}

// "Within 0.1 % or 1e-3 of the truth, and never below it." The truth itself is
// known to `known`.
void ExpectTightAbove(double ours, double truth, double known = 1e-9) {
  EXPECT_GE(ours, truth - known);
  EXPECT_LE(ours, truth + std::max(1e-3, 1e-3 * truth) + known);
}

// --- Independent computations -----------------------------------------------

double NormalDensity(double x) {
  return std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
}

// delta of many Poisson-sampled Gaussians by integrating over outputs and
// frequencies, without any lattice:
//   M(s) = E[e^(s L)], delta = 1/pi Re int_0^inf M(s)^T e^(-s epsilon) /
//   (s (s + 1)) dt along s = theta + i t.
// Trapezoid sums of analytic functions converge faster than any power.
class Contour {
 public:
  Contour(double noise, double rate, double rounds, bool remove)
      : rounds_(rounds) {
    const double mu = 1 / noise;
    const double x_step = 1.0 / 32;
    for (double x = -38; x <= 38 + mu; x += x_step) {
      const double loss = std::log1p(rate * std::expm1(mu * x - 0.5 * mu * mu));
      const double p =
          remove ? (1 - rate) * NormalDensity(x) + rate * NormalDensity(x - mu)
                 : NormalDensity(x);
      losses_.push_back(remove ? loss : -loss);
      weights_.push_back(p * x_step);
    }
  }

  double Delta(double epsilon) const {
    // The tilt at which the integrand is smallest in the middle; its curvature
    // there gives the frequencies that matter.
    double theta = 1e-3;
    double least = 1e300;
    for (double s = 1e-3; s < 1e5; s *= 1.05) {
      const double here = Log(s, epsilon).real();
      if (here < least) {
        least = here;
        theta = s;
      }
    }
    const double h = 0.01 * theta;
    const double curvature = (Log(theta + h, epsilon).real() +
                              Log(theta - h, epsilon).real() - 2 * least) /
                             (h * h);
    const double spread = std::sqrt(curvature);
    const double t_step = std::min(0.1 / spread, 0.1 * theta);
    double sum = 0;
    for (int k = 0; t_step * k < 30 / spread; ++k) {
      const std::complex<double> s(theta, t_step * k);
      sum += (k == 0 ? 0.5 : 1.0) * std::exp(Log(s, epsilon)).real();
    }
    return sum * t_step / std::numbers::pi;
  }

 private:
  // The integrand's logarithm.
  std::complex<double> Log(std::complex<double> s, double epsilon) const {
    std::complex<double> moment_less_one = 0;
    for (std::size_t i = 0; i < losses_.size(); ++i) {
      moment_less_one += weights_[i] * (std::exp(s * losses_[i]) - 1.0);
    }
    return rounds_ * std::log(1.0 + moment_less_one) - s * epsilon -
           std::log(s * (s + 1.0));
  }

  double rounds_;
  std::vector<double> losses_;
  std::vector<double> weights_;
};

// One Poisson-sampled Gaussian round: P's excess over e^epsilon Q on the
// outputs where it is positive.
double OneRoundDelta(double noise, double rate, double epsilon) {
  const double mu = 1 / noise;
  const auto above = [](double x) { return 0.5 * std::erfc(x / std::sqrt(2)); };
  const double x =
      (std::log((std::exp(epsilon) - 1 + rate) / rate) + 0.5 * mu * mu) / mu;
  return (1 - rate) * above(x) + rate * above(x - mu) -
         std::exp(epsilon) * above(x);
}

// --- Numbers that are known
// ---------------------------------------------------

struct Row {
  const char* name;
  std::int64_t cohort, population, rounds;
  double delta;
  double poisson;      // add-remove
  double lower_bound;  // fixed size, one direction composed
};
// privacy_facts: the first paper's eight settings.
const Row kRows[] = {
    {"3a", 1000, 250000, 1000, 4e-8, 1.032445, 10.1467},
    {"3b", 1000, 1250000, 1000, 8e-9, 0.248767, 5.7513},
    {"6", 1000, 500000, 1000, 2e-8, 0.564599, 7.4924},
    {"7a", 1000, 1708824, 1000, 0.01 / 1708824, 0.186047, 5.3725},
    {"7b", 1000, 1964706, 1000, 0.01 / 1964706, 0.163164, 5.2164},
    {"8a", 1000, 2000000, 1000, 5e-9, 0.160445, 5.1969},
    {"8b", 1000, 1930588, 1000, 0.01 / 1930588, 0.165883, 5.2357},
    {"RNN", 5000, 342477, 2000, 1.0 / 342477, 4.223231, 27.4748},
};

TEST(PldTest, FirstPaperUnderPoissonSampling) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    const double rate =
        static_cast<double>(row.cohort) / static_cast<double>(row.population);
    ExpectTightAbove(Epsilon(PoissonRounds(1, rate, row.rounds), row.delta),
                     row.poisson, 5e-6 + 1e-4 * row.poisson);
  }
}

TEST(PldTest, FirstPaperUnderFixedSizeSamplingIsTheHybrid) {
  const std::pair<int, double> hybrid[] = {
      {0, 10.564}, {1, 5.787}, {5, 5.213}, {7, 32.117}};
  for (const auto& [index, epsilon] : hybrid) {
    const Row& row = kRows[index];
    SCOPED_TRACE(row.name);
    const double ours = Epsilon(
        FixedRounds(1, row.cohort, row.population, row.rounds), row.delta);
    ExpectTightAbove(ours, epsilon, 1e-3);
    EXPECT_GT(ours, row.lower_bound);
  }
}

TEST(PldTest, OneDirectionOfFixedSizeSamplingIsTheAttainedLowerBound) {
  // With half the noise, Poisson sampling composes just that pair.
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    const double rate =
        static_cast<double>(row.cohort) / static_cast<double>(row.population);
    ExpectTightAbove(Epsilon(PoissonRounds(0.5, rate, row.rounds), row.delta),
                     row.lower_bound, 5e-5 + 1e-4 * row.lower_bound);
  }
}

TEST(PldTest, PoissonWithReplaceOneCostsMoreThanAddRemove) {
  Event round = PoissonRounds(1, 0.004, 1000);
  round.adjacency = Adjacency::kReplaceOne;
  ExpectTightAbove(Epsilon(round, 4e-8), 1.401, 5e-4);
}

TEST(PldTest, WellKnownSettings) {
  struct {
    double rate, noise;
    std::int64_t rounds;
    double epsilon;
  } const known[] = {{0.01, 1, 10000, 6.187745},
                     {0.01, 1, 1000, 1.828244},
                     {256.0 / 60000, 1.1, 14062, 2.381686},
                     {0.04, 1.5, 2250, 6.768787},
                     {600.0 / 60000, 2.1, 30000, 3.77}};
  for (const auto& k : known) {
    SCOPED_TRACE(k.epsilon);
    ExpectTightAbove(Epsilon(PoissonRounds(k.noise, k.rate, k.rounds), 1e-5),
                     k.epsilon, k.epsilon == 3.77 ? 5e-3 : 1e-4);
  }
}

// --- Closed forms
// ---------------------------------------------------------------

TEST(PldTest, GaussianOnTheLatticeAgreesWithTheExactOne) {
  for (const double mu : {0.01, 0.3, 1.0, 3.3, 20.0}) {
    for (const double rounds : {1.0, 7.0, 1000.0, 1e6}) {
      for (const double delta : {1e-3, 1e-6, 1e-9, 1e-12}) {
        SCOPED_TRACE(testing::Message() << "mu " << mu << " rounds " << rounds
                                        << " delta " << delta);
        const Event event{.mechanism = Gaussian{1 / mu}};
        const Term term{PrivacyLoss(event, Direction::kRemove), rounds};
        ExpectTightAbove(ComposedEpsilon({&term, 1}, delta),
                         GaussianEpsilon(mu * std::sqrt(rounds), delta));
      }
    }
  }
}

TEST(PldTest, DeltaOnTheLatticeAgreesWithTheExactOne) {
  for (const double mu : {0.05, 0.7, 3.0}) {
    for (const double rounds : {1.0, 50.0, 1000.0}) {
      const double all = mu * std::sqrt(rounds);
      const Event event{.mechanism = Gaussian{1 / mu}};
      const Term term{PrivacyLoss(event, Direction::kRemove), rounds};
      for (const double place : {0.0, 0.01, 0.3, 1.0, 3.0}) {
        const double epsilon = place * all * (1 + all);
        SCOPED_TRACE(testing::Message()
                     << mu << ' ' << rounds << ' ' << epsilon);
        const double exact = GaussianDelta(all, epsilon);
        const double ours = ComposedDelta({&term, 1}, epsilon);
        EXPECT_GE(ours, exact * (1 - 1e-9));
        EXPECT_LE(ours, exact * 1.05 + 1e-18);
      }
    }
  }
}

TEST(PldTest, RevealedSamplingIsABinomialMixtureOfGaussians) {
  // So often as the record took part, so many Gaussians: exact.
  for (const double noise : {0.4, 2.0, 10.0}) {
    for (const std::int64_t rounds : {1, 30, 2000}) {
      const double rate = 0.01;
      const Event event{.mechanism = Gaussian{noise},
                        .sampling = Revealed{rate},
                        .adjacency = Adjacency::kReplaceOne,
                        .count = rounds};
      const auto exact = [&](double epsilon) {
        double delta = 0;
        for (std::int64_t k = 1; k <= rounds; ++k) {
          const auto n = static_cast<double>(rounds);
          const auto taken = static_cast<double>(k);
          const double log_chance =
              std::lgamma(n + 1) - std::lgamma(taken + 1) -
              std::lgamma(n - taken + 1) + taken * std::log(rate) +
              (n - taken) * std::log1p(-rate);
          delta += std::exp(log_chance) *
                   GaussianDelta(2 / noise * std::sqrt(taken), epsilon);
        }
        return delta;
      };
      for (const double delta : {1e-3, 1e-6, 1e-10}) {
        SCOPED_TRACE(testing::Message()
                     << noise << ' ' << rounds << ' ' << delta);
        const double ours = Epsilon(event, delta);
        EXPECT_LE(exact(ours), delta * (1 + 1e-9));
        const double looser = ours - std::max(1e-3, 1e-3 * ours);
        if (looser > 0) {
          EXPECT_GE(exact(looser), delta);
        }
      }
    }
  }
}

TEST(PldTest, RandomisedResponseComposesAsTheBinomial) {
  // Kairouz, Oh and Viswanath 2015: losses (n - 2k) epsilon with binomial odds.
  const double each = 0.3;
  const int rounds = 20;
  const auto exact = [&](double epsilon) {
    double delta = 0;
    for (int k = 0; k <= rounds; ++k) {
      const double loss = (rounds - 2 * k) * each;
      if (loss <= epsilon) continue;
      const double p =
          std::exp(std::lgamma(rounds + 1) - std::lgamma(k + 1) -
                   std::lgamma(rounds - k + 1) + (rounds - k) * each -
                   rounds * std::log1p(std::exp(each)));
      delta += p * -std::expm1(epsilon - loss);
    }
    return delta;
  };
  const Event event{.mechanism = Pure{each}, .count = rounds};
  for (const double delta : {1e-3, 1e-6, 1e-12}) {
    const double ours = Epsilon(event, delta);
    EXPECT_LE(exact(ours), delta * (1 + 1e-9));
    EXPECT_GE(exact(ours - 1e-3 * ours), delta);
  }
}

TEST(PldTest, OneLaplaceRelease) {
  // delta = 1 - e^((epsilon - mu) / 2) for epsilon below mu.
  const Event event{.mechanism = Laplace{0.5}};
  ExpectTightAbove(Epsilon(event, 1e-3), 2 + 2 * std::log1p(-1e-3));
  Event replaced = event;
  replaced.adjacency = Adjacency::kReplaceOne;
  ExpectTightAbove(Epsilon(replaced, 1e-3), 4 + 2 * std::log1p(-1e-3));
}

TEST(PldTest, OneDiscreteGaussianRelease) {
  // sigma 3, shift 2, summed by hand over whole numbers.
  const Event event{
      .mechanism = DiscreteGaussian{.noise_multiplier = 1.5, .sensitivity = 2}};
  const auto exact = [](double epsilon) {
    double total = 0;
    double delta = 0;
    for (int k = -200; k <= 200; ++k) {
      const double q = std::exp(-k * k / 18.0);
      const double p = std::exp(-(k - 2) * (k - 2) / 18.0);
      total += q;
      delta += std::max(0.0, p - std::exp(epsilon) * q);
    }
    return delta / total;
  };
  for (const double delta : {1e-3, 1e-7, 1e-12}) {
    const double ours = Epsilon(event, delta);
    EXPECT_LE(exact(ours), delta * (1 + 1e-9));
    EXPECT_GE(exact(ours - std::max(1e-3, 1e-3 * ours)), delta);
  }
}

TEST(PldTest, OneSampledRoundOverManySettings) {
  base::Rng rng(5, {base::Key("one round")});
  for (int trial = 0; trial < 200; ++trial) {
    const double noise = std::exp(rng.Uniform(std::log(0.3), std::log(100)));
    const double rate = std::exp(rng.Uniform(std::log(1e-4), 0));
    const double delta = std::exp(rng.Uniform(std::log(1e-12), std::log(1e-3)));
    SCOPED_TRACE(testing::Message() << noise << ' ' << rate << ' ' << delta);
    const double ours = Epsilon(PoissonRounds(noise, rate, 1), delta);
    EXPECT_LE(OneRoundDelta(noise, rate, ours), delta * (1 + 1e-9));
    const double looser = ours - std::max(1e-3, 1e-3 * ours);
    if (looser > 0) {
      EXPECT_GE(OneRoundDelta(noise, rate, looser), delta);
    }
  }
}

// --- The second implementation
// ---------------------------------------------------

struct Setting {
  double noise, rate;
  std::int64_t rounds;
  double delta;
};

TEST(PldTest, ManyRoundsAgreeWithIntegrationAlongAContour) {
  for (const Setting& s : {Setting{1, 0.01, 1000, 1e-5},
                           {1, 0.004, 1000, 4e-8},
                           {0.7, 0.02, 3000, 1e-6},
                           {5, 0.1, 20000, 1e-9},
                           {1.1, 256.0 / 60000, 174000, 1e-12},
                           {100, 0.001, 1000000, 1e-12},
                           {20, 0.3, 1000000, 1e-3}}) {
    SCOPED_TRACE(testing::Message() << s.noise << ' ' << s.rate << ' '
                                    << s.rounds << ' ' << s.delta);
    const double ours =
        Epsilon(PoissonRounds(s.noise, s.rate, s.rounds), s.delta);
    const auto rounds = static_cast<double>(s.rounds);
    const Contour remove(s.noise, s.rate, rounds, true);
    const Contour add(s.noise, s.rate, rounds, false);
    const auto delta_at = [&](double epsilon) {
      return std::max(remove.Delta(epsilon), add.Delta(epsilon));
    };
    EXPECT_LE(delta_at(ours), s.delta * (1 + 1e-6));
    EXPECT_GE(delta_at(ours - std::max(1e-3, 1e-3 * ours)), s.delta);
  }
}

TEST(PldTest, TwoRoundsAgreeWithIntegrationOverThePlane) {
  const double rate = 0.2;
  const double noise = 0.8;
  const double mu = 1 / noise;
  const double epsilon = 1.0;
  double remove = 0;
  double add = 0;
  const double h = 0.01;
  std::vector<double> mixed;
  std::vector<double> plain;
  for (double x = -8; x < 10; x += h) {
    plain.push_back(NormalDensity(x) * h);
    mixed.push_back(
        ((1 - rate) * NormalDensity(x) + rate * NormalDensity(x - mu)) * h);
  }
  for (std::size_t i = 0; i < plain.size(); ++i) {
    for (std::size_t j = 0; j < plain.size(); ++j) {
      const double p = mixed[i] * mixed[j];
      const double q = plain[i] * plain[j];
      remove += std::max(0.0, p - std::exp(epsilon) * q);
      add += std::max(0.0, q - std::exp(epsilon) * p);
    }
  }
  const Event event = PoissonRounds(noise, rate, 2);
  EXPECT_NEAR(PldDelta({&event, 1}, epsilon), std::max(remove, add),
              1e-3 * remove);
}

TEST(PldTest, OppositeContributionsDominateAtEveryAngle) {
  // Poisson sampling, replace-one: two contributions of norm one at an angle,
  // integrated over the plane, are never easier to tell apart.
  const double rate = 0.3;
  const double noise = 1.0;
  Event event = PoissonRounds(noise, rate, 1);
  event.adjacency = Adjacency::kReplaceOne;
  for (const double epsilon : {0.1, 0.5, 1.0}) {
    const double bound = PldDelta({&event, 1}, epsilon);
    for (const double angle : {0.5, 1.0, 2.0, 2.8, std::numbers::pi}) {
      const double h = 0.02;
      double delta = 0;
      for (double x = -7; x < 7; x += h) {
        for (double y = -7; y < 7; y += h) {
          const double none = NormalDensity(x) * NormalDensity(y);
          const double one = NormalDensity(x - 1) * NormalDensity(y);
          const double other = NormalDensity(x - std::cos(angle)) *
                               NormalDensity(y - std::sin(angle));
          const double p = (1 - rate) * none + rate * one;
          const double q = (1 - rate) * none + rate * other;
          delta += std::max(0.0, p - std::exp(epsilon) * q) * h * h;
        }
      }
      EXPECT_LE(delta, bound * (1 + 1e-6)) << epsilon << ' ' << angle;
      if (angle == std::numbers::pi) {
        EXPECT_NEAR(delta, bound, 2e-3 * bound);
      }
    }
  }
}

// --- Properties
// ------------------------------------------------------------------

TEST(PldTest, MoreRoundsMoreRateAndLessNoiseNeverCostLess) {
  base::Rng rng(6, {base::Key("monotone")});
  for (int trial = 0; trial < 60; ++trial) {
    const double noise = std::exp(rng.Uniform(std::log(0.5), std::log(20)));
    const double rate = std::exp(rng.Uniform(std::log(1e-3), std::log(0.3)));
    const auto rounds =
        static_cast<std::int64_t>(std::exp(rng.Uniform(0, std::log(5000))));
    const double delta = std::exp(rng.Uniform(std::log(1e-11), std::log(1e-3)));
    SCOPED_TRACE(testing::Message()
                 << noise << ' ' << rate << ' ' << rounds << ' ' << delta);
    const double here = Epsilon(PoissonRounds(noise, rate, rounds), delta);
    const double slack = 5e-4 * std::max(here, 0.3);
    EXPECT_GE(
        Epsilon(PoissonRounds(noise, rate, rounds + rounds / 5 + 1), delta),
        here - slack);
    EXPECT_GE(
        Epsilon(PoissonRounds(noise, std::min(1.0, 1.2 * rate), rounds), delta),
        here - slack);
    EXPECT_GE(Epsilon(PoissonRounds(0.9 * noise, rate, rounds), delta),
              here - slack);
    EXPECT_GE(Epsilon(PoissonRounds(noise, rate, rounds), delta / 10),
              here - slack);
    const Event event = PoissonRounds(noise, rate, rounds);
    EXPECT_LE(here, RdpEpsilon({&event, 1}, delta).epsilon + slack);
  }
}

TEST(PldTest, OrderAndGroupingDoNotMatter) {
  const Event a = PoissonRounds(1, 0.01, 300);
  const Event b{.mechanism = Laplace{4}, .count = 3};
  const Event c{.mechanism = Gaussian{6}, .count = 5};
  Event half = a;
  half.count = 150;
  const std::vector<Event> one = {a, b, c};
  const std::vector<Event> two = {c, half, b, half};
  EXPECT_NEAR(PldEpsilon(one, 1e-6), PldEpsilon(two, 1e-6), 1e-9);
}

TEST(PldTest, DifferentRoundsLieBetweenTheirExtremes) {
  std::vector<Event> rounds;
  for (int i = 0; i < 50; ++i) {
    rounds.push_back(PoissonRounds(1 + 0.01 * i, 0.02, 10));
  }
  const double mixed = PldEpsilon(rounds, 1e-6);
  EXPECT_LT(mixed, Epsilon(PoissonRounds(1, 0.02, 500), 1e-6));
  EXPECT_GT(mixed, Epsilon(PoissonRounds(1.49, 0.02, 500), 1e-6));
}

TEST(PldTest, DeltaAndEpsilonAreInverse) {
  const Event event = PoissonRounds(1, 0.01, 1000);
  for (const double delta : {1e-3, 1e-6, 1e-10}) {
    const double epsilon = Epsilon(event, delta);
    EXPECT_NEAR(std::log(PldDelta({&event, 1}, epsilon)), std::log(delta),
                0.02);
  }
}

TEST(PldTest, NothingCostsNothing) {
  EXPECT_EQ(PldEpsilon({}, 1e-6), 0);
  EXPECT_EQ(PldDelta({}, 0), 0);
}

// --- Odds
// -------------------------------------------------------------------------

TEST(PldTest, GuessIsRightAsOftenAsTheTotalVariationAllows) {
  // One plain Gaussian: total variation 2 Phi(mu/2) - 1.
  const Event event{.mechanism = Gaussian{2}};
  EXPECT_NEAR(GuessedRight({&event, 1}), 0.5 * std::erfc(-0.25 / std::sqrt(2)),
              1e-9);
  const Event response{.mechanism = Pure{std::log(3.0)}};
  EXPECT_NEAR(GuessedRight({&response, 1}), 0.75, 1e-3);
  // Computed on a coarser lattice than delta is: a bound, and near it.
  for (const auto& [noise, rate, rounds] :
       {std::tuple{1.0, 0.01, 1000}, std::tuple{1.0, 0.001, 174'000},
        std::tuple{0.5, 0.0001, 10}, std::tuple{10.0, 0.5, 100}}) {
    const Event sampled{.mechanism = Gaussian{.noise_multiplier = noise},
                        .sampling = Poisson{.rate = rate},
                        .count = rounds};
    const double fine = 0.5 * (1 + PldDelta({&sampled, 1}, 0));
    EXPECT_GE(GuessedRight({&sampled, 1}), fine * (1 - 1e-6)) << rounds;
    EXPECT_LE(GuessedRight({&sampled, 1}), fine + 2e-3) << rounds;
  }
}

// --- The rules
// ---------------------------------------------------------------------

TEST(PldTest, OneCohortIsOneJointEvent) {
  // Rule 1: q .01, 1000 rounds, update and bits with z = 1 each.
  const double joint = JointNoiseMultiplier(std::vector<double>{1.0, 1.0});
  EXPECT_NEAR(joint, 1 / std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(Epsilon(PoissonRounds(joint, 0.01, 1000), 1e-5), 4.48, 0.006);
  EXPECT_NEAR(Epsilon(PoissonRounds(1, 0.01, 2000), 1e-5), 2.58, 0.006);
}

TEST(PldTest, PopulationsOfAPartitionPayOnce) {
  Event a = PoissonRounds(1, 0.01, 500);
  a.population = {.name = "failing", .root = "phones", .partition = "p1"};
  Event b = PoissonRounds(2, 0.01, 500);
  b.population = {.name = "well", .root = "phones", .partition = "p1"};
  Event count{.mechanism = Gaussian{10}};
  count.population.name = "phones";
  const double alone = PldEpsilon(std::vector<Event>{count, a}, 1e-6);
  EXPECT_NEAR(PldEpsilon(std::vector<Event>{count, a, b}, 1e-6), alone, 1e-9);
  // In another inspection membership may flip: that adds up.
  b.population.partition = "p2";
  EXPECT_GT(PldEpsilon(std::vector<Event>{count, a, b}, 1e-6), alone + 0.01);
}

TEST(PldTest, InfiniteWhenTheEventsOwnDeltasReachDelta) {
  const Event event{.mechanism = Approximate{.epsilon = 0.1, .delta = 1e-6},
                    .count = 10};
  EXPECT_TRUE(std::isinf(Epsilon(event, 1e-6)));
  EXPECT_LT(Epsilon(event, 2e-5), 1.1);
  EXPECT_GT(Epsilon(event, 2e-5), 0.3);
}

TEST(PldTest, OwnDeltasLeaveLessForFiniteLosses) {
  // A Gaussian histogram whose own delta is most of what is granted: at the
  // answer, own + (1 - own) * (Gaussian's delta) is what was granted.
  for (const double share : {0.5, 0.9, 0.99, 0.99999}) {
    for (const double delta : {1e-3, 1e-6}) {
      SCOPED_TRACE(testing::Message() << share << ' ' << delta);
      const double own = share * delta;
      const Event event{.mechanism = ThresholdedHistogram{.noise_multiplier = 5,
                                                          .delta = own}};
      const double ours = Epsilon(event, delta);
      const auto exact = [&](double epsilon) {
        return own + (1 - own) * GaussianDelta(0.2, epsilon);
      };
      EXPECT_LE(exact(ours), delta * (1 + 1e-9));
      EXPECT_GE(exact(ours - 2e-3), delta);
    }
  }
  // And of (epsilon, delta) events: all the delta is theirs at epsilon.
  const Event approximate{.mechanism =
                              Approximate{.epsilon = 1, .delta = 5e-4}};
  ExpectTightAbove(Epsilon(approximate, 1e-3), 0.99932, 1e-5);
  const Event many{.mechanism = Approximate{.epsilon = 0.1, .delta = 0.01},
                   .count = 50};
  EXPECT_LT(Epsilon(many, 0.45), 5);  // 1 - 0.99^50 is 0.395
}

TEST(PldTest, DeltaAtTheAnswerKeepsWhatWasGranted) {
  base::Rng rng(8, {base::Key("mixed lists")});
  for (int trial = 0; trial < 40; ++trial) {
    const double delta = std::exp(rng.Uniform(std::log(1e-9), std::log(1e-3)));
    const std::vector<Event> events = {
        {.mechanism = Approximate{.epsilon = rng.Uniform(0, 1),
                                  .delta = delta * rng.Uniform()}},
        {.mechanism = Pure{rng.Uniform(0, 0.5)}, .count = 3},
        {.mechanism = Laplace{rng.Uniform(1, 1000)}},
        {.mechanism = Gaussian{rng.Uniform(0.5, 5)},
         .sampling = Poisson{rng.Uniform(0.001, 0.2)},
         .count = 100}};
    const double epsilon = PldEpsilon(events, delta);
    // Each is an upper bound of its own; they agree to a few percent of delta.
    EXPECT_LE(PldDelta(events, epsilon), 1.05 * delta) << trial;
  }
}

TEST(PldTest, SmallAtomsDoNotSetTheStep) {
  // It hung once: the lattice followed an atom far below its step.
  const std::vector<Event> events = {PoissonRounds(1, 0.01, 1000),
                                     {.mechanism = Pure{1e-9}, .count = 10}};
  EXPECT_NEAR(PldEpsilon(events, 1e-5), 1.828244, 2e-3);
}

TEST(PldTest, EveryoneTakesPartAtRateOne) {
  for (const double noise : {0.03, 0.05, 1.0}) {
    Event event = PoissonRounds(noise, 1, 2);
    event.adjacency = Adjacency::kReplaceOne;
    EXPECT_NEAR(Epsilon(event, 1e-6),
                GaussianEpsilon(2 / noise * std::sqrt(2.0), 1e-6), 1e-9);
  }
}

TEST(PldTest, CellsThatAnEarlierReleaseMayChooseAreDominatedRoundByRound) {
  // The worst cell may depend on the loss so far: 3.92 is attained, and the
  // larger of the two cells' own epsilons would be 3.73.
  Event threshold{.mechanism = Gaussian{1}};
  threshold.population.name = "phones";
  Event a{.mechanism = Gaussian{1}};
  a.population = {.name = "a", .root = "phones", .partition = "p"};
  Event b{.mechanism = Pure{1.5}};
  b.population = {.name = "b", .root = "phones", .partition = "p"};
  EXPECT_GT(PldEpsilon(std::vector<Event>{threshold, a, b}, 0.01), 3.9235);
}

TEST(PldTest, RefusesWhatItHasNoPairFor) {
  const Event skellam{.mechanism = Skellam{.noise_multiplier = 10}};
  EXPECT_THROW(Epsilon(skellam, 1e-6), Error);
  Event laplace{.mechanism = Laplace{1}, .sampling = Poisson{0.1}};
  EXPECT_NO_THROW(Epsilon(laplace, 1e-6));
  laplace.adjacency = Adjacency::kReplaceOne;
  EXPECT_THROW(Epsilon(laplace, 1e-6), Error);
  const Event vector{
      .mechanism = DiscreteGaussian{.noise_multiplier = 1, .dimension = 3}};
  EXPECT_THROW(Epsilon(vector, 1e-6), Error);
}

TEST(PldTest, RefusesAnImpossibleDelta) {
  const Event event{.mechanism = Gaussian{1}};
  for (const double delta : {0.0, 1.0, -1e-6, std::nan("")}) {
    EXPECT_THROW(Epsilon(event, delta), Error) << delta;
  }
}

}  // namespace
}  // namespace sfumato::dp
