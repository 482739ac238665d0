#include "dp/accounting/filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "dp/accounting/gaussian.h"
#include "dp/accounting/rdp.h"

namespace sfumato::dp {
namespace {

Event GaussianEvent(double noise) {
  return {.mechanism = Gaussian{.noise_multiplier = noise}};
}

Event PoissonEvent(double noise, double rate) {
  return {.mechanism = Gaussian{.noise_multiplier = noise},
          .sampling = Poisson{.rate = rate}};
}

Event CellEvent(double noise, const std::string& cell) {
  Event event = GaussianEvent(noise);
  event.population = {.name = cell, .root = "all", .partition = "p"};
  return event;
}

// The largest count that fits.
std::int64_t Capacity(const Filter& filter, const Event& event) {
  std::int64_t low = 0, high = 1'000'000'000;
  const FilterCost cost = filter.Cost(event);
  while (high - low > 1) {
    const std::int64_t middle = (low + high) / 2;
    const Charge charge{.cost = cost, .count = middle};
    (filter.Fits({&charge, 1}) ? low : high) = middle;
  }
  return low;
}

// The divergence that converts to epsilon (Canonne, Kamath, Steinke 2020).
double Bound(double a, double epsilon, double delta) {
  return epsilon - std::log((a - 1) / a) +
         (std::log(delta) + std::log(a)) / (a - 1);
}

Filter SettledFor(const Budget& budget, const Event& event) {
  const Filter open(budget);
  const Charge charge{.cost = open.Cost(event), .count = 1};
  return open.Settled({&charge, 1});
}

TEST(FilterTest, AnOpenFilterHoldsWhatOneOrderWithThreeQuartersOfDeltaHolds) {
  // Nine tenths of delta are for orders, three quarters of them for one. A
  // Gaussian with z = 100 costs a / 20000 at order a.
  const Filter filter({.epsilon = 2, .delta = 1e-6});
  double most = 0;
  for (const double a : kFilterOrders) {
    most = std::max(most, Bound(a, 2, 0.75 * 0.9e-6) / (a / 20'000));
  }
  EXPECT_EQ(Capacity(filter, GaussianEvent(100)),
            static_cast<std::int64_t>(most));
}

TEST(FilterTest, SettlingKeepsWhatThePlanHad) {
  const Budget budget{.epsilon = 2, .delta = 1e-6};
  for (const Event& event :
       {GaussianEvent(100), PoissonEvent(1, 0.01), PoissonEvent(0.8, 0.001)}) {
    EXPECT_EQ(Capacity(SettledFor(budget, event), event),
              Capacity(Filter(budget), event));
  }
}

TEST(FilterTest, OtherOrdersShareAQuarterOfDelta) {
  // Settled for pure epsilons (order 1024). With a ninth of the quarter each,
  // order 8 has no room and order 10 is none of the others:
  //   2 - log(7/8) + (log(2.5e-8) + log 8) / 7 = -0.070
  // so 12 to 128 (eight) share it, with 1024 settled. z = 100 as above.
  const Filter filter =
      SettledFor({.epsilon = 2, .delta = 1e-6}, {.mechanism = Pure{0.5}});
  ASSERT_EQ(filter.order(), 1024);
  double most = Bound(1024, 2, 0.75 * 0.9e-6) / (1024.0 / 20'000);
  for (const double a : {12., 16., 24., 32., 48., 64., 96., 128.}) {
    most = std::max(most, Bound(a, 2, 0.25 * 0.9e-6 / 8) / (a / 20'000));
  }
  EXPECT_EQ(Capacity(filter, GaussianEvent(100)),
            static_cast<std::int64_t>(most));
}

TEST(FilterTest, TheSharesOfDeltaAddUpToDelta) {
  // For a budget with room at every order, whatever the settled order: it and
  // the nine others. Each share is what the ordinary conversion needs to turn
  // an order's bound into epsilon.
  const Budget budget{.epsilon = 60, .delta = 1e-3};
  for (const double settled : {2., 5., 64., 1024.}) {
    const Filter filter(budget, settled);
    double shares = 0;
    for (std::size_t i = 0; i < kFilterOrders.size(); ++i) {
      // Alone at one order: everything else is out of the question.
      FilterCost cost;
      cost.divergence.fill(1e9);
      cost.divergence[i] = 1e-6;
      const Charge charge{.cost = cost, .count = 1};
      const double used = filter.Used({&charge, 1});
      if (used > 1) continue;  // no share
      const double a = kFilterOrders[i], bound = 1e-6 / used;
      shares += std::exp((bound - 60 + std::log((a - 1) / a)) * (a - 1) -
                         std::log(a));
    }
    EXPECT_NEAR(shares, 0.9e-3, 1e-8) << settled;
    EXPECT_LE(shares, 0.9e-3) << settled;
  }
}

TEST(FilterTest, WhatItAdmitsIsWithinTheBudgetByItsOwnOrders) {
  // Every order alone, at its share, is an accountant: the budget must hold by
  // the ordinary conversion at the order that admitted.
  for (const double epsilon : {0.1, 1.0, 8.0, 50.0}) {
    for (const double delta : {1e-3, 1e-6, 1e-12}) {
      const Budget budget{.epsilon = epsilon, .delta = delta};
      const Filter filter(budget);
      for (const Event& event : {GaussianEvent(30), PoissonEvent(1, 0.001)}) {
        Event all = event;
        all.count = Capacity(filter, event);
        if (all.count == 0) continue;
        // At the whole delta, with more orders to choose from: strictly less.
        EXPECT_LT(RdpEpsilon({&all, 1}, delta).epsilon, epsilon);
        const Charge charge{.cost = filter.Cost(event), .count = all.count};
        EXPECT_LE(filter.Epsilon({&charge, 1}), epsilon * (1 + 1e-9));
      }
    }
  }
}

TEST(FilterTest, EpsilonMeetsTheBudgetWhereTheFilterIsFull) {
  const Filter filter({.epsilon = 2, .delta = 1e-6});
  const Event event = GaussianEvent(1000);
  const Charge full{.cost = filter.Cost(event),
                    .count = Capacity(filter, event)};
  EXPECT_NEAR(filter.Used({&full, 1}), 1, 1e-4);
  EXPECT_NEAR(filter.Epsilon({&full, 1}), 2, 1e-3);
  EXPECT_EQ(filter.Epsilon({}), 0);
  EXPECT_EQ(filter.Used({}), 0);
}

TEST(FilterTest, GdpReachesTheExactGaussianBound) {
  // n releases with z have mu^2 = n / z^2; privacy_facts: one release of
  // epsilon 1, delta 1e-5 needs sigma 3.73063.
  const Filter filter(
      {.epsilon = 1, .delta = 1e-5, .filter = FilterKind::kGdp});
  const double noise = 100;
  EXPECT_EQ(Capacity(filter, GaussianEvent(noise)),
            static_cast<std::int64_t>(noise * noise / (3.73063 * 3.73063)));
  const Filter rdp({.epsilon = 1, .delta = 1e-5});
  EXPECT_LT(Capacity(rdp, GaussianEvent(noise)),
            Capacity(filter, GaussianEvent(noise)));
}

TEST(FilterTest, GdpAppliesTheSensitivityOfTheAdjacency) {
  Event event = GaussianEvent(100);
  event.adjacency = Adjacency::kReplaceOne;
  const Filter filter({.epsilon = 1,
                       .delta = 1e-5,
                       .adjacency = Adjacency::kReplaceOne,
                       .filter = FilterKind::kGdp});
  EXPECT_DOUBLE_EQ(filter.Cost(event).divergence[0], 4.0 / 10'000);
  EXPECT_EQ(Capacity(filter, event),
            static_cast<std::int64_t>(2500 / (3.73063 * 3.73063)));
}

TEST(FilterTest, GdpRefusesWhatIsNotPlainGaussian) {
  const Filter filter({.filter = FilterKind::kGdp});
  const Event events[] = {
      PoissonEvent(1, 0.01),
      {.mechanism = Laplace{.noise_multiplier = 1}},
      {.mechanism = Pure{.epsilon = 0.1}},
      {.mechanism = ThresholdedHistogram{.noise_multiplier = 1, .delta = 1e-9}},
  };
  for (const Event& event : events) {
    try {
      filter.Cost(event);
      ADD_FAILURE() << Describe(event);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
      EXPECT_NE(error.todo().find("rdp"), std::string::npos);
    }
  }
}

TEST(FilterTest, RefusesOtherAdjacenciesAndUnits) {
  const Filter filter({.epsilon = 1, .delta = 1e-6});
  Event replace = GaussianEvent(1);
  replace.adjacency = Adjacency::kReplaceOne;
  Event example = GaussianEvent(1);
  example.unit = Unit::kExample;
  for (const Event& event : {replace, example}) {
    try {
      filter.Cost(event);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    }
  }
}

TEST(FilterTest, OwnDeltasAreHeldToTheirPartOfDelta) {
  // A tenth of 1e-6 is above ten of 0.99e-8 and below eleven.
  const Filter filter({.epsilon = 5, .delta = 1e-6});
  const FilterCost cost =
      filter.Cost({.mechanism = ThresholdedHistogram{.noise_multiplier = 100,
                                                     .delta = 0.99e-8}});
  EXPECT_DOUBLE_EQ(cost.delta, 0.99e-8);
  const Charge ten{.cost = cost, .count = 10};
  const Charge eleven{.cost = cost, .count = 11};
  EXPECT_TRUE(filter.Fits({&ten, 1}));
  EXPECT_FALSE(filter.Fits({&eleven, 1}));
  EXPECT_NEAR(filter.Used({&eleven, 1}), 1.089, 1e-12);
  EXPECT_EQ(filter.Epsilon({&eleven, 1}),
            std::numeric_limits<double>::infinity());
}

TEST(FilterTest, OwnDeltasTakeNothingFromTheOrders) {
  const Filter filter({.epsilon = 2, .delta = 1e-6});
  const Event event = GaussianEvent(100);
  const std::int64_t capacity = Capacity(filter, event);
  const Charge charges[] = {
      {.cost = filter.Cost(event), .count = capacity},
      {.cost = filter.Cost(
           {.mechanism = Approximate{.epsilon = 0, .delta = 0.9e-7}}),
       .count = 1}};
  EXPECT_TRUE(filter.Fits(charges));
}

TEST(FilterTest, AMillionChargesReachTheBoundWhereOneDoes) {
  // Counts times costs: one charge of n and n charges of one are told apart
  // neither below nor above the bound. A sum of n doubles would drift.
  const Filter filter({.epsilon = 2, .delta = 1e-6});
  const Event event = GaussianEvent(5000);
  const std::int64_t capacity = Capacity(filter, event);
  ASSERT_GT(capacity, 1'000'000);
  const FilterCost cost = filter.Cost(event);
  const Charge fits{.cost = cost, .count = capacity};
  const Charge over{.cost = cost, .count = capacity + 1};
  EXPECT_TRUE(filter.Fits({&fits, 1}));
  EXPECT_FALSE(filter.Fits({&over, 1}));
}

TEST(FilterTest, CellsOfAPartitionPayTheirMaximum) {
  const Filter filter({.epsilon = 2, .delta = 1e-6});
  const FilterCost everybody = filter.Cost(GaussianEvent(10));
  const FilterCost a = filter.Cost(CellEvent(10, "a"));
  const FilterCost b = filter.Cost(CellEvent(10, "b"));
  // 1 for everybody, 3 in a, 2 in b: as 4 for everybody.
  const Charge charges[] = {{everybody, 1}, {a, 3}, {b, 2}};
  const Charge four{everybody, 4};
  EXPECT_DOUBLE_EQ(filter.Used(charges), filter.Used({&four, 1}));
  // Another partition is another draw of cells: it adds.
  Event other = CellEvent(10, "b");
  other.population.partition = "q";
  const Charge apart[] = {{everybody, 1}, {a, 3}, {filter.Cost(other), 2}};
  const Charge six{everybody, 6};
  EXPECT_DOUBLE_EQ(filter.Used(apart), filter.Used({&six, 1}));
}

TEST(FilterTest, TheMaximumIsTakenOrderByOrder) {
  // Cell a costs more at small orders, b at large ones: at no order less than
  // either.
  const Filter filter({.epsilon = 2, .delta = 1e-6});
  Event pure = CellEvent(1, "b");
  pure.mechanism = Pure{.epsilon = 0.5};
  const Charge a{filter.Cost(CellEvent(6, "a")), 1};
  const Charge b{filter.Cost(pure), 1};
  const Charge both[] = {a, b};
  EXPECT_GE(filter.Used(both), filter.Used({&a, 1}));
  EXPECT_GE(filter.Used(both), filter.Used({&b, 1}));
}

TEST(FilterTest, AnOrderThatAnEventBreaksIsGoneForGood) {
  // Poisson z = 1, q = 0.01 costs 8.936439076e-04 at order 8 and 11.2 at order
  // 32 (privacy_facts): a filter settled for 32 can only go on with the others,
  // 12 (the lowest with room) to 192, and 1024.
  const Budget budget{.epsilon = 2, .delta = 1e-6};
  const Charge ten{Filter(budget).Cost(PoissonEvent(1, 0.01)), 10};
  EXPECT_LE(Filter(budget, 8).Used({&ten, 1}),
            10 * 8.936439076e-04 / Bound(8, 2, 0.75 * 0.9e-6) * (1 + 1e-9));
  EXPECT_DOUBLE_EQ(Filter(budget, 32).Used({&ten, 1}),
                   10 * PoissonGaussianRdp(12, 0.01, 1) /
                       (Bound(12, 2, 0.25 * 0.9e-6 / 9) * (1 - 1e-12)));
}

TEST(FilterTest, PureEpsilonsAddUpToNearlyTheBudget) {
  // At order 1024 each costs at most its epsilon, and the conversion less than
  // 0.01.
  const Filter filter({.epsilon = 2, .delta = 1e-6});
  const FilterCost cost = filter.Cost({.mechanism = Pure{.epsilon = 0.99}});
  const Charge two{cost, 2};
  const Charge three{cost, 3};
  EXPECT_TRUE(filter.Fits({&two, 1}));
  EXPECT_FALSE(filter.Fits({&three, 1}));
}

TEST(FilterTest, SmallBudgetsFindHighOrders) {
  const Filter filter({.epsilon = 0.05, .delta = 1e-6});
  EXPECT_GT(Capacity(filter, GaussianEvent(1000)), 10);
}

TEST(FilterTest, ABudgetTooSmallForEveryOrderAdmitsNothing) {
  const Filter filter({.epsilon = 1e-3, .delta = 1e-6});
  const Charge charge{filter.Cost(GaussianEvent(1e6)), 1};
  EXPECT_FALSE(filter.Fits({&charge, 1}));
  EXPECT_TRUE(filter.Fits({}));
}

TEST(FilterTest, RefusesBudgetsThatAreNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const Budget budgets[] = {{.epsilon = 0},   {.epsilon = -1}, {.epsilon = nan},
                            {.epsilon = inf}, {.delta = 0},    {.delta = 1},
                            {.delta = nan},   {.delta = -1e-6}};
  for (const Budget& budget : budgets) {
    try {
      const Filter filter(budget);
      ADD_FAILURE() << budget.epsilon << " " << budget.delta;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    }
  }
}

TEST(WithoutPartitionsTest, TakesOfEveryKindTheCellThatHasMost) {
  Event a1 = CellEvent(1, "a"), b1 = CellEvent(1, "b");
  Event a2 = CellEvent(2, "a"), common = GaussianEvent(3);
  common.population.name = "all";
  a1.count = 5;
  b1.count = 7;
  a2.count = 2;
  common.count = 4;
  const Event events[] = {a1, common, b1, a2};
  std::vector<Event> flat = WithoutPartitions(events);
  ASSERT_EQ(flat.size(), 3u);
  std::sort(flat.begin(), flat.end(), [](const Event& x, const Event& y) {
    return std::get<Gaussian>(x.mechanism).noise_multiplier <
           std::get<Gaussian>(y.mechanism).noise_multiplier;
  });
  EXPECT_EQ(flat[0].count, 7);
  EXPECT_EQ(flat[1].count, 2);
  EXPECT_EQ(flat[2].count, 4);
  for (const Event& event : flat) {
    EXPECT_EQ(event.population, Population{.name = "all"});
  }
}

}  // namespace
}  // namespace sfumato::dp
