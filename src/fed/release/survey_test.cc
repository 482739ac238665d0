#include "fed/release/survey.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "fed/release/release_testing.h"

namespace sfumato::fed {
namespace {

const dp::Question kMedian{
    "median", dp::QuantileQuestion{.quantile = 0.5, .epsilon = 0.1}};
const dp::Question kQuarter{
    "quarter", dp::QuantileQuestion{.quantile = 0.25, .epsilon = 0.1}};
const dp::Question kSize{"size",
                         dp::BarsQuestion{.edges = {0, 1}, .deviation = 20}};

class SurveyTest : public LedgerTest {
 protected:
  void SetUp() override {
    LedgerTest::SetUp();
    Grant(5);
  }
  Survey Open(const Randomness& randomness,
              std::vector<dp::Question> questions) {
    return Survey(*ledger_, {.run = "first/survey",
                             .population = "phones",
                             .randomness = randomness,
                             .questions = std::move(questions)});
  }
};

std::vector<double> Spread(std::size_t users) {
  base::Rng rng(11);
  std::vector<double> numbers;
  for (std::size_t i = 0; i < users; ++i) {
    const double x = rng.Uniform();
    numbers.push_back(1 - x * x);  // quantile q at 1 - (1 - q)^2
  }
  return numbers;
}

// Whether a way of asking has paid when it begins to collect the users'
// numbers, for each question once.
using AskWith = std::function<void(dp::Ledger&, const dp::Question&,
                                   const Survey::Numbers&)>;
bool PaysBeforeItLooks(dp::Ledger& ledger, const AskWith& ask) {
  bool paid = true;
  std::int64_t before = 0;
  for (const dp::Question& question : {kMedian, kSize}) {
    ask(ledger, question, [&] {
      std::int64_t count = 0;
      for (const auto& e : ledger.TotalsOf("phones").released) count += e.count;
      paid = paid && count == before + 1;
      before = count;
      return Spread(100);
    });
  }
  return paid;
}

TEST_F(SurveyTest, IsPaidBeforeAnybodyIsAsked) {
  for (const Randomness& randomness : {kSimulation, kReal}) {
    Grant(randomness.simulation ? 3 : 4);
    Survey survey = Open(randomness, {kMedian, kSize});
    EXPECT_EQ(Reserved(), 2);
    EXPECT_EQ(Released(), 0);
    EXPECT_TRUE(PaysBeforeItLooks(
        *ledger_, [&](dp::Ledger&, const dp::Question& question,
                      const Survey::Numbers& numbers) {
          const SurveyAnswer answer = survey.Ask(question.name, numbers);
          EXPECT_FALSE(answer.ledger_head.empty());
          EXPECT_EQ(answer.simulated, randomness.simulation);
        }));
    survey.Finish();
    EXPECT_EQ(Released(), 2);
    EXPECT_EQ(Reserved(), 0);
  }
}

// The twin that forgets the ledger, and the one that pays afterwards.
TEST_F(SurveyTest, AWayOfAskingThatDoesNotPayFirstIsCaught) {
  const auto unpaid = [](dp::Ledger&, const dp::Question& question,
                         const Survey::Numbers& numbers) {
    dp::NoiseSource noise = dp::NoiseSource::Simulation(1);
    dp::Ask(question, numbers(), dp::EventOf(question, {}), noise);
  };
  EXPECT_FALSE(PaysBeforeItLooks(*ledger_, unpaid));
  EXPECT_FALSE(PaysBeforeItLooks(
      *ledger_, [&](dp::Ledger& ledger, const dp::Question& question,
                    const Survey::Numbers& numbers) {
        unpaid(ledger, question, numbers);
        const dp::Event event = dp::EventOf(question, {.name = "phones"});
        ledger.Spend(question.name, "phones", {&event, 1});
      }));
}

TEST_F(SurveyTest, WhatIsNotPaidForIsNotCollected) {
  Survey survey = Open(kReal, {kMedian});
  survey.Ask("median", [] { return Spread(10); });
  Grant(0.1);  // pays for one quantile, nothing more
  Survey poor = Open(kReal, {kMedian});
  poor.Ask("median", [] { return Spread(10); });
  EXPECT_EQ(Thrown([&] {
              poor.Ask("median", [] {
                ADD_FAILURE() << "somebody was asked";
                return Spread(10);
              });
            }).kind(),
            ErrorKind::kBudgetSpent);
}

TEST_F(SurveyTest, ASimulatedAnswerAgainIsTheSameAndCostsNothingMore) {
  const auto numbers = [] { return Spread(500); };
  Survey survey = Open(kSimulation, {kMedian, kQuarter, kSize});
  const SurveyAnswer first = survey.Ask("size", numbers);
  const dp::Head head = ledger_->head();
  // Another process, and once more after the end.
  EXPECT_EQ(
      Open(kSimulation, {kMedian, kQuarter, kSize}).Ask("size", numbers).values,
      first.values);
  EXPECT_EQ(ledger_->head(), head);
  survey.Finish();
  EXPECT_EQ(
      Open(kSimulation, {kMedian, kQuarter, kSize}).Ask("size", numbers).values,
      first.values);
  EXPECT_EQ(Released(), 1);
}

TEST_F(SurveyTest, OnPrivateDataAnAnswerAgainIsAnotherReleaseAndIsPaidAgain) {
  const auto numbers = [] { return Spread(500); };
  Open(kReal, {kMedian, kQuarter, kSize}).Ask("size", numbers);
  EXPECT_EQ(Released(), 1);
  // The answer was lost in a crash.
  Survey survey = Open(kReal, {kMedian, kQuarter, kSize});
  survey.Ask("size", numbers);
  EXPECT_EQ(Released(), 2);
  EXPECT_EQ(ledger_->PartsOf("first/survey").size(), 2u);
  survey.Ask("median", numbers);
  survey.Ask("quarter", numbers);
  EXPECT_EQ(Released(), 4);
  survey.Finish();
  EXPECT_EQ(Reserved(), 0);
  EXPECT_TRUE(ledger_->Verify().empty());
}

// Questions of one price share what is reserved; a repeated one must not pass
// for the release that was entered before.
TEST_F(SurveyTest, EveryTimeThatPrivateDataAreAskedIsEntered) {
  const auto numbers = [] { return Spread(500); };
  Survey survey = Open(kReal, {kMedian, kQuarter});
  survey.Ask("median", numbers);
  survey.Ask("median", numbers);
  EXPECT_EQ(Released(), 2);
  survey.Ask("quarter", numbers);
  Open(kReal, {kMedian, kQuarter}).Ask("median", numbers);
  EXPECT_EQ(Released(), 4);
  EXPECT_TRUE(ledger_->Verify().empty());
}

TEST_F(SurveyTest, AQuantileOfManyUsersIsNearTheTrueOne) {
  Survey survey = Open(kSimulation, {kMedian, kQuarter});
  const auto numbers = [] { return Spread(4000); };
  std::vector<double> sorted = Spread(4000);
  std::ranges::sort(sorted);
  for (const auto& [name, quantile] :
       {std::pair{"median", 0.5}, std::pair{"quarter", 0.25}}) {
    const double answer = survey.Ask(name, numbers).values.at(0);
    // 200 of 4,000 ranks to either side. A cell that misses by so many weighs
    // e^(-0.05 * 200 / 0.75) = 1.7e-6 of the best, so that all 4,096 together
    // come with a chance below 0.7 % (of the median: 1e-5). Seeded.
    const auto rank = static_cast<std::size_t>(quantile * 4000);
    EXPECT_GT(answer, sorted[rank - 200]) << name;
    EXPECT_LT(answer, sorted[rank + 200]) << name;
  }
}

TEST_F(SurveyTest, CorrectionsAreAShareWithItsDeviation) {
  const dp::Question question{
      "corrections", dp::BarsQuestion{.edges = {0, 0.1, 1}, .deviation = 10}};
  Survey survey = Open(kSimulation, {question});
  // 300 of 1,000 users correct 20 % of their examples, the others 2 %; 50 have
  // none.
  std::vector<double> rates(700, 0.02);
  rates.insert(rates.end(), 300, 0.2);
  rates.insert(rates.end(), 50, std::numeric_limits<double>::quiet_NaN());
  const NoisyShare share =
      ShareOfSecondBar(survey.Ask("corrections", [&] { return rates; }));
  // 10 / 1000 * hypot(0.7, 0.3) = 0.0076; five of those come once in 10^6.
  EXPECT_NEAR(share.deviation, 0.0076, 0.0003);
  EXPECT_NEAR(share.value, 0.3, 0.038);
}

TEST(NoisyShareTest, StaysWithinZeroAndOneWhateverTheNoise) {
  const auto share = [](double seldom, double often) {
    return ShareOfSecondBar({.values = {seldom, often}, .deviation = 20});
  };
  EXPECT_EQ(share(100, -7).value, 0);
  EXPECT_EQ(share(-3, 50).value, 1);
  EXPECT_EQ(share(-30, 10).value, 0);
  EXPECT_EQ(share(-30, 10).deviation, 1);
  EXPECT_EQ(share(10, 10).deviation, std::min(1.0, 20.0 / 20 * std::sqrt(0.5)));
  EXPECT_THROW(ShareOfSecondBar({.values = {1}}), Error);
}

TEST_F(SurveyTest, RefusesNamesThatAreNoneOrTaken) {
  EXPECT_EQ(Thrown([&] { Open(kSimulation, {kMedian, kMedian}); }).kind(),
            ErrorKind::kBadInput);
  Survey survey = Open(kSimulation, {kMedian});
  EXPECT_EQ(
      Thrown([&] { survey.Ask("size", [] { return Spread(1); }); }).kind(),
      ErrorKind::kBadInput);
}

}  // namespace
}  // namespace sfumato::fed
