#include "dp/mechanisms/private_quantile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "dp/mechanisms/falsify_testing.h"

namespace sfumato::dp {

// The probability of every cell, from the weights.
struct PrivateQuantilePeer {
  static std::vector<double> Probabilities(const PrivateQuantile& quantile,
                                           std::span<const double> values) {
    std::vector<double> cells(
        static_cast<std::size_t>(quantile.options_.candidates));
    double total = 0;
    for (const auto& run : quantile.Runs(values)) {
      for (std::int64_t i = 0; i < run.size; ++i) {
        cells.at(static_cast<std::size_t>(run.first + i)) =
            static_cast<double>(run.weight);
      }
      total += static_cast<double>(run.Total());
    }
    for (double& cell : cells) cell /= total;
    return cells;
  }
};

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

QuantileOptions Cells(std::int64_t candidates, double quantile,
                      double epsilon) {
  return {.quantile = quantile,
          .lower = 0,
          .upper = static_cast<double>(candidates),
          .epsilon = epsilon,
          .candidates = candidates};
}

// All sets of up to `most` numbers that lie in the middle of a cell, sorted.
std::vector<std::vector<double>> AllSets(int cells, std::size_t most) {
  std::vector<std::vector<double>> sets = {{}};
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (sets[i].size() == most) continue;
    const int first = sets[i].empty() ? 0 : static_cast<int>(sets[i].back());
    for (int cell = first; cell < cells; ++cell) {
      std::vector<double> larger = sets[i];
      larger.push_back(cell + 0.5);
      sets.push_back(larger);
    }
  }
  return sets;
}

// The largest log ratio of probabilities between any set and the same with one
// number more (or another number in place of its last), over every cell.
double LargestLoss(const QuantileOptions& options, Adjacency neighbours) {
  const PrivateQuantile quantile(options);
  double largest = 0;
  for (const std::vector<double>& set :
       AllSets(static_cast<int>(options.candidates), 5)) {
    const auto p = PrivateQuantilePeer::Probabilities(quantile, set);
    for (std::int64_t cell = 0; cell < options.candidates; ++cell) {
      std::vector<double> other = set;
      if (neighbours == Adjacency::kReplaceOne) {
        if (other.empty()) continue;
        other.pop_back();
      }
      other.push_back(static_cast<double>(cell) + 0.5);
      const auto q = PrivateQuantilePeer::Probabilities(quantile, other);
      for (std::size_t i = 0; i < p.size(); ++i) {
        largest = std::max(largest, std::abs(std::log(p[i] / q[i])));
      }
    }
  }
  return largest;
}

TEST(PrivateQuantileTest, NoNeighbourLosesMoreThanEpsilon) {
  // Every set of up to five numbers over six cells, and all its neighbours.
  for (const double q : {0.5, 0.25, 0.9}) {
    for (const double epsilon : {0.1, 1.0, 5.0}) {
      QuantileOptions options = Cells(6, q, epsilon);
      EXPECT_LE(LargestLoss(options, Adjacency::kAddRemove), epsilon + 1e-12);
      options.participants.adjacency = Adjacency::kReplaceOne;
      EXPECT_LE(LargestLoss(options, Adjacency::kReplaceOne), epsilon + 1e-12);
    }
  }
}

TEST(PrivateQuantileTest, TheTestCatchesASensitivityThatIsHalved) {
  // For the median, add-remove counts a miss in halves of a number; exchanging
  // one number then costs up to twice as much.
  EXPECT_GT(LargestLoss(Cells(6, 0.5, 1), Adjacency::kReplaceOne), 1.2);
}

TEST(PrivateQuantileTest, TheBoundIsAttained) {
  // 400 cells below, the two numbers' cell, one cell, and a cell in which a
  // third number comes or goes. With s = e^(-1/2) the weights of the cells
  // below go from s^2 to s^3, that of cell 401 from s^2 to s.
  const PrivateQuantile quantile(Cells(403, 0.5, 1));
  const auto without = PrivateQuantilePeer::Probabilities(
      quantile, std::vector<double>{400.5, 400.5});
  const auto with = PrivateQuantilePeer::Probabilities(
      quantile, std::vector<double>{400.5, 400.5, 402.5});
  const double s = std::exp(-0.5);
  const double by_hand =
      (400 * s * s + 1 + 2 * s * s) / (400 * s * s * s + 1 + 2 * s) / s;
  EXPECT_NEAR(with[401] / without[401], by_hand, 1e-6);
  EXPECT_GT(std::log(by_hand), 0.97);
  EXPECT_LE(std::log(by_hand), 1);
}

TEST(PrivateQuantileTest, DrawsByItsWeights) {
  const PrivateQuantile quantile(Cells(20, 0.25, 0.8));
  const std::vector<double> values = {3.5, 3.5, 4.2, 7.7, 12.1, 12.2, 15.0};
  NoiseSource noise = NoiseSource::Simulation(61);
  std::vector<double> counts(20);
  for (int i = 0; i < 50'000; ++i) {
    const double x = quantile.Release(values, "", noise).value();
    EXPECT_EQ(x - std::floor(x), 0.5);  // the middle of a cell
    ++counts.at(static_cast<std::size_t>(x));
  }
  EXPECT_GT(ChiSquarePValue(
                counts, PrivateQuantilePeer::Probabilities(quantile, values)),
            kFalseAlarm);
}

