#include "dp/accounting/rdp.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>

#include "base/error.h"
#include "dp/accounting/gaussian.h"
#include "gtest/gtest.h"

namespace sfumato::dp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Event Of(Mechanism mechanism, Sampling sampling = All{},
         Adjacency adjacency = Adjacency::kAddRemove, std::int64_t count = 1) {
  return {.mechanism = mechanism,
          .sampling = sampling,
          .adjacency = adjacency,
          .count = count};
}
Event Replaced(Mechanism mechanism, Sampling sampling = All{},
               std::int64_t count = 1) {
  return Of(mechanism, sampling, Adjacency::kReplaceOne, count);
}
double Divergence(const Event& event, double order) {
  return Rdp(event, order).divergence;
}
double Epsilon(const Event& event, double delta) {
  return RdpEpsilon({&event, 1}, delta).epsilon;
}

// ---- Known numbers ----

// Mironov, Talwar and Zhang's series for fractional orders with the sign of
// each term lost, as an accountant in wide use adds it up: above the truth.
double SeriesOfAbsoluteValues(double order, double q, double z) {
  const double turn = z * z * std::log(1 / q - 1) + 0.5;
  double sum = 0, coefficient = 1;
  for (int i = 0; i < 30; ++i) {
    const double j = order - i;
    const double below = 0.5 * std::erfc((i - turn) / (std::sqrt(2) * z));
    const double above = 0.5 * std::erfc((turn - j) / (std::sqrt(2) * z));
    sum += std::abs(coefficient) *
           (std::pow(q, i) * std::pow(1 - q, j) *
                std::exp((i * i - i) / (2 * z * z)) * below +
            std::pow(q, j) * std::pow(1 - q, i) *
                std::exp((j * j - j) / (2 * z * z)) * above);
    coefficient *= j / (i + 1);
  }
  return std::log(sum) / (order - 1);
}

TEST(RdpTest, PoissonEpsilonsAtDelta1e5) {
  struct Row {
    double rate, noise;
    std::int64_t rounds;
    double printed;  // by the accountant that loses the signs
    double exact;    // by quadrature with 50 digits at the same order
    double order;
  };
  const Row rows[] = {
      {0.01, 1, 10000, 6.712757, 6.71273830, 4.1},
      {0.01, 1, 1000, 2.101367, 2.10136527, 7.8},
      {256.0 / 60000, 1.1, 14062, 2.596556, 2.596556, 8.1},
      {0.04, 1.5, 2250, 7.329335, 7.32911117, 3.9},
  };
  for (const Row& row : rows) {
    const Event event =
        Of(Gaussian{row.noise}, Poisson{row.rate}, {}, row.rounds);
    const RdpResult ours = RdpEpsilon({&event, 1}, 1e-5);
    EXPECT_NEAR(ours.order, row.order, 1e-12);
    EXPECT_NEAR(ours.epsilon, row.exact, 6e-7);
    EXPECT_LE(ours.epsilon, row.printed + 5e-7);
    const double unsigned_divergence =
        SeriesOfAbsoluteValues(row.order, row.rate, row.noise);
    EXPECT_NEAR(
        RdpToEpsilon(row.order,
                     static_cast<double>(row.rounds) * unsigned_divergence,
                     1e-5, Conversion::kCanonneKamathSteinke),
        row.printed, 6e-7);
  }
}

TEST(RdpTest, PoissonDivergencesOfTheFirstOrders) {
  const std::pair<int, double> rows[] = {
      {2, 1.718134221e-04}, {3, 2.646375746e-04}, {4, 3.631540489e-04},
      {8, 8.936439076e-04}, {16, 3.087850784},    {32, 11.246275937}};
  for (const auto& [order, divergence] : rows) {
    EXPECT_NEAR(PoissonGaussianRdp(order, 0.01, 1) / divergence, 1, 5e-10);
    EXPECT_NEAR(Divergence(Of(Gaussian{1}, Poisson{0.01}), order) / divergence,
                1, 5e-10);
  }
}

