#include "dp/accounting/published.h"

#include <cmath>
#include <limits>
#include <string>

#include "base/error.h"
#include "gtest/gtest.h"

namespace sfumato::dp {
namespace {

const PublishedRow& Row(const std::string& name, std::int64_t population = 0) {
  for (const PublishedRow& row : PublishedRows()) {
    if (row.name == name && (population == 0 || row.population == population)) {
      return row;
    }
  }
  throw BadInput("no row " + name);
}

TEST(PublishedTest, EveryRowRoundsToWhatThePaperPrints) {
  for (const PublishedRow& row : PublishedRows()) {
    const double epsilon = PublishedEpsilon(row.options).epsilon;
    // The generators' paper says "epsilon = 10" for 9.99 to 10.1.
    const double half_a_digit = row.printed > 1e6   ? 5e3
                                : row.printed == 10 ? 0.11
                                                    : 0.005;
    EXPECT_NEAR(epsilon, row.printed, half_a_digit)
        << row.name << " " << row.population;
  }
}

struct Exact {
  const char* name;
  double epsilon;
  double order;
};

TEST(PublishedTest, UserLevelRowsHaveTheirDigitsAndOrders) {
  const Exact rows[] = {{"Fig 3a", 2.379728, 10}, {"Fig 3b", 1.482468, 14},
                        {"Fig 6", 1.787371, 12},  {"Fig 7a", 1.471754, 14},
                        {"Fig 7b", 1.398027, 15}, {"Fig 8a", 1.393471, 15},
                        {"Fig 8b", 1.404145, 15}, {"RNN", 9.222295, 4}};
  for (const Exact& row : rows) {
    const RdpResult ours = PublishedEpsilon(Row(row.name).options);
    EXPECT_NEAR(ours.epsilon, row.epsilon, 5.1e-7) << row.name;
    EXPECT_EQ(ours.order, row.order) << row.name;
  }
}

TEST(PublishedTest, SimulationRowsHaveTheirDigits) {
  const std::pair<std::int64_t, double> rows[] = {
      {425, 9993200},  {850, 9991815},  {2125, 9989983}, {2905, 9989358},
      {3282, 9989114}, {3340, 9989079}, {3400, 9989043}};
  for (const auto& [population, epsilon] : rows) {
    EXPECT_NEAR(PublishedEpsilon(Row("simulation", population).options).epsilon,
                epsilon, 0.5)
        << population;
  }
}

TEST(PublishedTest, SimulationRowIsOrderTwoByHand) {
  // Order 2, N = 425: the only term is q^2 2 e^{1/z^2}, and 1/z^2 = 10^4, so
  // 1000 (10^4 + log 2 + 2 log(10/425)) + log 425.
  const double by_hand =
      1000 * (1e4 + std::log(2) + 2 * std::log(10.0 / 425)) + std::log(425);
  EXPECT_NEAR(PublishedEpsilon(Row("simulation", 425).options).epsilon, by_hand,
              1e-6);
}

TEST(PublishedTest, TheMisprintedPopulationGivesAnotherEpsilon) {
  PublishedOptions options = Row("RNN").options;
  options.rate = 5000.0 / 342777;
  options.delta = 1.0 / 342777;
  EXPECT_NEAR(PublishedEpsilon(options).epsilon, 9.21, 0.005);
}

TEST(PublishedTest, GeneratorsHaveTheirDigits) {
  EXPECT_NEAR(PublishedEpsilon(Row("GS-WGAN").options).epsilon, 9.992624,
              5.1e-7);
  EXPECT_NEAR(PublishedEpsilon(Row("DP-SGD GAN").options).epsilon, 10.103,
              5.1e-4);
  EXPECT_NEAR(PublishedEpsilon(Row("DP-MERF").options).epsilon, 10.017, 5.1e-4);
  EXPECT_NEAR(PublishedEpsilon(Row("DP-MERF-AE").options).epsilon, 9.999,
              5.1e-4);
}

TEST(PublishedTest, SaysThatItProvesNothing) {
  EXPECT_STREQ(kPublishedProof, "none (published)");
}

TEST(PublishedTest, RefusesImpossibleSettings) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(PublishedEpsilon({.noise_multiplier = 0}), Error);
  EXPECT_THROW(PublishedEpsilon({.noise_multiplier = nan}), Error);
  EXPECT_THROW(PublishedEpsilon({.rate = 0}), Error);
  EXPECT_THROW(PublishedEpsilon({.rate = 1.1}), Error);
  EXPECT_THROW(PublishedEpsilon({.rounds = 0}), Error);
  EXPECT_THROW(PublishedEpsilon({.delta = 0}), Error);
  EXPECT_THROW(PublishedEpsilon({.delta = nan}), Error);
}

}  // namespace
}  // namespace sfumato::dp