TEST(PrivateQuantileTest, WeightsFollowTheFormula) {
  // Cell 2 of 0.5, 2.5, 2.5 holds the median; with D = 1/2 the other misses
  // are 0.5 (cell 1: one below, wanted 1.5), 1.5 (cells 0? no: it has one up
  // to it, so 0.5 too) and 1.5 (cells 3, 4): weights 1, 1/e^(eps/2), …
  const double step = std::exp(-0.5 * 0.6);
  const PrivateQuantile quantile(Cells(5, 0.5, 0.6));
  const auto p = PrivateQuantilePeer::Probabilities(
      quantile, std::vector<double>{0.5, 2.5, 2.5});
  const double total = 1 + 2 * step + 2 * std::pow(step, 3);
  EXPECT_NEAR(p[0], step / total, 1e-8);
  EXPECT_NEAR(p[1], step / total, 1e-8);
  EXPECT_NEAR(p[2], 1 / total, 1e-8);
  EXPECT_NEAR(p[3], std::pow(step, 3) / total, 1e-8);
  EXPECT_NEAR(p[4], std::pow(step, 3) / total, 1e-8);
}

TEST(PrivateQuantileTest, FindsQuantilesOfManyNumbers) {
  base::Rng rng(62);
  std::vector<double> values;
  for (int i = 0; i < 20'000; ++i) values.push_back(rng.Uniform(-3, 3));
  NoiseSource noise = NoiseSource::Simulation(63);
  for (const double q : {0.1, 0.5, 0.75}) {
    const PrivateQuantile quantile(
        {.quantile = q, .lower = -10, .upper = 10, .epsilon = 0.5});
    // log(10^9 cells) / 0.25 = 80 ranks of 20,000, and sampling error.
    EXPECT_NEAR(quantile.Release(values, "", noise).value(), -3 + 6 * q, 0.15);
  }
}

TEST(PrivateQuantileTest, FindsTheValueThatAllShare) {
  const PrivateQuantile quantile({.lower = 0, .upper = 1, .epsilon = 1});
  NoiseSource noise = NoiseSource::Simulation(64);
  const std::vector<double> values(1000, 0.3);
  EXPECT_NEAR(quantile.Release(values, "", noise).value(), 0.3, 1.0 / 4096);
}

TEST(PrivateQuantileTest, WhatIsNotFiniteCountsAsLowestWithoutAWord) {
  const PrivateQuantile quantile(Cells(10, 0.5, 1));
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double odd : {kNan, -infinity, infinity, -1e300}) {
    EXPECT_EQ(PrivateQuantilePeer::Probabilities(
                  quantile, std::vector<double>{odd, 5.5, 6.5}),
              PrivateQuantilePeer::Probabilities(
                  quantile, std::vector<double>{0.5, 5.5, 6.5}));
  }
  EXPECT_EQ(
      PrivateQuantilePeer::Probabilities(quantile, std::vector<double>{1e300}),
      PrivateQuantilePeer::Probabilities(quantile, std::vector<double>{9.5}));
}

TEST(PrivateQuantileTest, NobodyGivesACellAtRandom) {
  const auto p =
      PrivateQuantilePeer::Probabilities(PrivateQuantile(Cells(8, 0.5, 1)), {});
  for (const double x : p) EXPECT_DOUBLE_EQ(x, 1.0 / 8);
}

TEST(PrivateQuantileTest, TheEventIsPure) {
  const PrivateQuantile quantile(Cells(8, 0.5, 0.3));
  NoiseSource noise = NoiseSource::Simulation(65);
  const auto released =
      quantile.Release(std::vector<double>{1}, "today", noise);
  EXPECT_EQ(std::get<Pure>(released.event().mechanism).epsilon, 0.3);
  EXPECT_EQ(released.event(), quantile.Event("today"));
}

TEST(PrivateQuantileTest, WorksAtBothEndsOfEpsilon) {
  NoiseSource noise = NoiseSource::Simulation(66);
  const std::vector<double> values = {2.5, 3.5, 4.5};
  for (const double epsilon : {1e-4, 40.0}) {
    const PrivateQuantile quantile(Cells(8, 0.5, epsilon));
    quantile.Release(values, "", noise);
    EXPECT_LE(LargestLoss(Cells(3, 0.5, epsilon), Adjacency::kAddRemove),
              epsilon + 1e-12);
  }
}

TEST(PrivateQuantileTest, RefusesNumbersThatCannotBe) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto refuses = [](const char* what, QuantileOptions bad) {
    ExpectBadInput([&] { PrivateQuantile quantile(bad); }, what);
  };
  refuses("no bounds", {.epsilon = 1});
  refuses("NaN", {.lower = kNan, .upper = 1, .epsilon = 1});
  refuses("NaN", {.lower = 0, .upper = kNan, .epsilon = 1});
  refuses("infinite", {.lower = 0, .upper = infinity, .epsilon = 1});
  refuses("infinite width", {.lower = -1e308, .upper = 1e308, .epsilon = 1});
  refuses("reversed", {.lower = 1, .upper = 0, .epsilon = 1});
  for (const double epsilon : {0.0, -1.0, kNan, 1000.0}) {
    refuses("epsilon", {.lower = 0, .upper = 1, .epsilon = epsilon});
  }
  for (const double q : {0.0, 1.0, -0.5, 0.12345, kNan}) {
    refuses("quantile", {.quantile = q, .lower = 0, .upper = 1, .epsilon = 1});
  }
  refuses("candidates",
          {.lower = 0, .upper = 1, .epsilon = 1, .candidates = 1});
}

}  // namespace
}  // namespace sfumato::dp