TEST(RdpTest, TheoremNineOfTheFirstOrders) {
  const std::pair<int, double> rows[] = {
      {2, 8.698123553e-05}, {3, 1.317456437e-04}, {4, 1.774195956e-04},
      {8, 3.706364732e-04}, {16, 2.156733151},    {32, 10.322787026}};
  for (const auto& [order, divergence] : rows) {
    EXPECT_NEAR(FixedSizeGaussianRdp(order, 0.004, 1) / divergence, 1, 5e-10);
    // The event with twice the noise: a replaced unit moves the sum by 2S.
    EXPECT_NEAR(Divergence(Replaced(Gaussian{2}, FixedSize{4, 1000}), order) /
                    divergence,
                1, 5e-10);
  }
}

// The strict column: Theorem 9 with noise z/2, whole orders, Mironov.
TEST(RdpTest, FixedCohortsOfTheFirstPaperWithTheirTrueSensitivity) {
  struct Row {
    std::int64_t cohort, population, rounds;
    double delta, epsilon;
  };
  const Row rows[] = {
      {1000, 250000, 1000, 4e-8, 18.780003},
      {1000, 1250000, 1000, 8e-9, 9.510036},
      {1000, 500000, 1000, 2e-8, 10.817162},
      {1000, 1708824, 1000, 0.01 / 1708824, 8.544185},
      {1000, 1964706, 1000, 0.01 / 1964706, 7.661807},
      {1000, 2000000, 1000, 5e-9, 7.581639},
      {1000, 1930588, 1000, 0.01 / 1930588, 7.746734},
      {5000, 342477, 2000, 1.0 / 342477, 58.760016},
  };
  for (const Row& row : rows) {
    const Event event = Replaced(
        Gaussian{1}, FixedSize{row.cohort, row.population}, row.rounds);
    double best = kInfinity;
    for (int order = 2; order <= 64; ++order) {
      best = std::min(best, RdpToEpsilon(order,
                                         static_cast<double>(row.rounds) *
                                             Divergence(event, order),
                                         row.delta, Conversion::kMironov));
    }
    EXPECT_NEAR(best, row.epsilon, 6e-7) << row.population;
    // The better conversion only helps.
    EXPECT_LT(Epsilon(event, row.delta), best);
  }
}

TEST(RdpTest, CalibratedNoiseCostsOne) {
  const auto epsilon = [](double noise) {
    return Epsilon(Of(Gaussian{noise}, Poisson{0.01}, {}, 10000), 1e-5);
  };
  EXPECT_LT(epsilon(4.125815), 1);
  EXPECT_GT(epsilon(4.125795), 1);
}

TEST(RdpTest, CompositionOfASinglePlainGaussianIsAboveTheExact) {
  for (const double z : {0.5, 1.0, 5.0, 40.0}) {
    for (const double delta : {1e-3, 1e-6, 1e-12}) {
      const double rdp = Epsilon(Of(Gaussian{z}), delta);
      EXPECT_GE(rdp, GaussianEpsilon(1 / z, delta)) << z << " " << delta;
      EXPECT_LE(rdp, 1.5 * GaussianEpsilon(1 / z, delta) + 0.05)
          << z << " " << delta;
    }
  }
}

// ---- Conversions ----

TEST(RdpTest, ConversionsByHand) {
  // Order 2, divergence 3, delta e^-5: Mironov 3 + 5; Proposition 12 adds
  // log(1/2) and takes off log 2.
  const double delta = std::exp(-5);
  EXPECT_NEAR(RdpToEpsilon(2, 3, delta, Conversion::kMironov), 8, 1e-12);
  EXPECT_NEAR(RdpToEpsilon(2, 3, delta, Conversion::kCanonneKamathSteinke),
              8 - 2 * std::log(2), 1e-12);
}

TEST(RdpTest, ALargeDeltaCostsNothingAndNeverLess) {
  EXPECT_EQ(RdpToEpsilon(50, 0.001, 0.9, Conversion::kCanonneKamathSteinke), 0);
  // sqrt(1 - e^-d) <= delta already gives epsilon 0.
  EXPECT_EQ(RdpToEpsilon(1.1, 1e-6, 1.1e-3, Conversion::kCanonneKamathSteinke),
            0);
  EXPECT_GT(RdpToEpsilon(1.1, 1e-6, 0.9e-3, Conversion::kCanonneKamathSteinke),
            0);
  EXPECT_EQ(RdpToEpsilon(2, kInfinity, 0.5, Conversion::kCanonneKamathSteinke),
            kInfinity);
}

