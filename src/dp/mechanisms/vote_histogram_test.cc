#include "dp/mechanisms/vote_histogram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "dp/accounting/pld.h"
#include "dp/mechanisms/falsify_testing.h"

namespace sfumato::dp {
namespace {

using Marks = std::vector<std::vector<std::int64_t>>;  // of each unit

constexpr DiscreteLaplaceNoise kScaleTwo{{.numerator = 2, .denominator = 1}};

std::vector<std::int64_t> Counted(const Marks& marks, std::int64_t most) {
  return CountVotes(marks, 3, most);
}

TEST(VoteHistogramTest, OnlyTheFirstDifferentDeclaredMarksCount) {
  EXPECT_EQ(Counted({{0}, {2}, {2}, {}}, 1),
            (std::vector<std::int64_t>{1, 0, 2}));
  EXPECT_EQ(Counted({{0, 1, 2}}, 2), (std::vector<std::int64_t>{1, 1, 0}));
  EXPECT_EQ(Counted({{1, 1, 1, 2}}, 2), (std::vector<std::int64_t>{0, 1, 1}));
  // Outside of the cells counts nowhere, and takes no mark.
  EXPECT_EQ(Counted({{-1, 3, std::numeric_limits<std::int64_t>::max(), 1}}, 1),
            (std::vector<std::int64_t>{0, 1, 0}));
}

TEST(VoteHistogramTest, IsTheCountsWithNoiseOnEachCell) {
  const VoteHistogram votes({.cells = 2, .noise = kScaleTwo});
  NoiseSource noise = NoiseSource::Simulation(81);
  const Marks marks(100, {1});
  constexpr int kTimes = 20'000;
  double sum[2] = {};
  double squares[2] = {};
  double product = 0;
  for (int i = 0; i < kTimes; ++i) {
    const auto counts = votes.Release(marks, "", noise).value();
    ASSERT_EQ(counts.size(), 2u);
    const double x[2] = {static_cast<double>(counts[0]),
                         static_cast<double>(counts[1] - 100)};
    for (int cell = 0; cell < 2; ++cell) {
      sum[cell] += x[cell];
      squares[cell] += x[cell] * x[cell];
    }
    product += x[0] * x[1];
  }
  // Variance 2p/(1-p)^2 with p = e^(-1/2): 7.835. Fourth moment below 6 times
  // its square. Six deviations of each mean.
  const double p = std::exp(-0.5);
  const double variance = 2 * p / ((1 - p) * (1 - p));
  for (int cell = 0; cell < 2; ++cell) {
    EXPECT_NEAR(sum[cell] / kTimes, 0, 6 * std::sqrt(variance / kTimes));
    EXPECT_NEAR(squares[cell] / kTimes, variance,
                6 * variance * std::sqrt(5.0 / kTimes));
  }
  EXPECT_NEAR(product / kTimes, 0, 6 * variance / std::sqrt(kTimes));
  EXPECT_NEAR(DeviationOf(kScaleTwo), std::sqrt(variance), 1e-12);
}

TEST(VoteHistogramTest, OneVoteAtEpsilonHalfIsAPureEventOfOneHalf) {
  const DiscreteLaplaceNoise noise =
      LaplaceNoiseFor(0.5, CellsMoved(1, Adjacency::kAddRemove));
  const VoteHistogram votes({.cells = 24, .noise = noise});
  EXPECT_EQ(votes.Event("").mechanism, Mechanism(Pure{.epsilon = 0.5}));
  EXPECT_EQ(votes.Event("").count, 1);
  // (e^0.5 - 1) / (e^0.5 + 1), which the continuous Laplace's curve, 0.2212,
  // understates: the reason why this is not a Laplace event.
  const Event event = votes.Event("");
  EXPECT_NEAR(PldEpsilon({&event, 1}, 0.2449), 0, 1e-3);
  EXPECT_GT(PldEpsilon({&event, 1}, 0.2212), 0.03);
  EXPECT_LE(PldEpsilon({&event, 1}, 1e-9), 0.5 + 1e-9);
}

TEST(VoteHistogramTest, EveryCellThatAUnitMayMoveIsPaid) {
  struct Case {
    std::int64_t marks;
    Adjacency adjacency;
    std::int64_t moved;
  };
  for (const Case& c :
       {Case{1, Adjacency::kAddRemove, 1}, Case{2, Adjacency::kAddRemove, 2},
        Case{1, Adjacency::kReplaceOne, 2},
        Case{3, Adjacency::kReplaceOne, 6}}) {
    EXPECT_EQ(CellsMoved(c.marks, c.adjacency), c.moved);
    for (const VoteNoise& noise :
         {VoteNoise(LaplaceNoiseFor(0.7, c.moved)),
          VoteNoise(DiscreteGaussianNoise{.deviation = 8})}) {
      const VoteHistogram votes({.cells = 10,
                                 .marks = c.marks,
                                 .noise = noise,
                                 .participants = {.adjacency = c.adjacency}});
      EXPECT_EQ(votes.Event("").count, c.moved);
      EXPECT_EQ(votes.Event("").adjacency, c.adjacency);
    }
  }
}

TEST(VoteHistogramTest, TheNoiseForAnEpsilonNeverCostsMore) {
  for (const double epsilon : {0.5, 0.1, 0.3, 1.0 / 3, 0.7, 1.1, 7.3, 99.9}) {
    for (const std::int64_t moved : {1, 2, 3, 10}) {
      const Rational scale = LaplaceNoiseFor(epsilon, moved).scale;
      const long double cost = static_cast<long double>(moved) *
                               static_cast<long double>(scale.denominator) /
                               static_cast<long double>(scale.numerator);
      EXPECT_LE(cost, static_cast<long double>(epsilon)) << epsilon;
      // One step less would cost more: nothing is wasted.
      EXPECT_GT(static_cast<long double>(moved) *
                    static_cast<long double>(scale.denominator) /
                    static_cast<long double>(scale.numerator - 1),
                static_cast<long double>(epsilon))
          << epsilon;
      EXPECT_LT(scale.numerator, std::uint64_t{1} << 31);
    }
  }
}

TEST(VoteHistogramTest, ADeviationIsThatOfWholeNumbers) {
  EXPECT_NEAR(DeviationOf(DiscreteGaussianNoise{5}), 5, 1e-12);
  // At 0.5 nearly all is at -1, 0 and 1, which have e^-2 of the middle; then
  // e^-8 at 2.
  const double one = std::exp(-2.0);
  const double two = std::exp(-8.0);
  EXPECT_NEAR(DeviationOf(DiscreteGaussianNoise{0.5}),
              std::sqrt(2 * (one + 4 * two) / (1 + 2 * (one + two))), 1e-6);
}

TEST(VoteHistogramTest, TheEventSaysWhoAndWhich) {
  const VoteHistogram votes(
      {.cells = 2,
       .noise = DiscreteGaussianNoise{.deviation = 4},
       .participants = {.population = {.name = "phones"}}});
  NoiseSource noise = NoiseSource::Simulation(82);
  const auto released = votes.Release({}, "monday", noise);
  EXPECT_EQ(released.event(), votes.Event("monday"));
  EXPECT_EQ(released.event().population.name, "phones");
  EXPECT_EQ(released.event().mechanism,
            Mechanism(DiscreteGaussian{.noise_multiplier = 4}));
  EXPECT_TRUE(released.simulated());
  EXPECT_EQ(released.value().size(), 2u);
}

TEST(VoteHistogramTest, RefusesWhatCannotBe) {
  const auto refuses = [](VoteHistogramOptions options, const char* what) {
    ExpectBadInput([&] { VoteHistogram votes(options); }, what);
  };
  refuses({.cells = 0, .noise = kScaleTwo}, "no cells");
  refuses({.cells = 2, .marks = 0, .noise = kScaleTwo}, "no marks");
  refuses({.cells = 2, .marks = 3, .noise = kScaleTwo}, "marks");
  refuses({.cells = 2}, "no noise");
  refuses(
      {.cells = 2, .noise = DiscreteLaplaceNoise{{.numerator = 1ull << 31}}},
      "scale");
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    refuses({.cells = 2, .noise = DiscreteGaussianNoise{bad}}, "deviation");
    ExpectBadInput([&] { LaplaceNoiseFor(bad, 1); }, "epsilon");
  }
  ExpectBadInput([] { LaplaceNoiseFor(0.5, 0); }, "moved");
  EXPECT_THROW(VoteHistogram({.cells = 2,
                              .noise = kScaleTwo,
                              .participants = {.sampling = Poisson{0.5}}}),
               Error);
}

}  // namespace
}  // namespace sfumato::dp
