#include "plan/monitor_plan.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "base/error.h"
#include "base/error_testing.h"
#include "dp/accounting/accountant.h"
#include "fmt/format.h"
#include "plan/inspect_ledger.h"

namespace sfumato::plan {
namespace {

namespace fs = std::filesystem;

const DataFacts kPrivate{
    .name = "phones", .origin = data::Origin::kPrivate, .users = 4000};

// Sides of 1,000 users, halves of 500, cohorts of 25: rate 0.05. One histogram
// is asked each time.
config::TrainConfig Config() {
  config::TrainConfig config;
  config.algorithm = config::Algorithm::kDpFedAvgGan;
  config.rounds = 40;
  config.data.path = "people";
  config.select.by = config::By::kAccuracy;
  config.select.above = 0.9;
  config.select.below = 0.5;
  config.select.model = "classifier";
  config.select.model_is = config::Provenance::kPublic;
  config.select.users_a = 1000;
  config.select.users_b = 1000;
  config.survey = {
      .count_noise = 0, .histogram_noise = 0, .correction_noise = 20};
  config.cohort.size = 25;
  config.privacy.noise_multiplier = 1;
  config.privacy.delta = 1e-5;
  return config;
}

dp::Event Rounds(std::int64_t count, double noise = 1) {
  return {.mechanism = dp::Gaussian{.noise_multiplier = noise},
          .sampling = dp::Poisson{.rate = 0.05},
          .count = count};
}
dp::Event Bars(std::int64_t count) {
  return {.mechanism = dp::DiscreteGaussian{.noise_multiplier = 20},
          .count = count};
}
double Epsilon(const std::vector<dp::Event>& events) {
  return dp::Account(events, 1e-5, dp::Accountant::kPld).epsilon;
}

TEST(MonitorPlanTest, CostsTheCompositionOfAllInspections) {
  const MonitorPlan plan = PlanMonitor(Config(), kPrivate, {.repeat = 3});
  ASSERT_EQ(plan.inspections.size(), 3u);
  EXPECT_DOUBLE_EQ(plan.epsilon, Epsilon({Bars(3), Rounds(120)}));
  EXPECT_DOUBLE_EQ(plan.inspections[1].epsilon, Epsilon({Bars(1), Rounds(40)}));
  EXPECT_EQ(plan.inspections[2].name, "monitor/03");
  EXPECT_EQ(plan.inspections[2].runs.back().population.partition, "monitor/03");
}

TEST(MonitorPlanTest, ThresholdsAreAskedOnceAndThenKept) {
  config::TrainConfig config = Config();
  config.select.above_quantile = 0.75;
  config.select.below_quantile = 0.25;
  const MonitorPlan plan = PlanMonitor(config, kPrivate, {.repeat = 3});
  const dp::Event quantile{.mechanism = dp::Pure{.epsilon = 0.1}};
  EXPECT_DOUBLE_EQ(plan.epsilon,
                   Epsilon({quantile, quantile, Bars(3), Rounds(120)}));
  EXPECT_EQ(plan.inspections[0].questions.size(), 3u);
  EXPECT_EQ(plan.inspections[1].questions.size(), 1u);
  EXPECT_TRUE(plan.inspections[1].taken_as_fixed.empty())
      << "they were released, and not just given";
}

TEST(MonitorPlanTest, NoiseIsFoundForAllTogether) {
  config::TrainConfig config = Config();
  config.privacy.noise_multiplier = 0;
  config.privacy.epsilon = 2;
  const MonitorPlan plan = PlanMonitor(config, kPrivate, {.repeat = 4});
  EXPECT_LE(plan.epsilon, 2);
  EXPECT_GT(plan.epsilon, 1.995);
  EXPECT_DOUBLE_EQ(plan.epsilon,
                   Epsilon({Bars(4), Rounds(160, plan.noise_multiplier)}));
  EXPECT_DOUBLE_EQ(plan.inspections[3].noise_multiplier, plan.noise_multiplier);
}

TEST(MonitorPlanTest, ABudgetThatPaysForOneAndNotForAllIsRefused) {
  config::TrainConfig config = Config();
  config.privacy.epsilon = 1.1 * Epsilon({Bars(1), Rounds(40)});
  EXPECT_NO_THROW(PlanMonitor(config, kPrivate, {.repeat = 1}));
  const Error error =
      Thrown([&] { PlanMonitor(config, kPrivate, {.repeat = 5}); });
  EXPECT_EQ(error.kind(), ErrorKind::kBudgetSpent);
  const std::string key = "--set privacy.noise_multiplier=";
  ASSERT_TRUE(error.todo().starts_with(key)) << error.todo();
  config.privacy.noise_multiplier = std::stod(error.todo().substr(key.size()));
  EXPECT_NO_THROW(PlanMonitor(config, kPrivate, {.repeat = 5}));
  EXPECT_EQ(
      Thrown([&] { PlanMonitor(config, kPrivate, {.repeat = 0}); }).where(),
      "--monitor");
}

class MonitorLedgerTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = base::Path(testing::TempDir()) /
            (std::string(test->test_suite_name()) + "." + test->name());
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  dp::Ledger Granted(double epsilon) const {
    return dp::Ledger::Create(
        path_ / "ledger.sqlite",
        {.name = "phones", .budget = {.epsilon = epsilon, .delta = 1e-5}});
  }
  base::Path path_;
};

TEST_F(MonitorLedgerTest, AllIsReservedAndWhatIsNotHeldIsGivenBack) {
  const MonitorPlan plan =
      PlanMonitor(Config(), kPrivate, {.name = "watch", .repeat = 3});
  dp::Ledger ledger = Granted(1.01 * plan.epsilon);
  EXPECT_EQ(GrantedIn(ledger, plan).used_before, 0);
  Reserve(ledger, plan);
  Reserve(ledger, plan);  // changes nothing
  EXPECT_TRUE(IsReserved(ledger, plan));
  EXPECT_EQ(plan.Remaining(2).runs, plan.inspections[2].runs);
  for (const char* run : {"watch/01/survey", "watch/03/b2"}) {
    ASSERT_TRUE(ledger.FindRun(run)) << run;
    EXPECT_FALSE(ledger.FindRun(run)->finished);
  }
  const double all = ledger.TotalsOf("phones").used_reserved;
  GiveBack(ledger, plan.inspections[2]);
  EXPECT_TRUE(ledger.FindRun("watch/03/survey")->finished);
  EXPECT_TRUE(ledger.FindRun("watch/03/b2")->finished);
  EXPECT_FALSE(ledger.FindRun("watch/02/b2")->finished);
  EXPECT_LT(ledger.TotalsOf("phones").used_reserved, all);
  EXPECT_TRUE(ledger.Verify().empty());
}

TEST_F(MonitorLedgerTest, ABudgetForTwoOfThreeSaysSo) {
  const MonitorPlan plan =
      PlanMonitor(Config(), kPrivate, {.name = "watch", .repeat = 3});
  dp::Ledger ledger =
      Granted(1.01 * PlanMonitor(Config(), kPrivate, {.repeat = 2}).epsilon);
  const Error error = Thrown([&] { GrantedIn(ledger, plan); });
  EXPECT_EQ(error.kind(), ErrorKind::kBudgetSpent);
  EXPECT_TRUE(error.todo().starts_with("--monitor 2 would fit"))
      << error.todo();
  EXPECT_THROW(Reserve(ledger, plan), Error);
  EXPECT_TRUE(ledger.TotalsOf("phones").reserved.empty());
}

}  // namespace
}  // namespace sfumato::plan