TEST(RdpTest, ConversionRefusesImpossibleNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Conversion c :
       {Conversion::kMironov, Conversion::kCanonneKamathSteinke}) {
    EXPECT_THROW(RdpToEpsilon(1, 1, 1e-5, c), Error);
    EXPECT_THROW(RdpToEpsilon(nan, 1, 1e-5, c), Error);
    EXPECT_THROW(RdpToEpsilon(2, nan, 1e-5, c), Error);
    EXPECT_THROW(RdpToEpsilon(2, -1, 1e-5, c), Error);
    EXPECT_THROW(RdpToEpsilon(2, 1, 0, c), Error);
    EXPECT_THROW(RdpToEpsilon(2, 1, 1, c), Error);
    EXPECT_THROW(RdpToEpsilon(2, 1, nan, c), Error);
  }
}

TEST(RdpTest, DefaultOrdersAreTheListedOnes) {
  const auto orders = DefaultOrders();
  EXPECT_EQ(orders.size(), 99u + 53u + 4u);
  EXPECT_EQ(orders.front(), 1.1);
  EXPECT_EQ(orders.back(), 1024);
  EXPECT_TRUE(std::is_sorted(orders.begin(), orders.end()));
  EXPECT_NE(std::find(orders.begin(), orders.end(), 2.0), orders.end());
}

// ---- Mechanisms, everyone taking part ----

TEST(RdpTest, ReplaceOneMovesTheSumTwice) {
  EXPECT_DOUBLE_EQ(Divergence(Of(Gaussian{3}), 5), 5.0 / 18);
  EXPECT_DOUBLE_EQ(Divergence(Replaced(Gaussian{3}), 5), 4 * 5.0 / 18);
  EXPECT_DOUBLE_EQ(Divergence(Replaced(Laplace{4}), 5),
                   Divergence(Of(Laplace{2}), 5));
  EXPECT_DOUBLE_EQ(Divergence(Replaced(DiscreteGaussian{3, 7, 2}), 5),
                   4 * 5.0 / 18);
  EXPECT_DOUBLE_EQ(Divergence(Replaced(Skellam{20, 10, 10}), 5),
                   Divergence(Of(Skellam{10, 20, 20}), 5));
  // What is a guarantee for the event's own adjacency stays as it is.
  EXPECT_EQ(Divergence(Replaced(Pure{1}), 5), Divergence(Of(Pure{1}), 5));
}

// D_a of two densities on the line, midpoint rule.
template <typename Density>
double Integrated(double order, const Density& p, const Density& q, double low,
                  double high) {
  const int steps = 200000;
  const double width = (high - low) / steps;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    const double x = low + (i + 0.5) * width;
    sum += std::exp(order * p(x) + (1 - order) * q(x));
  }
  return std::log(sum * width) / (order - 1);
}

TEST(RdpTest, LaplaceIsItsIntegral) {
  for (const double scale : {0.5, 1.0, 3.0}) {
    for (const double order : {1.1, 2.0, 3.5, 10.0}) {
      const auto at = [=](double centre) {
        return [=](double x) {
          return -std::abs(x - centre) / scale - std::log(2 * scale);
        };
      };
      const std::function<double(double)> p = at(1), q = at(0);
      const double integrated =
          Integrated(order, p, q, -60 * scale, 1 + 60 * scale);
      EXPECT_NEAR(Divergence(Of(Laplace{scale}), order) / integrated, 1, 1e-5)
          << scale << " " << order;
    }
  }
}

TEST(RdpTest, LaplaceKeepsItsDigitsAtBothEnds) {
  // Small t: a t^2 / 2. Large: t + log(a/(2a-1))/(a-1).
  EXPECT_NEAR(Divergence(Of(Laplace{1e7}), 3) / (3 * 1e-14 / 2), 1, 1e-6);
  EXPECT_NEAR(Divergence(Of(Laplace{1e-3}), 3), 1000 + std::log(0.6) / 2, 1e-9);
  // Either side of the switch.
  EXPECT_NEAR(Divergence(Of(Laplace{2 / 49.9999}), 3),
              Divergence(Of(Laplace{2 / 50.0001}), 3), 2e-4);
}

