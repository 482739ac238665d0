#include "dp/mechanisms/question.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"

namespace sfumato::dp {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Question Bars(std::vector<double> edges, double deviation) {
  return {"bars",
          BarsQuestion{.edges = std::move(edges), .deviation = deviation}};
}

std::vector<double> Answered(const Question& question,
                             const std::vector<double>& numbers) {
  NoiseSource noise = NoiseSource::Simulation(3);
  return Ask(question, numbers, EventOf(question, {}), noise).value();
}

TEST(QuestionTest, BarsHoldTheirLowerEdgeAndTheLastBoth) {
  // At deviation 0.1 noise other than zero comes once in 10^21.
  const Question question = Bars({0, 0.5, 0.75, 1}, 0.1);
  const std::vector<double> numbers = {0,
                                       0.1,
                                       0.5,
                                       0.7,
                                       0.75,
                                       0.9,
                                       1,
                                       -0.1,
                                       1.01,
                                       kNaN,
                                       std::numeric_limits<double>::infinity()};
  const std::vector<double> counts = {2, 2, 3};
  EXPECT_EQ(Answered(question, numbers), counts);
  EXPECT_EQ(WithoutNoise(question, numbers), counts);
}

TEST(QuestionTest, WhoHasNoNumberIsNoPartOfAQuantile) {
  // 900 users without a number would pull the median to 0.
  std::vector<double> numbers(900, kNaN);
  for (int i = 0; i < 100; ++i) numbers.push_back(0.8);
  const Question median{"m", QuantileQuestion{.quantile = 0.5, .epsilon = 5}};
  // A cell that misses by 50 users: e^(-5 * 50) times as likely.
  EXPECT_NEAR(Answered(median, numbers)[0], 0.8, 1e-3);
  // 0.8 lies in the 3,277th of 4,096 cells (0.8 * 4096 = 3276.8).
  EXPECT_EQ(WithoutNoise(median, numbers)[0], 3276.5 / 4096);
}

// Half of the users have none right: the quarter "below" must not be nobody.
TEST(QuestionTest, AQuantileAmongTiesIsBesideThemAsAReleaseIs) {
  std::vector<double> numbers(50, 0.0);
  numbers.insert(numbers.end(), 50, 1.0);
  const Question low{"q", QuantileQuestion{.quantile = 0.25, .epsilon = 5}};
  const Question high{"q", QuantileQuestion{.quantile = 0.75, .epsilon = 5}};
  EXPECT_EQ(WithoutNoise(low, numbers)[0], 0.5 / 4096);
  EXPECT_EQ(WithoutNoise(high, numbers)[0], 1 - 0.5 / 4096);
  EXPECT_EQ(Answered(low, numbers), WithoutNoise(low, numbers));
  EXPECT_EQ(Answered(high, numbers), WithoutNoise(high, numbers));
}

TEST(QuestionTest, ThePriceIsTheMechanismsOwn) {
  const Population phones{.name = "phones"};
  const Event bars = EventOf(Bars({0, 1, 2}, 20), phones, "today");
  EXPECT_EQ(bars, (Event{.mechanism = DiscreteGaussian{.noise_multiplier = 20},
                         .population = phones,
                         .cohort = "today"}));
  const Question quantile{"q",
                          QuantileQuestion{.quantile = 0.25, .epsilon = 0.1}};
  EXPECT_EQ(EventOf(quantile, phones),
            (Event{.mechanism = Pure{.epsilon = 0.1}, .population = phones}));
  EXPECT_EQ(DeviationOf(quantile), 0);
  EXPECT_EQ(DeviationOf(Bars({0, 1}, 7)), 7);
}

TEST(QuestionTest, RefusesWhatCannotBeAsked) {
  for (const std::vector<double>& edges :
       {std::vector<double>{},
        {0},
        {0, 0},
        {1, 0},
        {0, kNaN},
        {kNaN, 1},
        {0, std::numeric_limits<double>::infinity()}}) {
    EXPECT_THROW(EventOf(Bars(edges, 5), {}), Error);
  }
  for (const double deviation : {0.0, -1.0, kNaN}) {
    EXPECT_THROW(EventOf(Bars({0, 1}, deviation), {}), Error);
  }
  for (const double epsilon : {0.0, kNaN}) {
    EXPECT_THROW(
        EventOf({"q", QuantileQuestion{.quantile = 0.5, .epsilon = epsilon}},
                {}),
        Error);
  }
}

TEST(QuestionTest, EvenEdgesEndWhereTheyShould) {
  EXPECT_EQ(EvenEdges(0, 1, 4), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
}

}  // namespace
}  // namespace sfumato::dp
