#include "plan/train_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <variant>

#include "base/error.h"
#include "dp/accounting/accountant.h"

namespace sfumato::plan {
namespace {

const DataFacts kPublic{
    .name = "people", .origin = data::Origin::kPublic, .users = 400};
const DataFacts kPrivate{
    .name = "phones", .origin = data::Origin::kPrivate, .users = 400};

config::TrainConfig Config() {
  config::TrainConfig config;
  config.rounds = 50;
  config.data.path = "people";
  config.cohort.size = 20;
  config.privacy.noise_multiplier = 1;
  config.privacy.delta = 1e-5;
  return config;
}

ErrorKind KindOf(const config::TrainConfig& config, const DataFacts& data) {
  try {
    PlanTraining(config, data);
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::kBug;
}

TEST(TrainPlanTest, CostsWhatTheAccountantSaysOfItsRounds) {
  const TrainPlan plan = PlanTraining(Config(), kPublic);
  const dp::Event rounds{.mechanism = dp::Gaussian{.noise_multiplier = 1},
                         .sampling = dp::Poisson{.rate = 20.0 / 400},
                         .count = 50};
  EXPECT_EQ(plan.epsilon,
            dp::Account({&rounds, 1}, 1e-5, dp::Accountant::kPld).epsilon);
  EXPECT_EQ(plan.expected_cohort, 20);
  EXPECT_TRUE(plan.simulation);
  EXPECT_TRUE(plan.remarks.empty());
}

// Publishing one user's data at random would keep such a bound.
TEST(TrainPlanTest, RefusesADeltaOfOneOverTheUsers) {
  for (const DataFacts& data : {kPublic, kPrivate}) {
    config::TrainConfig config = Config();
    config.cohort.population = 400;
    for (const double delta : {1.0 / 400, 0.9}) {
      config.privacy.delta = delta;
      EXPECT_EQ(KindOf(config, data), ErrorKind::kBadInput) << delta;
    }
    config.privacy.delta = 0.99 / 400;
    EXPECT_GT(PlanTraining(config, data).epsilon, 0);
  }
  config::TrainConfig fixed = Config();
  fixed.cohort.sampling = config::Sampling::kFixed;
  fixed.privacy.delta = 1.0 / 400;
  EXPECT_EQ(KindOf(fixed, kPublic), ErrorKind::kBadInput);
}

TEST(TrainPlanTest, FindsTheNoiseForABudgetAndHoldsNoiseToIt) {
  config::TrainConfig config = Config();
  config.privacy.noise_multiplier = 0;
  config.privacy.epsilon = 2;
  const TrainPlan plan = PlanTraining(config, kPublic);
  EXPECT_LE(plan.epsilon, 2);
  EXPECT_GT(plan.epsilon, 1.99);
  config.privacy.noise_multiplier = plan.noise_multiplier / 2;
  EXPECT_EQ(KindOf(config, kPublic), ErrorKind::kBudgetSpent);
}

TEST(TrainPlanTest, FixedCohortsAreReplaceOneAndEveryoneDividesByAll) {
  config::TrainConfig config = Config();
  config.cohort.sampling = config::Sampling::kFixed;
  EXPECT_EQ(PlanTraining(config, kPublic).participants.adjacency,
            dp::Adjacency::kReplaceOne);
  config.cohort.size = 20.5;
  EXPECT_EQ(KindOf(config, kPublic), ErrorKind::kBadInput);
  config.cohort.sampling = config::Sampling::kEveryone;
  const TrainPlan plan = PlanTraining(config, kPublic);
  EXPECT_EQ(plan.expected_cohort, 400);
  EXPECT_TRUE(std::holds_alternative<dp::All>(plan.participants.sampling));
}

TEST(TrainPlanTest, PrivateDataNeedANumberOfUsersAndPaySpareRounds) {
  config::TrainConfig config = Config();
  EXPECT_EQ(KindOf(config, kPrivate), ErrorKind::kBadInput);
  config.cohort.population = 1000;
  config.privacy.spare_rounds = 7;
  const TrainPlan plan = PlanTraining(config, kPrivate);
  EXPECT_EQ(plan.rounds().count, 57);
  EXPECT_EQ(std::get<dp::Poisson>(plan.participants.sampling).rate, 0.02);
  EXPECT_EQ(PlanTraining(config, kPublic).rounds().count, 50);
  config.data.test_share = 0.1;
  EXPECT_EQ(KindOf(config, kPrivate), ErrorKind::kBadInput);
  config.data.test_share = 0;
  config.algorithm = config::Algorithm::kFedAvg;
  EXPECT_EQ(KindOf(config, kPrivate), ErrorKind::kUnsupported);
}

TEST(TrainPlanTest, CanariesAreForAsManyUsersAsThereAreAndNoPrivateData) {
  config::TrainConfig config = Config();
  config.model.name = "word_lm";
  config.text.vocabulary = "words.txt";
  config.text.vocabulary_is = config::Provenance::kPublic;
  config.cohort.population = 400;
  EXPECT_EQ(PlanTraining(config, kPrivate).population, 400);
  config.canary.users = 400;
  EXPECT_EQ(PlanTraining(config, kPublic).population, 400);
  EXPECT_EQ(KindOf(config, kPrivate), ErrorKind::kBadInput);
  config.canary.users = 401;
  EXPECT_EQ(KindOf(config, kPublic), ErrorKind::kBadInput);
}

TEST(TrainPlanTest, TheLedgerOfPrivateDataLiesBesideTheirFolder) {
  config::TrainConfig config = Config();
  for (const char* path : {"sets/people", "sets/people/", "sets/./people//"}) {
    config.data.path = path;
    EXPECT_EQ(LedgerPath(config, /*simulation=*/false, "run"),
              "sets/ledger.sqlite")
        << path;
  }
  config.data.path = "people";
  EXPECT_EQ(LedgerPath(config, /*simulation=*/false, "run"), "ledger.sqlite");
  EXPECT_EQ(LedgerPath(config, /*simulation=*/true, "run"),
            "run/ledger.sqlite");
  config.privacy.ledger = "elsewhere.sqlite";
  EXPECT_EQ(LedgerPath(config, /*simulation=*/false, "run"),
            "elsewhere.sqlite");
}

TEST(TrainPlanTest, SaysInASimulationThatTheNumbersDoNotMatch) {
  config::TrainConfig config = Config();
  config.cohort.population = 40'000;
  ASSERT_EQ(PlanTraining(config, kPublic).remarks.size(), 1u);
  config.cohort.size = 50'000;
  EXPECT_EQ(KindOf(config, kPublic), ErrorKind::kBadInput);
  config = Config();
  config.privacy.noise_multiplier = 1e-9;
  EXPECT_EQ(KindOf(config, kPublic), ErrorKind::kBadInput);
}

}  // namespace
}  // namespace sfumato::plan