TEST(RdpTest, PureIsRandomisedResponse) {
  for (const double epsilon : {0.01, 0.7, 3.0, 20.0}) {
    for (const double order : {1.1, 2.0, 7.5, 30.0}) {
      // Odds of e^epsilon to 1; both logarithms without cancellation.
      const double log_p = -std::log1p(std::exp(-epsilon));
      const double log_q = log_p - epsilon;
      const double sum = std::exp(order * log_p + (1 - order) * log_q) +
                         std::exp(order * log_q + (1 - order) * log_p);
      const double by_sum = std::log(sum) / (order - 1);
      const double ours = Divergence(Of(Pure{epsilon}), order);
      EXPECT_NEAR(ours, by_sum, 1e-9 * by_sum + 1e-13) << epsilon << order;
      EXPECT_LE(ours, epsilon);
      EXPECT_LE(ours, order * epsilon * epsilon / 2);  // Bun and Steinke
    }
  }
  EXPECT_EQ(Divergence(Of(Pure{0}), 2), 0);
}

TEST(RdpTest, ApproximateIsPureAndItsChance) {
  const RdpCost cost = Rdp(Of(Approximate{0.7, 1e-7}), 3);
  EXPECT_EQ(cost.divergence, Divergence(Of(Pure{0.7}), 3));
  EXPECT_EQ(cost.delta, 1e-7);
}

TEST(RdpTest, ThresholdedHistogramIsAGaussianAndItsChance) {
  const RdpCost cost = Rdp(Of(ThresholdedHistogram{5, 1e-8}), 3);
  EXPECT_DOUBLE_EQ(cost.divergence, 3.0 / 50);
  EXPECT_EQ(cost.delta, 1e-8);
}

TEST(RdpTest, VotesHaveTheSensitivityOfTheirLevel) {
  using enum Vote::Level;
  EXPECT_DOUBLE_EQ(Divergence(Of(Vote{10, kAgent, 0}), 3), 3 * 1 / 200.0);
  EXPECT_DOUBLE_EQ(Divergence(Of(Vote{10, kAgent, 5}), 3), 3 * 1 / 200.0);
  EXPECT_DOUBLE_EQ(Divergence(Replaced(Vote{10, kAgent, 0}), 3), 3 * 2 / 200.0);
  Event instance = Of(Vote{10, kInstance, 0});
  instance.unit = Unit::kExample;
  EXPECT_DOUBLE_EQ(Divergence(instance, 3), 3 * 2 / 200.0);
  instance.mechanism = Vote{10, kInstance, 5};
  EXPECT_DOUBLE_EQ(Divergence(instance, 3), 3 * 0.08 / 200);
}

// log of e^-v I_n(v), n = 0 … size-1: the chance that the difference of two
// Poisson numbers of mean v/2 is n. Miller's recurrence downwards.
std::vector<double> SkellamLogs(double variance, int size) {
  const int start = size + 400 + static_cast<int>(4 * std::sqrt(variance));
  std::vector<double> logs(static_cast<std::size_t>(start) + 2);
  double ratio = 0;  // I_{n+1} / I_n
  for (int n = start; n >= 0; --n) {
    ratio = 1 / (2 * (n + 1) / variance + ratio);
    logs[static_cast<std::size_t>(n) + 1] = std::log(ratio);
  }
  logs[0] = 0;
  for (std::size_t n = 1; n < logs.size(); ++n) logs[n] += logs[n - 1];
  double total = 0;
  for (std::size_t n = 0; n < logs.size(); ++n) {
    total += (n == 0 ? 1 : 2) * std::exp(logs[n]);
  }
  for (double& log : logs) log -= std::log(total);
  return logs;
}
double SummedDivergence(double order, const std::vector<double>& logs,
                        int shift) {
  const int size = static_cast<int>(logs.size()) - shift;
  std::vector<double> terms;
  double largest = -kInfinity;
  for (int n = -size + 1; n < size; ++n) {
    terms.push_back(order *
                        logs[static_cast<std::size_t>(std::abs(n - shift))] +
                    (1 - order) * logs[static_cast<std::size_t>(std::abs(n))]);
    largest = std::max(largest, terms.back());
  }
  double sum = 0;
  for (const double term : terms) sum += std::exp(term - largest);
  return (largest + std::log(sum)) / (order - 1);
}

