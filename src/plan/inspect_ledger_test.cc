#include "plan/inspect_ledger.h"

#include <filesystem>

#include "base/folder_testing.h"
#include "dp/accounting/partition.h"
#include "dp/accounting/pld.h"
#include "fmt/format.h"
#include "plan/guarantee_text.h"
#include "plan/inspect_plan_testing.h"
#include "report/number_text.h"
#include "runs/run.h"

namespace sfumato::plan {
namespace {

class InspectLedgerTest : public base::FolderTest {
 protected:
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
};

TEST_F(InspectLedgerTest, EveryPartIsReservedOnceBeforeTheFirstRelease) {
  const InspectPlan plan = PlanOf(Config(), kPrivate);
  dp::Ledger ledger = Granted(1.001 * plan.epsilon);
  const LedgerPrice price = GrantedIn(ledger, plan);
  EXPECT_EQ(price.used_before, 0);
  ReserveInspection(ledger, plan);
  EXPECT_EQ(Reserved(ledger), 3 + 4 * 40);
  ReserveInspection(ledger, plan);
  EXPECT_EQ(Reserved(ledger), 3 + 4 * 40);
  // Nothing of the kind would fit a second time.
  InspectPlan again = PlanInspection(Config(), kPrivate, {.name = "second"});
  EXPECT_EQ(Thrown([&] { GrantedIn(ledger, again); }).kind(),
            ErrorKind::kBudgetSpent);
}

DataFacts PrivateSets(const std::vector<std::string>& ids) {
  DataFacts facts = kPrivate;
  facts.dataset_ids = ids;
  return facts;
}

// Cells share nobody and pay once. Four trainings on everybody, one charged to
// each cell, would cost four times what the ledger counts.
TEST_F(InspectLedgerTest, NobodyElseIsChargedToAnInspectionsCells) {
  const InspectPlan plan = PlanOf(Config(), PrivateSets({"id-1"}));
  dp::Ledger ledger = Granted(20);
  ReserveInspection(ledger, plan);
  ASSERT_EQ(plan.models.size(), 4u);
  for (const ModelPlan& model : plan.models) {
    const dp::Event rounds = Rounds(0.05, 10);
    const Error error = Thrown([&] {
      ledger.Reserve("train-" + model.name,
                     plan.RunNamed(model.run).population.name, {&rounds, 1});
    });
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_NE(std::string(error.what()).find("belongs to run"),
              std::string::npos)
        << error.what();
    const std::vector<std::string> set = {"id-1"};
    EXPECT_EQ(Thrown([&] {
                ledger.CheckBound(plan.RunNamed(model.run).population.name,
                                  set);
              }).kind(),
              ErrorKind::kBadInput);
  }
  EXPECT_TRUE(ledger.Verify().empty());
}

TEST_F(InspectLedgerTest, AnInspectionBindsItsDataToTheRoot) {
  const InspectPlan plan = PlanOf(Config(), PrivateSets({"id-1", "id-2"}));
  dp::Ledger ledger = Granted(20);
  GrantedIn(ledger, plan);
  EXPECT_TRUE(ledger.Bindings().empty()) << "a price binds nothing";
  ReserveInspection(ledger, plan);
  EXPECT_EQ(ledger.Bindings(), (std::map<std::string, std::string>{
                                   {"id-1", "phones"}, {"id-2", "phones"}}));
  const InspectPlan other =
      PlanInspection(Config(), PrivateSets({"id-3"}), {.name = "second"});
  for (const auto& act :
       {std::function([&] { GrantedIn(ledger, other); }),
        std::function([&] { ReserveInspection(ledger, other); })}) {
    EXPECT_NE(Thrown(act).todo().find("ledger bind"), std::string::npos);
  }
  EXPECT_FALSE(ledger.FindRun("second/a1"));
  ledger.Bind("phones", "id-3");
  ReserveInspection(ledger, other);
  EXPECT_TRUE(ledger.FindRun("second/a1"));
}

TEST_F(InspectLedgerTest, KnowsWhetherAllOfItIsReserved) {
  const InspectPlan plan = PlanOf(Config(), kPrivate);
  dp::Ledger ledger = Granted(20);
  EXPECT_FALSE(IsReserved(ledger, plan));
  ledger.Reserve(plan.survey_run, plan.root, plan.SurveyEvents());
  EXPECT_FALSE(IsReserved(ledger, plan)) << "killed in the middle";
  ReserveInspection(ledger, plan);
  EXPECT_TRUE(IsReserved(ledger, plan));
  GiveBack(ledger, plan);
  EXPECT_TRUE(IsReserved(ledger, plan));
}

// Whoever goes on without a yes pays for nothing that was not agreed to. Tests
// have no terminal: asking is a refusal that names --yes.
TEST_F(InspectLedgerTest, AQuestionThatIsAskedAgainNeedsAYes) {
  const InspectPlan plan = PlanOf(Config(), kPrivate);
  dp::Ledger ledger = Granted(20);
  ReserveInspection(ledger, plan);
  EXPECT_EQ(Thrown([&] {
              RequireYesForMore(ledger, plan, plan.SurveyEvents()[0], "",
                                false);
            }).where(),
            "--yes");
  // What is asked is the price of everything, not of what is repeated.
  std::vector<dp::Event> all = plan.AllEvents();
  all.push_back(plan.SurveyEvents()[0]);
  testing::internal::CaptureStderr();
  RequireYesForMore(ledger, plan, plan.SurveyEvents()[0], "Again\n", true);
  const std::string shown = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(shown.starts_with("Again\nCosts ")) << shown;
  EXPECT_NE(shown.find(" " + report::BoundText(dp::PldEpsilon(
                                 dp::WithoutPartitions(all), plan.delta))),
            std::string::npos)
      << shown;
}

TEST_F(InspectLedgerTest, ALedgerThatCannotPaySaysHowMuchIsUsedAndWhatFits) {
  const InspectPlan plan = PlanOf(Config(), kPrivate);
  dp::Ledger ledger = dp::Ledger::Create(
      folder_ / "small.sqlite",
      {.name = "phones",
       .budget = {.epsilon = 0.8 * plan.epsilon, .delta = 1e-5}});
  const Error error = Thrown([&] { GrantedIn(ledger, plan); });
  EXPECT_EQ(error.kind(), ErrorKind::kBudgetSpent);
  EXPECT_NE(std::string(error.what()).find("granted 0 % is used"),
            std::string::npos)
      << error.what();
  const std::vector<std::string> found = WaysIn(error.todo());
  ASSERT_EQ(found.size(), 4u) << error.todo();
  config::TrainConfig config = Config();
  config.privacy.noise_multiplier = std::stod(found[1]);
  GrantedIn(ledger, PlanOf(config, kPrivate));
  config = Config();
  config.rounds = std::stoll(found[2]);
  GrantedIn(ledger, PlanOf(config, kPrivate));
  config = Config();
  config.cohort.size = std::stod(found[3]);
  GrantedIn(ledger, PlanOf(config, kPrivate));
}

// What fed::RunLedger will ask for: the rounds that `train` plans for the
// model's own config, under the plan's run name.
TEST_F(InspectLedgerTest, AModelsOwnPlanFindsItsReservation) {
  config::TrainConfig config = Config();
  config.select.users_a = 777;
  config.select.users_b = 333;
  config.privacy.noise_multiplier = 0;
  config.privacy.epsilon = 3;
  const InspectPlan plan = PlanOf(config, kPublic);
  dp::Ledger ledger = InspectionLedger(config, plan, folder_);
  ReserveInspection(ledger, plan);
  for (const ModelPlan& model : plan.models) {
    const config::TrainConfig own = ConfigOf(config, plan, model);
    const TrainPlan part = PlanOf(plan, model);
    EXPECT_EQ(part.rounds().count, 40);
    // Its config alone means the same rounds, for the same price.
    const TrainPlan alone = PlanTraining(own, kPublic);
    EXPECT_EQ(part.rounds(), alone.rounds()) << model.name;
    EXPECT_EQ(part.participants.sampling, alone.participants.sampling);
    EXPECT_EQ(part.epsilon, alone.epsilon) << model.name;
    EXPECT_EQ(part.expected_cohort, alone.expected_cohort) << model.name;
    EXPECT_TRUE(
        ledger.Reserve(model.run, own.privacy.population, {&part.rounds(), 1})
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
  const Error error = Thrown([&] { GrantedIn(ledger, plan); });
  EXPECT_EQ(error.kind(), ErrorKind::kBudgetSpent);
  std::smatch found;
  const std::string todo = error.todo();
  ASSERT_TRUE(std::regex_search(todo, found, std::regex("rounds=([0-9]+)")));
  config::TrainConfig fewer = Config();
  fewer.rounds = std::stoll(found[1]);
  GrantedIn(ledger, PlanOf(fewer, kPrivate));
  EXPECT_GT(fewer.rounds, 10);
  // What was set aside before the refusal is given back.
  EXPECT_EQ(Thrown([&] { ReserveInspection(ledger, plan); }).kind(),
            ErrorKind::kBudgetSpent);
  EXPECT_EQ(Reserved(ledger), 0);
  EXPECT_NE(Thrown([&] {
              dp::Ledger poor = Granted(0.01);
              GrantedIn(poor, plan);
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
  EXPECT_EQ(record.entries[1].population, plan.runs[1].population.name);
  EXPECT_EQ(record.entries[1].released, "");
  EXPECT_NE(record.entries[1].reserved, "");
  EXPECT_FALSE(record.entries[1].finished);

  dp::Event round = plan.RoundsOf(plan.models[0]);
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

// Rule 6: what was repeated after a stop counts, and so does a vocabulary.
TEST_F(InspectLedgerTest, WhatWasPaidAgainAndTheVocabularyAreInEpsilon) {
  InspectPlan plan = PlanOf(Unasked(), kPrivate);
  plan.models.resize(1);
  plan.runs.resize(1);
  dp::Ledger ledger = Granted(50);
  ReserveInspection(ledger, plan);
  plan.before = {{.mechanism = dp::Gaussian{.noise_multiplier = 2},
                  .population = {.name = "phones"}}};
  dp::Event rounds = plan.RoundsOf(plan.models[0]);
  ledger.Release({.run = plan.models[0].run, .round = 1}, rounds);
  runs::PrivacyRecord record;
  FillSpent(ledger, plan, record);
  EXPECT_EQ(record.epsilon, 0) << "nothing was repeated: the plan's holds";
  ledger.Spend(plan.models[0].run + " (2)", plan.runs[0].population.name,
               {&rounds, 1});
  FillSpent(ledger, plan, record);
  EXPECT_NEAR(record.epsilon,
              Epsilon({Rounds(0.05, 80),
                       {.mechanism = dp::Gaussian{.noise_multiplier = 2}}}),
              1e-3);
  EXPECT_GT(record.epsilon, Epsilon({Rounds(0.05, 80)}) + 0.1);
  // Far tighter than what one point of the curve says.
  EXPECT_GT(record.guessed_right, 0.5);
  EXPECT_LT(record.guessed_right,
            dp::GuessedRight(record.epsilon, plan.delta) - 0.01);
  EXPECT_NE(record.proof.find("repeated after a stop"), std::string::npos);
}

TEST_F(InspectLedgerTest, PrivateDataWithoutALedgerAreRefused) {
  config::TrainConfig config = Config();
  config.privacy.ledger = (folder_ / "none.sqlite").string();
  const InspectPlan plan = PlanOf(config, kPrivate);
  const Error error = Thrown([&] { InspectionLedger(config, plan, folder_); });
  EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
  EXPECT_NE(error.todo().find("ledger create"), std::string::npos);
}

TEST_F(InspectLedgerTest, AReleasedModelMustBeInThisLedger) {
  const auto model = [&](const std::string& name, const std::string& run,
                         bool simulation) {
    config::TrainConfig config = Config();
    runs::Run::Create(folder_ / name, config, {.version = "0"})
        .Start({.version = "0", .simulation = simulation, .ledger_run = run});
    config.select.model = (folder_ / name).string();
    config.select.model_is = config::Provenance::kReleased;
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
  open.model_is = config::Provenance::kPublic;
  EXPECT_EQ(Thrown([&] { CheckProvenance(ledger, open); }).kind(),
            ErrorKind::kUnsupported);
  open = model("m7", "", true);
  open.model_is = config::Provenance::kPublic;
  CheckProvenance(ledger, open);
  InspectPlan plan = PlanOf(Config(), kPrivate);
  plan.model_is = config::Provenance::kReleased;
  plan.model_folder = (folder_ / "nowhere").string();
  EXPECT_EQ(Thrown([&] { ReserveInspection(ledger, plan); }).kind(),
            ErrorKind::kBadInput);
}

// Rule 5: a model that was released before has a price of its own, whoever
// selects by it.
TEST_F(InspectLedgerTest, WhatAReleasedJudgeCostIsOnRecord) {
  const auto judged_by = [&](const std::string& name, const DataFacts& data) {
    const bool simulation = data.origin != data::Origin::kPrivate;
    config::TrainConfig config = Config();
    runs::Run::Create(folder_ / name, config, {.version = "0"})
        .Start({.version = "0", .simulation = simulation, .ledger_run = "d"});
    config.select.model = (folder_ / name).string();
    config.select.model_is = config::Provenance::kReleased;
    return PlanOf(config, data);
  };
  dp::Ledger ledger = Granted(20);
  const dp::Event rounds = Rounds(0.01, 30);
  const dp::Event again = Rounds(0.01, 1);  // after a stop
  ledger.Spend("d", "phones", {&rounds, 1});
  ledger.Spend("d (2)", "phones", {&again, 1});
  runs::PrivacyRecord record;
  FillJudge(ledger, judged_by("private", kPrivate), record);
  EXPECT_EQ(record.judge.what, "d");
  EXPECT_NEAR(record.judge.epsilon, Epsilon({Rounds(0.01, 31)}), 1e-3);
  EXPECT_GT(record.judge.epsilon, 0.1);
  EXPECT_FALSE(record.judge.events.empty());

  // Another word for it, and nothing is left of that.
  InspectPlan fixed = judged_by("fixed", kPrivate);
  fixed.model_is = config::Provenance::kFixed;
  FillJudge(ledger, fixed, record);
  EXPECT_EQ(record.judge.what, "");
  EXPECT_EQ(record.judge.epsilon, 0);

  // Of a simulation the run's own ledger tells, not the inspection's.
  const InspectPlan simulated = judged_by("simulated", kPublic);
  FillJudge(ledger, simulated, record);
  EXPECT_EQ(record.judge.what, "");
  dp::Ledger own = dp::Ledger::Create(
      folder_ / "simulated" / "ledger.sqlite",
      {.name = "people", .budget = {.epsilon = 9, .delta = 1e-5}});
  const dp::Event twelve = Rounds(0.1, 12);
  own.Spend("d", "people", {&twelve, 1});
  FillJudge(ledger, simulated, record);
  EXPECT_DOUBLE_EQ(record.judge.epsilon, Epsilon({twelve}));
}

}  // namespace
}  // namespace sfumato::plan
