#include "app/inspect_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <regex>

#include "base/error.h"
#include "dp/accounting/accountant.h"
#include "fmt/format.h"
#include "runs/run.h"

namespace sfumato::app {
namespace {

const DataFacts kPublic{
    .name = "people", .origin = data::Origin::kPublic, .users = 4000};
const DataFacts kPrivate{
    .name = "phones", .origin = data::Origin::kPrivate, .users = 4000};

// Sides of 1,000 users, halves of 500, cohorts of 25: rate 0.05.
runs::TrainConfig Config() {
  runs::TrainConfig config;
  config.algorithm = "dp_fedavg_gan";
  config.rounds = 40;
  config.data.path = "people";
  config.select.by = "accuracy";
  config.select.model = "classifier";
  config.select.model_is = "public";
  config.select.users_a = 1000;
  config.select.users_b = 1000;
  config.cohort.size = 25;
  config.privacy.noise_multiplier = 1;
  config.privacy.delta = 1e-5;
  return config;
}

runs::TrainConfig Unasked() {
  runs::TrainConfig config = Config();
  config.survey = {.quantile_epsilon = 0.1,
                   .count_noise = 0,
                   .histogram_noise = 0,
                   .correction_noise = 0};
  return config;
}

InspectPlan PlanOf(const runs::TrainConfig& config,
                   const DataFacts& data = kPublic) {
  return PlanInspection(config, data, {.name = "first"});
}

dp::Event Rounds(double rate, std::int64_t count) {
  return {.mechanism = dp::Gaussian{.noise_multiplier = 1},
          .sampling = dp::Poisson{.rate = rate},
          .count = count};
}
// A histogram or a count: a user moves one bar.
const dp::Event kBars{.mechanism =
                          dp::DiscreteGaussian{.noise_multiplier = 20}};
double Epsilon(const std::vector<dp::Event>& events) {
  return dp::Account(events, 1e-5, dp::Accountant::kPld).epsilon;
}

Error Thrown(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {ErrorKind::kBug, "nothing was thrown"};
}

TEST(InspectPlanTest, ModelsThatShareNobodyCostWhatOneCosts) {
  const InspectPlan plan = PlanOf(Unasked());
  ASSERT_EQ(plan.models.size(), 4u);
  EXPECT_TRUE(plan.questions.empty());
  EXPECT_TRUE(plan.pays_once);
  EXPECT_DOUBLE_EQ(plan.epsilon, Epsilon({Rounds(0.05, 40)}));
  EXPECT_DOUBLE_EQ(plan.models[2].epsilon, plan.epsilon);
  EXPECT_EQ(plan.survey_epsilon, 0);
}

TEST(InspectPlanTest, QuestionsAddToThatAndSizesOfBothSidesAreOne) {
  const InspectPlan plan = PlanOf(Config());
  ASSERT_EQ(plan.questions.size(), 3u);
  EXPECT_DOUBLE_EQ(plan.epsilon,
                   Epsilon({kBars, kBars, kBars, Rounds(0.05, 40)}));
  EXPECT_DOUBLE_EQ(plan.survey_epsilon, Epsilon({kBars, kBars, kBars}));
  runs::TrainConfig config = Config();
  config.select.above_quantile = 0.75;
  config.select.below_quantile = 0.25;
  const dp::Event quantile{.mechanism = dp::Pure{.epsilon = 0.1}};
  const InspectPlan with = PlanOf(config);
  ASSERT_EQ(with.questions.size(), 5u);
  EXPECT_DOUBLE_EQ(with.epsilon, Epsilon({quantile, quantile, kBars, kBars,
                                          kBars, Rounds(0.05, 40)}));
  EXPECT_EQ(with.questions[0].question.name, kThresholdAbove);
  EXPECT_EQ(with.questions[1].question.name, kThresholdBelow);
}

TEST(InspectPlanTest, SidesThatMayShareUsersComposeWhileTwinsPayOnce) {
  runs::TrainConfig config = Config();
  config.select.by = "examples";
  const InspectPlan plan = PlanOf(config);
  EXPECT_FALSE(plan.pays_once);
  EXPECT_DOUBLE_EQ(plan.epsilon,
                   Epsilon({kBars, kBars, kBars, kBars, Rounds(0.05, 80)}));
  EXPECT_EQ(plan.models[0].population.partition,
            plan.models[1].population.partition);
  EXPECT_NE(plan.models[0].population.partition,
            plan.models[2].population.partition);
}

TEST(InspectPlanTest, TheSmallerSideIsTheDearerAndDecides) {
  runs::TrainConfig config = Unasked();
  config.select.users_b = 200;  // halves of 100: rate 0.25
  const InspectPlan plan = PlanOf(config);
  EXPECT_DOUBLE_EQ(plan.epsilon, Epsilon({Rounds(0.25, 40)}));
  EXPECT_GT(plan.models[2].epsilon, plan.models[0].epsilon);
}

TEST(InspectPlanTest, OneTwinHasTheWholeSide) {
  runs::TrainConfig config = Unasked();
  config.inspect.twins = 1;
  const InspectPlan plan = PlanOf(config);
  ASSERT_EQ(plan.models.size(), 2u);
  EXPECT_EQ(plan.models[1].name, "b1");
  EXPECT_EQ(plan.models[1].half, 0);
  EXPECT_DOUBLE_EQ(plan.epsilon, Epsilon({Rounds(0.025, 40)}));
}

TEST(InspectPlanTest, EverythingHasANameInTheLedger) {
  const InspectPlan plan = PlanOf(Config(), kPrivate);
  EXPECT_EQ(plan.root, "phones");
  EXPECT_EQ(plan.survey_run, "first/survey");
  const ModelPlan& b2 = plan.models[3];
  EXPECT_EQ(b2.run, "first/b2");
  EXPECT_EQ(b2.half, 2);
  EXPECT_EQ(b2.population, (dp::Population{.name = "phones/first/b2",
                                           .root = "phones",
                                           .partition = "first",
                                           .selected = true}));
}

TEST(InspectPlanTest, PrivateDataPaySpareRoundsAndSimulationsDoNot) {
  runs::TrainConfig config = Config();
  config.privacy.spare_rounds = 3;
  EXPECT_EQ(PlanOf(config, kPrivate).models[0].rounds.count, 43);
  EXPECT_EQ(PlanOf(config).models[0].rounds.count, 40);
}

TEST(InspectPlanTest, FindsTheNoiseForTheWholeInspection) {
  for (const char* by : {"accuracy", "examples"}) {
    runs::TrainConfig config = Config();
    config.select.by = by;
    config.privacy.noise_multiplier = 0;
    config.privacy.epsilon = 2;
    const InspectPlan plan = PlanOf(config);
    EXPECT_LE(plan.epsilon, 2);
    EXPECT_GT(plan.epsilon, 1.999);
    EXPECT_GT(plan.noise_multiplier, 0.5);
  }
}

// The noise, rounds and cohort that would fit, behind the whole of it.
std::vector<std::string> WaysIn(const std::string& todo) {
  std::smatch found;
  std::regex_search(
      todo, found,
      std::regex("noise_multiplier=([0-9.]+), --set rounds=([0-9]+) or --set "
                 "cohort.size=([0-9]+) would fit"));
  return {found.begin(), found.end()};
}

TEST(InspectPlanTest, ABudgetThatCannotPayIsRefusedWithWhatWouldFit) {
  runs::TrainConfig config = Config();
  config.privacy.epsilon = 0.9 * PlanOf(config).epsilon;
  const Error error = Thrown([&] { PlanOf(config); });
  EXPECT_EQ(error.kind(), ErrorKind::kBudgetSpent);
  const std::vector<std::string> found = WaysIn(error.todo());
  ASSERT_EQ(found.size(), 4u) << error.todo();
  runs::TrainConfig other = config;
  other.privacy.noise_multiplier = std::stod(found[1]);
  EXPECT_GT(PlanOf(other).epsilon, 0.998 * config.privacy.epsilon);
  other = config;
  other.rounds = std::stoll(found[2]);
  PlanOf(other);
  other.rounds += 1;
  EXPECT_EQ(Thrown([&] { PlanOf(other); }).kind(), ErrorKind::kBudgetSpent);
  other = config;
  other.cohort.size = std::stod(found[3]);
  PlanOf(other);
  other.cohort.size += 1;
  EXPECT_EQ(Thrown([&] { PlanOf(other); }).kind(), ErrorKind::kBudgetSpent);

  config.privacy.epsilon = 0.1;  // less than the questions alone
  EXPECT_NE(std::string(Thrown([&] { PlanOf(config); }).what())
                .find("questions alone"),
            std::string::npos);
  config.privacy.noise_multiplier = 0;
  EXPECT_EQ(Thrown([&] { PlanOf(config); }).kind(), ErrorKind::kBudgetSpent);
}

struct Refused {
  const char* what;
  std::function<void(runs::TrainConfig&)> change;
  ErrorKind kind;
  const char* where;
  bool in_private_only = false;
};

TEST(InspectPlanTest, RefusesWhatCannotBeByName) {
  const std::vector<Refused> all = {
      {"everyone", [](auto& c) { c.select.by = "everyone"; },
       ErrorKind::kBadInput, "select.by"},
      {"fedavg", [](auto& c) { c.algorithm = "fedavg"; },
       ErrorKind::kUnsupported, "algorithm"},
      {"fixed", [](auto& c) { c.cohort.sampling = "fixed"; },
       ErrorKind::kUnsupported, "cohort.sampling"},
      {"no noise", [](auto& c) { c.privacy.noise_multiplier = 0; },
       ErrorKind::kBadInput, "privacy.noise_multiplier"},
      {"NaN noise", [](auto& c) { c.privacy.noise_multiplier = std::nan(""); },
       ErrorKind::kBadInput, "privacy.noise_multiplier"},
      {"no model", [](auto& c) { c.select.model = ""; }, ErrorKind::kBadInput,
       "select.model"},
      {"unknown model", [](auto& c) { c.select.model_is = ""; },
       ErrorKind::kUnsupported, "select.model_is", true},
      {"overlap", [](auto& c) { c.select.below = 0.95; }, ErrorKind::kBadInput,
       "select.below"},
      {"quantiles overlap",
       [](auto& c) {
         c.select.above_quantile = 0.2;
         c.select.below_quantile = 0.3;
       },
       ErrorKind::kBadInput, "select.below_quantile"},
      {"quantiles of examples",
       [](auto& c) {
         c.select.by = "examples";
         c.select.above_quantile = 0.2;
       },
       ErrorKind::kBadInput, "select.above_quantile"},
      {"a quantile that is none",
       [](auto& c) { c.select.above_quantile = 0.12345; }, ErrorKind::kBadInput,
       "quantile"},
      {"side a unknown", [](auto& c) { c.select.users_a = 0; },
       ErrorKind::kBadInput, "select.users_a", true},
      {"side b unknown", [](auto& c) { c.select.users_b = 0; },
       ErrorKind::kBadInput, "select.users_b", true},
      {"large cohort", [](auto& c) { c.cohort.size = 501; },
       ErrorKind::kBadInput, "cohort.size"},
      {"NaN cohort", [](auto& c) { c.cohort.size = std::nan(""); },
       ErrorKind::kBadInput, "cohort.size"},
  };
  for (const Refused& each : all) {
    SCOPED_TRACE(each.what);
    runs::TrainConfig config = Config();
    each.change(config);
    const Error error = Thrown([&] { PlanOf(config, kPrivate); });
    EXPECT_EQ(error.kind(), each.kind);
    EXPECT_EQ(error.where(), each.where);
    EXPECT_FALSE(error.todo().empty());
    if (each.in_private_only) {
      PlanOf(config);
    } else {
      Thrown([&] { PlanOf(config); });
    }
  }
}

TEST(InspectPlanTest, AModelOfUnknownOriginIsRefusedWithTheThreeWords) {
  runs::TrainConfig config = Config();
  config.select.model_is = "";
  const std::string todo = Thrown([&] { PlanOf(config, kPrivate); }).todo();
  for (const char* word : {"public:", "released:", "fixed:"}) {
    EXPECT_NE(todo.find(word), std::string::npos) << word;
  }
  // It also judges slices that need no model, once it is named.
  config.select.by = "class";
  config.select.value = "3";
  EXPECT_EQ(Thrown([&] { PlanOf(config, kPrivate); }).kind(),
            ErrorKind::kUnsupported);
  config.select.model = "";
  EXPECT_EQ(PlanOf(config, kPrivate).questions.size(), 2u);  // sizes alone
}

TEST(InspectPlanTest, SaysWhatWasTakenAsFixed) {
  runs::TrainConfig config = Config();
  EXPECT_EQ(PlanOf(config).taken_as_fixed.size(), 2u);  // both thresholds
  config.select.model_is = "fixed";
  config.select.above_quantile = 0.75;
  const auto fixed = PlanOf(config).taken_as_fixed;
  ASSERT_EQ(fixed.size(), 2u);
  EXPECT_NE(fixed[0].find("declared fixed"), std::string::npos);
  EXPECT_NE(fixed[1].find("below 0.882"), std::string::npos);
  config.select.by = "class";
  config.select.above_quantile = 0;
  EXPECT_EQ(PlanOf(config).taken_as_fixed.size(), 1u);
}

TEST(InspectPlanTest, SidesOfASimulationMayBeToldOrGuessed) {
  runs::TrainConfig config = Unasked();
  config.select.users_a = 0;
  config.select.users_b = 0;
  const InspectPlan guessed = PlanOf(config);
  EXPECT_EQ(guessed.models[0].users, 1000);
  EXPECT_EQ(guessed.remarks.size(), 2u);
  const InspectPlan told = PlanInspection(
      config, kPublic, {.name = "x", .users_a = 301, .users_b = 60});
  EXPECT_EQ(told.models[0].users, 150);  // whole users
  EXPECT_EQ(told.models[3].users, 30);
  EXPECT_TRUE(told.remarks.empty());
  for (const double nobody : {0.0, std::nan("")}) {
    const Error error = Thrown([&] {
      PlanInspection(config, kPublic,
                     {.name = "x", .users_a = 301, .users_b = nobody});
    });
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_NE(std::string(error.what()).find("side B"), std::string::npos);
  }
  // Of private data nobody may be told: the config alone says.
  EXPECT_EQ(Thrown([&] {
              PlanInspection(config, kPrivate,
                             {.name = "x", .users_a = 301, .users_b = 60});
            }).where(),
            "select.users_a");
}

TEST(InspectPlanTest, WritesItsPriceForPeopleAndForThePage) {
  const InspectPlan plan = PlanOf(Config(), kPrivate);
  const LedgerPrice price{
      .granted_epsilon = 9, .granted_delta = 1e-5, .used_before = 0.125};
  const std::string lines = PriceLines(plan, &price);
  for (const char* part :
       {"Plan     4 generators · 40 rounds · about 25 of ~500 users a round",
        "Costs    ε ", "at δ 1e-5 (proven, user, add-remove)",
        "population \"phones\": 12.5 % used, ε 9 granted", "questions ",
        "nobody is in two of them", "not against the", "Means    a guess"}) {
    EXPECT_NE(lines.find(part), std::string::npos) << part << "\n" << lines;
  }
  EXPECT_NE(PriceLines(PlanOf(Config())).find("a simulation spends nothing"),
            std::string::npos);
  runs::PrivacyRecord record;
  FillPrivacy(plan, record);
  EXPECT_EQ(record.epsilon, plan.epsilon);
  EXPECT_EQ(record.parts.size(), 7u);
  EXPECT_EQ(record.parts[3].what, "model a1");
  EXPECT_EQ(record.population, "phones");
  EXPECT_TRUE(record.pays_once);
  EXPECT_FALSE(record.seeded);
  EXPECT_GT(record.guessed_right, 0.5);
  EXPECT_FALSE(record.proof.empty());
}

class InspectLedgerTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string(test->test_suite_name()) + "." + test->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  dp::Ledger Granted(double epsilon) {
    return dp::Ledger::Create(
        folder_ / fmt::format("{}.sqlite", epsilon),
        {.name = "phones", .budget = {.epsilon = epsilon, .delta = 1e-5}});
  }
  static std::int64_t Reserved(dp::Ledger& ledger) {
    std::int64_t count = 0;
    for (const auto& e : ledger.TotalsOf("phones").reserved) count += e.count;
    return count;
  }
  std::filesystem::path folder_;
};

TEST_F(InspectLedgerTest, EveryPartIsReservedOnceBeforeTheFirstRelease) {
  const InspectPlan plan = PlanOf(Config(), kPrivate);
  dp::Ledger ledger = Granted(1.001 * plan.epsilon);
  const LedgerPrice price = PriceIn(ledger, plan);
  EXPECT_EQ(price.used_before, 0);
  ReserveInspection(ledger, plan);
  EXPECT_EQ(Reserved(ledger), 3 + 4 * 40);
  ReserveInspection(ledger, plan);
  EXPECT_EQ(Reserved(ledger), 3 + 4 * 40);
  // Nothing of the kind would fit a second time.
  InspectPlan again = PlanInspection(Config(), kPrivate, {.name = "second"});
  EXPECT_EQ(Thrown([&] { PriceIn(ledger, again); }).kind(),
            ErrorKind::kBudgetSpent);
}

TEST_F(InspectLedgerTest, ALedgerThatCannotPaySaysHowMuchIsUsedAndWhatFits) {
  const InspectPlan plan = PlanOf(Config(), kPrivate);
  dp::Ledger ledger = dp::Ledger::Create(
      folder_ / "small.sqlite",
      {.name = "phones",
       .budget = {.epsilon = 0.8 * plan.epsilon, .delta = 1e-5}});
  const Error error = Thrown([&] { PriceIn(ledger, plan); });
  EXPECT_EQ(error.kind(), ErrorKind::kBudgetSpent);
  EXPECT_NE(std::string(error.what()).find("granted 0 % is used"),
            std::string::npos)
      << error.what();
  const std::vector<std::string> found = WaysIn(error.todo());
  ASSERT_EQ(found.size(), 4u) << error.todo();
  runs::TrainConfig config = Config();
  config.privacy.noise_multiplier = std::stod(found[1]);
  PriceIn(ledger, PlanOf(config, kPrivate));
  config = Config();
  config.rounds = std::stoll(found[2]);
  PriceIn(ledger, PlanOf(config, kPrivate));
  config = Config();
  config.cohort.size = std::stod(found[3]);
  PriceIn(ledger, PlanOf(config, kPrivate));
}

// What fed::RunBooks will ask for: the rounds that `train` plans for the
// model's own config, under the plan's run name.
TEST_F(InspectLedgerTest, AModelsOwnPlanFindsItsReservation) {
  runs::TrainConfig config = Config();
  config.select.users_a = 777;
  config.select.users_b = 333;
  config.privacy.noise_multiplier = 0;
  config.privacy.epsilon = 3;
  const InspectPlan plan = PlanOf(config, kPublic);
  dp::Ledger ledger = InspectionLedger(config, plan, folder_);
  ReserveInspection(ledger, plan);
  for (const ModelPlan& model : plan.models) {
    const runs::TrainConfig own = ConfigOf(config, plan, model);
    const TrainPlan rounds = PlanTraining(own, kPublic);
    EXPECT_EQ(rounds.rounds.count, 40);
    EXPECT_TRUE(
        ledger.Reserve(model.run, own.privacy.population, {&rounds.rounds, 1})
            .existing)
        << model.name;
    EXPECT_EQ(own.select.side, model.side);
    EXPECT_EQ(own.select.half, model.half);
  }
  // Again, as after a crash: the same file, nothing new.
  dp::Ledger opened = InspectionLedger(config, plan, folder_);
  ReserveInspection(opened, plan);
  EXPECT_EQ(opened.head(), ledger.head());
}

TEST_F(InspectLedgerTest, ALedgerThatCannotPaySaysHowManyRoundsFit) {
  const InspectPlan plan = PlanOf(Config(), kPrivate);
  dp::Ledger ledger = Granted(0.8 * plan.epsilon);
  const Error error = Thrown([&] { PriceIn(ledger, plan); });
  EXPECT_EQ(error.kind(), ErrorKind::kBudgetSpent);
  std::smatch found;
  const std::string todo = error.todo();
  ASSERT_TRUE(std::regex_search(todo, found, std::regex("rounds=([0-9]+)")));
  runs::TrainConfig fewer = Config();
  fewer.rounds = std::stoll(found[1]);
  PriceIn(ledger, PlanOf(fewer, kPrivate));
  EXPECT_GT(fewer.rounds, 10);
  // What was set aside before the refusal is given back.
  EXPECT_EQ(Thrown([&] { ReserveInspection(ledger, plan); }).kind(),
            ErrorKind::kBudgetSpent);
  EXPECT_EQ(Reserved(ledger), 0);
  EXPECT_NE(Thrown([&] {
              dp::Ledger poor = Granted(0.01);
              PriceIn(poor, plan);
            })
                .todo()
                .find("fewer questions"),
            std::string::npos);
}

TEST_F(InspectLedgerTest, TheRecordHasWhatTheLedgerSays) {
  const InspectPlan plan = PlanOf(Config(), kPrivate);
  dp::Ledger ledger = Granted(4 * plan.epsilon);
  const auto shares = [&] { return dp::SharesOf(ledger.TotalsOf(plan.root)); };
  const dp::Shares before = shares();
  ReserveInspection(ledger, plan);
  runs::PrivacyRecord record;
  FillReserved(ledger, plan, before, record);
  EXPECT_EQ(record.granted_epsilon, 4 * plan.epsilon);
  EXPECT_EQ(record.used_before, 0);
  EXPECT_EQ(record.used_after, shares().taken);
  EXPECT_EQ(record.left, 1 - shares().taken);
  EXPECT_EQ(record.set_aside, 0);
  ASSERT_EQ(record.entries.size(), 5u) << "questions and four models";
  EXPECT_EQ(record.entries[0].run, plan.survey_run);
  EXPECT_EQ(record.entries[0].population, "phones");
  EXPECT_EQ(record.entries[1].population, plan.models[0].population.name);
  EXPECT_EQ(record.entries[1].released, "");
  EXPECT_NE(record.entries[1].reserved, "");
  EXPECT_FALSE(record.entries[1].finished);

  dp::Event round = plan.models[0].rounds;
  round.count = 1;
  ledger.Release({.run = plan.models[0].run, .round = 1}, round);
  ledger.Finish(plan.survey_run);
  for (const ModelPlan& model : plan.models) ledger.Finish(model.run);
  FillSpent(ledger, plan, record);
  EXPECT_GT(record.used_after, 0);
  EXPECT_EQ(record.used_after, shares().spent);
  EXPECT_EQ(record.set_aside, 0);
  EXPECT_EQ(record.left, shares().left);
  EXPECT_NE(record.entries[1].released.find("1 time"), std::string::npos);
  EXPECT_EQ(record.entries[1].reserved, "");
  EXPECT_TRUE(record.entries[1].finished);
  EXPECT_EQ(record.ledger_head, dp::ToText(ledger.head()));

  // In a simulation nobody granted anything.
  runs::PrivacyRecord simulated;
  InspectPlan seeded = plan;
  seeded.simulation = true;
  FillReserved(ledger, seeded, before, simulated);
  FillSpent(ledger, seeded, simulated);
  EXPECT_EQ(simulated.granted_epsilon, 0);
  EXPECT_TRUE(simulated.entries.empty());
}

TEST_F(InspectLedgerTest, PrivateDataWithoutALedgerAreRefused) {
  runs::TrainConfig config = Config();
  config.privacy.ledger = (folder_ / "none.sqlite").string();
  const InspectPlan plan = PlanOf(config, kPrivate);
  const Error error = Thrown([&] { InspectionLedger(config, plan, folder_); });
  EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
  EXPECT_NE(error.todo().find("ledger create"), std::string::npos);
}

TEST_F(InspectLedgerTest, AReleasedModelMustBeInThisLedger) {
  const auto model = [&](const std::string& name, const std::string& run,
                         bool simulation) {
    runs::TrainConfig config = Config();
    runs::Run::Create(folder_ / name, config, {.version = "0"})
        .Start({.version = "0", .simulation = simulation, .ledger_run = run});
    config.select.model = (folder_ / name).string();
    config.select.model_is = "released";
    return PlanOf(config, kPrivate);
  };
  dp::Ledger ledger = Granted(20);
  ledger.AddPopulation({.name = "tablets", .budget = {.epsilon = 1}});
  dp::Event round = Rounds(0.01, 1);
  ledger.Spend("good", "phones", {&round, 1});
  ledger.Spend("other", "tablets", {&round, 1});
  ledger.Reserve("idle", "phones", {&round, 1});
  CheckProvenance(ledger, model("good", "good", false));
  ReserveInspection(ledger, model("good2", "good", false));
  for (const auto& [name, run, simulation] :
       std::vector<std::tuple<std::string, std::string, bool>>{
           {"m1", "absent", false},
           {"m2", "", false},
           {"m3", "good", true},
           {"m4", "other", false},
           {"m5", "idle", false}}) {
    SCOPED_TRACE(name);
    const InspectPlan plan = model(name, run, simulation);
    EXPECT_EQ(Thrown([&] { CheckProvenance(ledger, plan); }).kind(),
              ErrorKind::kUnsupported);
  }
  // Nor may a word make it public.
  InspectPlan open = model("m6", "good", false);
  open.model_is = "public";
  EXPECT_EQ(Thrown([&] { CheckProvenance(ledger, open); }).kind(),
            ErrorKind::kUnsupported);
  open = model("m7", "", true);
  open.model_is = "public";
  CheckProvenance(ledger, open);
  InspectPlan plan = PlanOf(Config(), kPrivate);
  plan.model_is = "released";
  plan.model_folder = (folder_ / "nowhere").string();
  EXPECT_EQ(Thrown([&] { ReserveInspection(ledger, plan); }).kind(),
            ErrorKind::kBadInput);
}

}  // namespace
}  // namespace sfumato::app