TEST(RdpTest, SkellamIsNeverBelowItsExactSum) {
  double tightest = kInfinity;
  for (const double z : {0.3, 0.6, 1.0, 2.0, 5.0, 30.0}) {
    for (const int shift : {1, 2, 5, 10}) {
      const double variance = z * z * shift * shift;
      const std::vector<double> logs = SkellamLogs(
          variance, 200 + 128 * shift + static_cast<int>(40 * shift * z));
      for (const double order : {1.1, 1.5, 2.0, 2.5, 3.0, 8.0, 32.0, 64.0}) {
        const double exact = SummedDivergence(order, logs, shift);
        const double ours = Divergence(Of(Skellam{z, shift, shift}), order);
        EXPECT_GE(ours, exact) << z << " " << shift << " " << order;
        tightest = std::min(tightest, ours / exact);
      }
    }
  }
  EXPECT_LT(tightest, 1.001);  // and it is a bound worth having
}

TEST(RdpTest, SkellamByHand) {
  // Variance 100, norm 10, L1 norm 40, order 3: 3 x 100/200 plus the smaller of
  // (5 x 100 + 6 x 40)/(4 x 10^4) and 3 x 40/200.
  EXPECT_DOUBLE_EQ(Divergence(Of(Skellam{1, 10, 40}), 3), 1.5 + 740 / 40000.0);
}

TEST(RdpTest, DiscreteGaussianIsNeverBelowItsExactSum) {
  for (const double z : {0.4, 1.0, 3.0}) {
    for (const int shift : {1, 2, 5}) {
      const double sigma = z * shift;
      std::vector<double> logs;
      double total = 0;
      for (int n = 0; n < 40 * sigma + 500; ++n) {
        logs.push_back(-n * n / (2 * sigma * sigma));
        total += (n == 0 ? 1 : 2) * std::exp(logs.back());
      }
      for (double& log : logs) log -= std::log(total);
      for (const double order : {1.5, 2.0, 9.0}) {
        EXPECT_GE(
            Divergence(Of(DiscreteGaussian{z, shift, 1}), order) * (1 + 1e-12),
            SummedDivergence(order, logs, shift))
            << z << " " << shift << " " << order;
      }
    }
  }
}

// ---- Sampling ----

TEST(RdpTest, RevealedSamplingIsAMixtureOfKnownOutcomes) {
  const double all = Divergence(Of(Gaussian{1}), 4);
  EXPECT_NEAR(Divergence(Of(Gaussian{1}, Revealed{0.25}), 4),
              std::log(0.75 + 0.25 * std::exp(3 * all)) / 3, 1e-12);
  // Either side of the change of formula, and far beyond the exponential.
  EXPECT_NEAR(Divergence(Of(Gaussian{0.01}, Revealed{0.25}), 4),
              4 * 5000 + std::log(0.25) / 3, 1e-9);
  EXPECT_NEAR(
      Divergence(Of(Gaussian{std::sqrt(6 / 50.001)}, Revealed{1e-9}), 4),
      Divergence(Of(Gaussian{std::sqrt(6 / 49.999)}, Revealed{1e-9}), 4), 1e-3);
  EXPECT_EQ(Divergence(Of(Gaussian{1}, Revealed{1}), 4), all);
  const RdpCost approximate = Rdp(Of(Approximate{1, 1e-6}, Revealed{0.1}), 2);
  EXPECT_DOUBLE_EQ(approximate.delta, 1e-7);
}

TEST(RdpTest, ARateOfOneIsEveryone) {
  for (const double order : {1.1, 2.0, 3.7, 64.0}) {
    const double everyone = Divergence(Replaced(Gaussian{2}), order);
    EXPECT_EQ(Divergence(Replaced(Gaussian{2}, FixedSize{5, 5}), order),
              everyone);
    EXPECT_EQ(Divergence(Replaced(Gaussian{2}, Poisson{1}), order), everyone);
    EXPECT_EQ(Divergence(Of(Gaussian{2}, Poisson{1}), order),
              Divergence(Of(Gaussian{2}), order));
    EXPECT_EQ(Divergence(Of(Laplace{2}, Poisson{1}), order),
              Divergence(Of(Laplace{2}), order));
  }
}

TEST(RdpTest, RefusesSamplingItHasNoProofFor) {
  const Mechanism mechanisms[] = {
      Laplace{1}, DiscreteGaussian{1, 1, 1},     Skellam{5, 1, 1},
      Pure{1},    ThresholdedHistogram{1, 1e-6}, Approximate{1, 1e-6}};
  for (const Mechanism& mechanism : mechanisms) {
    for (const Event& event :
         {Of(mechanism, Poisson{0.1}), Replaced(mechanism, Poisson{0.1}),
          Replaced(mechanism, FixedSize{1, 10})}) {
      try {
        Rdp(event, 2);
        ADD_FAILURE() << Describe(event);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
        EXPECT_NE(error.todo().find("PLD accountant"), std::string::npos);
      }
    }
    EXPECT_NO_THROW(Rdp(Of(mechanism, Revealed{0.1}), 2));
  }
}

TEST(RdpTest, RefusesWhatCheckEventRefuses) {
  EXPECT_THROW(Rdp(Of(Gaussian{1}, FixedSize{1, 10}), 2), Error);
  EXPECT_THROW(Rdp(Of(Gaussian{0}), 2), Error);
  EXPECT_THROW(Rdp(Of(Gaussian{1}), 1), Error);
  EXPECT_THROW(Rdp(Of(Gaussian{1}), kInfinity), Error);
  EXPECT_THROW(Rdp(Of(Gaussian{1}), std::nan("")), Error);
}

// ---- Composition ----

TEST(RdpTest, NoEventsCostNothing) {
  EXPECT_EQ(RdpEpsilon({}, 1e-5).epsilon, 0);
  EXPECT_THROW(RdpEpsilon({}, 0), Error);
}

TEST(RdpTest, CountsAndCopiesAreTheSame) {
  const std::vector<Event> copies(7, Of(Gaussian{2}, Poisson{0.1}));
  const Event counted = Of(Gaussian{2}, Poisson{0.1}, {}, 7);
  EXPECT_NEAR(RdpEpsilon(copies, 1e-5).epsilon, Epsilon(counted, 1e-5), 1e-12);
}

TEST(RdpTest, OnlyEqualEventsAreTakenForEqual) {
  const Event pairs[][2] = {
      {Of(Gaussian{2}), Of(Gaussian{3})},
      {Of(Gaussian{2}), Of(Laplace{2})},
      {Of(Gaussian{2}), Of(Gaussian{2}, Revealed{0.5})},
      {Of(Gaussian{2}, Poisson{0.5}), Of(Gaussian{2}, Revealed{0.5})},
      {Of(Gaussian{2}, Poisson{0.4}), Of(Gaussian{2}, Poisson{0.5})},
      {Replaced(Gaussian{2}, FixedSize{1, 9}),
       Replaced(Gaussian{2}, FixedSize{2, 9})},
      {Of(Skellam{2, 5, 5}), Of(Skellam{2, 9, 9})},
      {Of(Skellam{2, 5, 5}), Of(Skellam{2, 5, 9})},
      {Of(Approximate{1, 1e-9}), Of(Approximate{1, 1e-7})},
      {Of(ThresholdedHistogram{1, 1e-9}), Of(ThresholdedHistogram{1, 1e-7})},
      {Of(Vote{5, Vote::Level::kAgent, 0}),
       Of(Vote{6, Vote::Level::kAgent, 0})},
  };
  for (const auto& pair : pairs) {
    for (const bool swapped : {false, true}) {
      const std::vector<Event> events = {pair[swapped], pair[!swapped]};
      double best = kInfinity;
      for (const double order : DefaultOrders()) {
        const RdpCost a = Rdp(pair[0], order), b = Rdp(pair[1], order);
        best = std::min(best, RdpToEpsilon(order, a.divergence + b.divergence,
                                           1e-5 - a.delta - b.delta,
                                           Conversion::kCanonneKamathSteinke));
      }
      EXPECT_NEAR(RdpEpsilon(events, 1e-5).epsilon, best, 1e-10)
          << Describe(pair[0]) << " and " << Describe(pair[1]);
    }
  }
}

TEST(RdpTest, OrderAndGroupingDoNotMatter) {
  std::vector<Event> events = {Of(Gaussian{2}, Poisson{0.1}, {}, 3),
                               Of(Laplace{5}), Of(Pure{0.2}),
                               Of(Gaussian{9}, Revealed{0.5}, {}, 2)};
  const double epsilon = RdpEpsilon(events, 1e-6).epsilon;
  std::reverse(events.begin(), events.end());
  EXPECT_NEAR(RdpEpsilon(events, 1e-6).epsilon, epsilon, 1e-12);
}

TEST(RdpTest, OwnDeltasAddUpAndAreTakenOffTheDelta) {
  const Event event = Of(ThresholdedHistogram{5, 1e-7}, All{}, {}, 5);
  const Event plain = Of(Gaussian{5}, All{}, {}, 5);
  EXPECT_NEAR(Epsilon(event, 1e-6), Epsilon(plain, 5e-7), 1e-12);
  EXPECT_EQ(Epsilon(event, 5e-7), kInfinity);
  EXPECT_EQ(Epsilon(event, 4e-7), kInfinity);
}

Event In(const char* name, const char* partition, double noise,
         std::int64_t count = 1) {
  Event event = Of(Gaussian{noise}, All{}, Adjacency::kAddRemove, count);
  event.population = {.name = name, .root = "all", .partition = partition};
  return event;
}

TEST(RdpTest, PopulationsOfOnePartitionPayOnce) {
  const Event good = In("good", "by accuracy", 2, 3);
  const Event bad = In("bad", "by accuracy", 3, 3);
  const std::vector<Event> both = {good, bad};
  EXPECT_EQ(RdpEpsilon(both, 1e-5).epsilon, Epsilon(good, 1e-5));
  // Another partition, and what is in none, is paid on top.
  const std::vector<Event> more = {good, bad, In("long", "by length", 4),
                                   In("all", "", 5)};
  const std::vector<Event> alone = {In("x", "", 2, 3), In("x", "", 4),
                                    In("x", "", 5)};
  EXPECT_NEAR(RdpEpsilon(more, 1e-5).epsilon, RdpEpsilon(alone, 1e-5).epsilon,
              1e-12);
  // Two events of one cell add up.
  const std::vector<Event> twice = {good, good};
  const Event six = In("good", "by accuracy", 2, 6);
  EXPECT_NEAR(RdpEpsilon(twice, 1e-5).epsilon, Epsilon(six, 1e-5), 1e-12);
}

TEST(RdpTest, TheDearestPopulationIsChosenAtEveryOrder) {
  // One cell is dear at low orders (much pure noise), one at high orders.
  Event steep = In("steep", "p", 1);
  steep.mechanism = Gaussian{0.5};
  Event flat = In("flat", "p", 1);
  flat.mechanism = Pure{5};
  const std::vector<Event> both = {steep, flat};
  const double epsilon = RdpEpsilon(both, 1e-5).epsilon;
  EXPECT_GE(epsilon, Epsilon(steep, 1e-5));
  EXPECT_GE(epsilon, Epsilon(flat, 1e-5));
}

TEST(RdpTest, MoreRoundsMoreRateLessNoiseNeverCostLess) {
  for (const double delta : {1e-3, 1e-12}) {
    double last = 0;
    for (const double rate : {1e-6, 1e-3, 0.01, 0.1, 0.9, 1.0}) {
      const double epsilon =
          Epsilon(Of(Gaussian{1}, Poisson{rate}, {}, 10), delta);
      EXPECT_GE(epsilon, last);
      EXPECT_GE(Epsilon(Of(Gaussian{1}, Poisson{rate}, {}, 11), delta),
                epsilon);
      EXPECT_GE(Epsilon(Of(Gaussian{0.9}, Poisson{rate}, {}, 10), delta),
                epsilon);
      last = epsilon;
    }
  }
}

TEST(RdpTest, TheCurveIsTheSingleValues) {
  for (const Event& event :
       {Of(Gaussian{0.7}, Poisson{0.02}), Replaced(Gaussian{3}, Poisson{0.02}),
        Replaced(Gaussian{3}, FixedSize{3, 100}), Of(Skellam{9, 3, 5}),
        Of(Laplace{2}, Revealed{0.3})}) {
    const std::vector<RdpCost> curve = RdpCurve(event, DefaultOrders());
    for (std::size_t i = 0; i < curve.size(); i += 7) {
      EXPECT_NEAR(curve[i].divergence / Divergence(event, DefaultOrders()[i]),
                  1, 1e-11)
          << Describe(event) << " " << DefaultOrders()[i];
    }
  }
}

}  // namespace
}  // namespace sfumato::dp
