#include "inspect/series/monitor.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "base/error_testing.h"
#include "base/folder_testing.h"
#include "base/interrupt.h"
#include "data/generate/handwriting.h"
#include "dp/accounting/pld.h"
#include "dp/ledger/ledger.h"
#include "report/number_text.h"
#include "runs/monitor.h"

namespace sfumato::inspect {
namespace {

namespace fs = std::filesystem;

config::TrainConfig Config() {
  config::TrainConfig config;
  config.name = "people";
  config.algorithm = config::Algorithm::kDpFedAvgGan;
  config.rounds = 3;
  config.data.generate = "handwriting";
  config.data.users = 400;
  config.data.bug = "invert";
  config.data.bug_share = 0;
  config.select.by = config::By::kAccuracy;
  config.select.above = 0.9;
  config.select.below = 0.5;
  config.privacy.noise_multiplier = 1;
  config.privacy.delta = 1e-5;
  config.survey = {
      .count_noise = 0, .histogram_noise = 0, .correction_noise = 20};
  return config;
}

// Sees a bug on a tenth of the users or more.
struct Stub {
  std::vector<InspectJob> jobs = {};
  int interrupt_at = 0;
  int refuse_at = 0;
  double differs_from = 0.1;  // share

  InspectFunction Function() {
    return [this](const InspectJob& job, InspectOutcome& outcome) {
      jobs.push_back(job);
      EXPECT_TRUE(base::IsHeld(job.folder / runs::kInspectionLock));
      const int number = static_cast<int>(jobs.size());
      if (number == interrupt_at) throw base::Interrupted(2, "", "resume");
      if (number == refuse_at) {
        throw BadInput("nobody is on side b", "select", "");
      }
      runs::InspectionRecord& record = outcome.record;
      record.surveyed = true;
      record.above = runs::Sourced{.value = 0.8125, .source = "released"};
      record.below = runs::Sourced{.value = 0.5625, .source = "released"};
      record.correction_rate = runs::Sourced{.value = job.config.data.bug_share,
                                             .source = "released",
                                             .deviation = 0.02};
      runs::WriteInspection(job.folder, record);
      outcome.contrast.verdict = job.config.data.bug_share >= differs_from
                                     ? runs::Verdict::kDiffers
                                     : runs::Verdict::kSame;
    };
  }
};

class InspectMonitorTest : public base::FolderTest {
 protected:
  // A private set of people whose ledger is ledger.sqlite.
  config::TrainConfig Private() {
    data::MakeHandwriting({.users = 12}, "people", "people");
    std::string json = base::ReadFile("people/dataset.json");
    const std::string generated = "\"generated\"";
    json.replace(json.find(generated), generated.size(),
                 "\"private\", \"id\": \"01\", \"declared\": true");
    base::WriteFileAtomically("people/dataset.json", json);
    config::TrainConfig config = Config();
    config.data.generate = config.data.bug = "";
    config.data.path = "people";
    config.select.model = "classifier";
    config.select.model_is = config::Provenance::kPublic;
    config.select.users_a = config.select.users_b = 1000;
    config.privacy.population = "phones";
    config.privacy.ledger = "ledger.sqlite";
    return config;
  }
  static dp::Ledger Grant(double epsilon) {
    return dp::Ledger::Create(
        "ledger.sqlite",
        {.name = "phones", .budget = {.epsilon = epsilon, .delta = 1e-5}});
  }
};

TEST(ParseDurationTest, NumbersWithAUnit) {
  EXPECT_EQ(ParseDuration("90s", "--every"), 90);
  EXPECT_EQ(ParseDuration("10m", "--every"), 600);
  EXPECT_EQ(ParseDuration("1.5h", "--every"), 5400);
  EXPECT_EQ(ParseDuration("2d", "--every"), 172800);
  for (const char* bad :
       {"", "10", "m", "-1m", "10 m", "10x", "nans", "1e9d"}) {
    const Error error = Thrown([&] { ParseDuration(bad, "--every"); });
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput) << bad;
    EXPECT_EQ(error.where(), "--every") << bad;
  }
}

TEST(ParseSetAtTest, ANumberAndAKeyOfTheData) {
  const SetAt change = ParseSetAt("3:data.bug_share=0.5");
  EXPECT_EQ(change.first, 3);
  EXPECT_EQ(change.set, "data.bug_share=0.5");
  for (const char* bad : {"", "3", "0:data.bug_share=1", "x:data.bug=a",
                          "3:rounds=5", "3:data.bug_share"}) {
    EXPECT_EQ(Thrown([&] { ParseSetAt(bad); }).where(), "--set-at") << bad;
  }
}

TEST_F(InspectMonitorTest, AnUpdateThatRollsOutIsSeenFromThatInspectionOn) {
  Stub stub;
  const SeriesAnswer answer = RunMonitor(
      Config(), {.repeat = 4, .changes = {ParseSetAt("3:data.bug_share=0.5")}},
      "watch", stub.Function());
  ASSERT_EQ(stub.jobs.size(), 4u);
  EXPECT_EQ(stub.jobs[1].config.data.bug_share, 0);
  EXPECT_EQ(stub.jobs[2].config.data.bug_share, 0.5);
  EXPECT_EQ(stub.jobs[2].folder, "watch/03");
  EXPECT_EQ(stub.jobs[2].series_inspections, 4);
  EXPECT_EQ(stub.jobs[2].verify, "watch/02");
  EXPECT_EQ(stub.jobs[0].verify, "");
  EXPECT_EQ(stub.jobs[3].config.data.seed, stub.jobs[0].config.data.seed);
  EXPECT_EQ(stub.jobs[3].config.seed, stub.jobs[0].config.seed + 3);
  const runs::Monitor monitor = runs::ReadMonitor("watch/monitor.json");
  ASSERT_EQ(monitor.rows.size(), 4u);
  EXPECT_EQ(monitor.rows[1].verdict, "same");
  EXPECT_EQ(monitor.rows[2].verdict, "differs");
  EXPECT_EQ(monitor.rows[2].correction_rate, 0.5);
  EXPECT_GT(monitor.epsilon, 0);
  EXPECT_EQ(stub.jobs[2].series_epsilon, monitor.epsilon);
  EXPECT_EQ(monitor.correction_level, 0.1);
  EXPECT_NE(answer.text.find("share of users who correct at least 10 % of "
                             "their examples"),
            std::string::npos)
      << answer.text;
  EXPECT_TRUE(fs::exists("watch/monitor.html"));
  EXPECT_TRUE(fs::exists("watch/monitor.svg"));
  EXPECT_EQ(answer.exit_code, 0);
}

TEST_F(InspectMonitorTest, ThresholdsOfTheFirstAreKept) {
  config::TrainConfig config = Config();
  config.select.above_quantile = 0.75;
  config.select.below_quantile = 0.25;
  Stub stub;
  RunMonitor(config, {.repeat = 2}, "watch", stub.Function());
  EXPECT_EQ(stub.jobs[0].config.select.above_quantile, 0.75);
  EXPECT_FALSE(stub.jobs[0].above_released);
  EXPECT_EQ(stub.jobs[1].config.select.above_quantile, 0);
  EXPECT_EQ(stub.jobs[1].config.select.above, 0.8125);
  EXPECT_EQ(stub.jobs[1].config.select.below, 0.5625);
  EXPECT_TRUE(stub.jobs[1].above_released);
  EXPECT_TRUE(stub.jobs[1].below_released);
}

TEST_F(InspectMonitorTest, GoesOnWhereItWasInterrupted) {
  Stub first{.interrupt_at = 2};
  EXPECT_EQ(Thrown([&] {
              RunMonitor(Config(), {.repeat = 3}, "watch", first.Function());
            }).kind(),
            ErrorKind::kInterrupted);
  Stub second;
  RunMonitor(Config(), {.repeat = 3}, "watch", second.Function());
  ASSERT_EQ(second.jobs.size(), 2u);
  EXPECT_EQ(second.jobs[0].folder, "watch/02");
  Stub third;
  RunMonitor(Config(), {.repeat = 3}, "watch", third.Function());
  EXPECT_TRUE(third.jobs.empty());
  EXPECT_EQ(Thrown([&] {
              RunMonitor(Config(), {.repeat = 4}, "watch", third.Function());
            }).kind(),
            ErrorKind::kBadInput)
      << "another number was paid for";
}

TEST_F(InspectMonitorTest, OneThatCannotBeHeldIsTold) {
  Stub stub{.refuse_at = 1};
  RunMonitor(Config(), {.repeat = 2}, "watch", stub.Function());
  const runs::Monitor monitor = runs::ReadMonitor("watch/monitor.json");
  ASSERT_EQ(monitor.rows.size(), 2u);
  EXPECT_EQ(monitor.rows[0].verdict, "refused");
  EXPECT_EQ(monitor.rows[0].why, "nobody is on side b");
  EXPECT_EQ(stub.jobs[1].verify, "");
}

TEST_F(InspectMonitorTest, PrivateDataArePaidForTogetherAndBackWhenItStops) {
  const config::TrainConfig config = Private();
  Grant(50);
  Stub stub{.differs_from = 0};
  std::string name;
  const InspectFunction inner = stub.Function();
  const InspectFunction inspect = [&](const InspectJob& job,
                                      InspectOutcome& outcome) {
    name = job.plan->name;
    dp::Ledger ledger =
        dp::Ledger::Open("ledger.sqlite", "", dp::Ledger::Mode::kRead);
    const std::string all = name.substr(0, name.size() - 3);
    for (const char* run : {"/01/survey", "/02/a1", "/03/b2"}) {
      const auto found = ledger.FindRun(all + run);
      EXPECT_TRUE(found && !found->finished) << run;
    }
    inner(job, outcome);
  };
  const SeriesAnswer answer =
      RunMonitor(config, {.repeat = 3, .fail_on = "differs", .yes = true},
                 "watch", inspect);
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_EQ(stub.jobs.size(), 1u);
  EXPECT_TRUE(name.starts_with("watch-") && name.ends_with("/01")) << name;
  dp::Ledger ledger = dp::Ledger::Open("ledger.sqlite");
  const std::string all = name.substr(0, name.size() - 3);
  EXPECT_FALSE(ledger.FindRun(all + "/01/a1")->finished);
  EXPECT_TRUE(ledger.FindRun(all + "/02/a1")->finished);
  EXPECT_TRUE(ledger.FindRun(all + "/03/survey")->finished);
  EXPECT_TRUE(runs::ReadMonitor("watch/monitor.json").stopped);
  // Again: nothing is reserved anew, nothing is inspected.
  EXPECT_EQ(RunMonitor(config, {.repeat = 3, .fail_on = "differs", .yes = true},
                       "watch", inspect)
                .exit_code,
            1);
  EXPECT_EQ(stub.jobs.size(), 1u);
}

TEST_F(InspectMonitorTest, GoesOnAfterOneThatWasGivenBack) {
  const config::TrainConfig config = Private();
  Grant(50);
  const MonitorGiven given{.repeat = 3, .yes = true};
  Stub first{.interrupt_at = 2, .refuse_at = 1};
  EXPECT_EQ(Thrown([&] {
              RunMonitor(config, given, "watch", first.Function());
            }).kind(),
            ErrorKind::kInterrupted);
  const std::string all = runs::ReadMonitor("watch/monitor.json").ledger_name;
  dp::Ledger ledger = dp::Ledger::Open("ledger.sqlite");
  EXPECT_TRUE(ledger.FindRun(all + "/01/a1")->finished);
  EXPECT_FALSE(ledger.FindRun(all + "/02/a1")->finished);
  Stub second;
  RunMonitor(config, given, "watch", second.Function());
  ASSERT_EQ(second.jobs.size(), 2u);
  EXPECT_EQ(second.jobs[0].folder, "watch/02");
  const runs::Monitor monitor = runs::ReadMonitor("watch/monitor.json");
  ASSERT_EQ(monitor.rows.size(), 3u);
  EXPECT_EQ(monitor.rows[0].verdict, "refused");
  EXPECT_EQ(monitor.rows[2].verdict, "same");
  EXPECT_FALSE(ledger.FindRun(all + "/03/a1")->finished);
}

// An inspection gives back by itself, and its row is the monitor's.
TEST_F(InspectMonitorTest, OneThatGaveBackBeforeACrashIsToldAsNotHeld) {
  const config::TrainConfig config = Private();
  Grant(50);
  const MonitorGiven given{.repeat = 2, .yes = true};
  const InspectFunction crash = [&](const InspectJob& job, InspectOutcome&) {
    runs::WriteInspection(job.folder, {.surveyed = true});
    dp::Ledger ledger = dp::Ledger::Open("ledger.sqlite");
    for (const char* run : {"/survey", "/a1", "/a2", "/b1", "/b2"}) {
      ledger.Finish(job.plan->name + run);
    }
    throw base::Interrupted(2, "", "resume");
  };
  EXPECT_EQ(Thrown([&] { RunMonitor(config, given, "watch", crash); }).kind(),
            ErrorKind::kInterrupted);
  ASSERT_TRUE(runs::ReadMonitor("watch/monitor.json").rows.empty());
  Stub second{.refuse_at = 1};
  RunMonitor(config, given, "watch", second.Function());
  ASSERT_EQ(second.jobs.size(), 2u);
  const runs::Monitor monitor = runs::ReadMonitor("watch/monitor.json");
  ASSERT_EQ(monitor.rows.size(), 2u);
  EXPECT_EQ(monitor.rows[0].verdict, "refused");
  EXPECT_EQ(monitor.rows[1].verdict, "same");
}

TEST_F(InspectMonitorTest, AResumeThatWouldReleaseSomethingElseIsRefused) {
  const config::TrainConfig config = Private();
  Grant(50);
  const MonitorGiven given{.repeat = 2, .yes = true};
  Stub first{.interrupt_at = 2};
  EXPECT_EQ(Thrown([&] {
              RunMonitor(config, given, "watch", first.Function());
            }).kind(),
            ErrorKind::kInterrupted);
  const std::string kept = base::ReadFile("watch/plan.json");
  nlohmann::json changed = nlohmann::json::parse(kept);
  changed["runs"][0]["events"][0]["count"] = 7;
  base::WriteFileAtomically("watch/plan.json", changed.dump());
  Stub second;
  EXPECT_EQ(Thrown([&] {
              RunMonitor(config, given, "watch", second.Function());
            }).kind(),
            ErrorKind::kBadInput);
  EXPECT_TRUE(second.jobs.empty());
  base::WriteFileAtomically("watch/plan.json", kept);
  RunMonitor(config, given, "watch", second.Function());
  EXPECT_EQ(second.jobs.size(), 1u);
}

// Killed after the yes, before anything was reserved.
TEST_F(InspectMonitorTest, WhatWasLeftBeforeItBeganIsNobodys) {
  const config::TrainConfig config = Private();
  Grant(50);
  std::filesystem::create_directories("watch");
  for (const char* name : {"monitor.lock", "config.toml", "plan.json"}) {
    base::WriteFileAtomically(base::Path("watch") / name, "left");
  }
  Stub stub;
  RunMonitor(config, {.repeat = 1, .yes = true}, "watch", stub.Function());
  EXPECT_EQ(stub.jobs.size(), 1u);
  std::filesystem::create_directories("taken");
  base::WriteFileAtomically("taken/plan.json", "somebody's");
  EXPECT_EQ(Thrown([&] {
              RunMonitor(config, {.repeat = 1, .yes = true}, "taken",
                         stub.Function());
            }).kind(),
            ErrorKind::kBadInput);
}

// What a crash lost is done again and paid again, on top of the plan.
TEST_F(InspectMonitorTest, WhatWasRepeatedIsInTheMonitorsEpsilon) {
  const config::TrainConfig config = Private();
  Grant(200);
  const MonitorGiven given{.repeat = 2, .yes = true};
  Stub stub;
  RunMonitor(config, given, "calm", stub.Function());
  const runs::Monitor calm = runs::ReadMonitor("calm/monitor.json");
  EXPECT_FALSE(calm.repeated);
  // Three rounds with noise 1 of everybody on one half of a side, once more.
  const InspectFunction crashed = [&](const InspectJob& job,
                                      InspectOutcome& outcome) {
    dp::Ledger ledger = dp::Ledger::Open("ledger.sqlite");
    const std::string run = job.plan->name + "/a1";
    const auto planned = ledger.FindRun(run);
    ledger.Spend(run + " (2)", planned->population.name, planned->reserved);
    stub.Function()(job, outcome);
    outcome.record.status = runs::Status::kFinished;
    outcome.record.privacy.series_inspections = 2;
    outcome.record.privacy.series_epsilon = job.series_epsilon;
    runs::WriteInspection(job.folder, outcome.record);
  };
  const SeriesAnswer answer = RunMonitor(config, given, "watch", crashed);
  const runs::Monitor watch = runs::ReadMonitor("watch/monitor.json");
  EXPECT_TRUE(watch.repeated);
  // The plan is two questions and 2 × 3 rounds; with what was repeated a
  // person in the dearest cell has 2 × 6.
  const auto cost = [&](std::int64_t rounds) {
    const dp::Event events[] = {
        {.mechanism = dp::DiscreteGaussian{.noise_multiplier = 20}, .count = 2},
        {.mechanism = dp::Gaussian{.noise_multiplier = 1},
         .sampling = dp::Poisson{.rate = config.cohort.size / 500},
         .count = rounds}};
    return dp::PldEpsilon(events, 1e-5);
  };
  EXPECT_NEAR(calm.epsilon, cost(6), 1e-3);
  EXPECT_NEAR(watch.epsilon, cost(12), 1e-3);
  EXPECT_NEAR(answer.json.at("epsilon"), cost(12), 1e-3);
  EXPECT_NE(answer.text.find("repeated after a stop"), std::string::npos)
      << answer.text;
  EXPECT_NE(base::ReadFile("watch/monitor.html").find("done again"),
            std::string::npos);
  // On every page the same, also on those that were made before.
  for (const char* folder : {"watch/01", "watch/02"}) {
    EXPECT_EQ(runs::ReadInspection(folder).privacy.series_epsilon,
              watch.epsilon);
    EXPECT_NE(base::ReadFile(std::string(folder) + "/report.html")
                  .find("of them cost at most ε " +
                        report::BoundText(watch.epsilon, 3)),
              std::string::npos);
  }
}

TEST_F(InspectMonitorTest, AMonitorThatReservedNothingYetAsksAgain) {
  const config::TrainConfig config = Private();
  Grant(50);
  Stub first{.interrupt_at = 1};
  EXPECT_EQ(Thrown([&] {
              RunMonitor(config, {.repeat = 2, .yes = true}, "watch",
                         first.Function());
            }).kind(),
            ErrorKind::kInterrupted);
  // What was agreed to is not reserved, in a ledger that its owner granted
  // anew.
  fs::remove("ledger.sqlite");
  fs::remove("people/ledger.id");
  Grant(50);
  Stub second;
  EXPECT_EQ(Thrown([&] {
              RunMonitor(config, {.repeat = 2}, "watch", second.Function());
            }).where(),
            "--yes");
  EXPECT_TRUE(second.jobs.empty());
  EXPECT_EQ(dp::Ledger::Open("ledger.sqlite").TotalsOf("phones").runs, 0);
  RunMonitor(config, {.repeat = 2, .yes = true}, "watch", second.Function());
  EXPECT_EQ(second.jobs.size(), 2u);
}

TEST_F(InspectMonitorTest, ARowThatWasWrittenBeforeACrashIsGivenBack) {
  const config::TrainConfig config = Private();
  Grant(50);
  const MonitorGiven given{.repeat = 1, .yes = true};
  Stub first{.interrupt_at = 1};
  EXPECT_EQ(Thrown([&] {
              RunMonitor(config, given, "watch", first.Function());
            }).kind(),
            ErrorKind::kInterrupted);
  runs::Monitor monitor = runs::ReadMonitor("watch/monitor.json");
  monitor.rows.push_back({.folder = "01", .verdict = runs::kRefused});
  base::WriteFileAtomically("watch/monitor.json", runs::ToJson(monitor).dump());
  dp::Ledger ledger = dp::Ledger::Open("ledger.sqlite");
  ASSERT_FALSE(ledger.FindRun(monitor.ledger_name + "/01/a1")->finished);
  Stub second;
  EXPECT_EQ(Thrown([&] {
              RunMonitor(config, given, "watch", second.Function());
            }).kind(),
            ErrorKind::kBadInput)
      << "its only inspection was refused";
  EXPECT_TRUE(second.jobs.empty());
  EXPECT_TRUE(ledger.FindRun(monitor.ledger_name + "/01/a1")->finished);
}

TEST_F(InspectMonitorTest, WhatFollowsFromTheLastRowIsDoneAfterACrash) {
  const config::TrainConfig config = Private();
  Grant(50);
  const MonitorGiven given{.repeat = 3, .fail_on = "differs", .yes = true};
  Stub stub{.refuse_at = 1, .differs_from = 0};
  RunMonitor(config, given, "watch", stub.Function());
  ASSERT_EQ(stub.jobs.size(), 2u);
  runs::Monitor monitor = runs::ReadMonitor("watch/monitor.json");
  ASSERT_TRUE(monitor.stopped);
  // The third was given back, and a crash came before that was written.
  monitor.stopped = false;
  base::WriteFileAtomically("watch/monitor.json", runs::ToJson(monitor).dump());
  EXPECT_EQ(RunMonitor(config, given, "watch", stub.Function()).exit_code, 1);
  EXPECT_EQ(stub.jobs.size(), 2u);
  EXPECT_TRUE(runs::ReadMonitor("watch/monitor.json").stopped);
}

TEST_F(InspectMonitorTest, WithoutAYesOrABudgetNothingIsLeft) {
  const config::TrainConfig config = Private();
  Stub stub;
  Grant(1e-3);
  EXPECT_EQ(Thrown([&] {
              RunMonitor(config, {.repeat = 2, .yes = true}, "watch",
                         stub.Function());
            }).kind(),
            ErrorKind::kBudgetSpent);
  fs::remove("ledger.sqlite");
  Grant(50);
  EXPECT_EQ(Thrown([&] {
              RunMonitor(config, {.repeat = 2}, "watch", stub.Function());
            }).kind(),
            ErrorKind::kBadInput);
  EXPECT_FALSE(fs::exists("watch"));
  EXPECT_EQ(dp::Ledger::Open("ledger.sqlite").TotalsOf("phones").runs, 0);
  EXPECT_EQ(Thrown([&] {
              RunMonitor(config,
                         {.repeat = 2,
                          .changes = {ParseSetAt("2:data.bug_share=1")},
                          .yes = true},
                         "watch", stub.Function());
            }).kind(),
            ErrorKind::kUnsupported);
  EXPECT_TRUE(stub.jobs.empty());
}

TEST_F(InspectMonitorTest, IsAnErrorWhenEveryInspectionWasRefused) {
  const InspectFunction refuse = [](const InspectJob&, InspectOutcome&) {
    throw BadInput("nobody is on side b", "select", "");
  };
  for (int again = 0; again < 2; ++again) {
    const Error error =
        Thrown([&] { RunMonitor(Config(), {.repeat = 2}, "watch", refuse); });
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_EQ(std::string(error.what()),
              "all 2 inspections were refused, the last one: nobody is on side "
              "b");
    EXPECT_EQ(error.where(), "watch");
    EXPECT_TRUE(fs::exists("watch/monitor.html")) << "the reasons stay";
  }
}

TEST_F(InspectMonitorTest, WhatFailsBeforeTheFirstQuestionLeavesNothing) {
  const InspectFunction fail = [](const InspectJob& job, InspectOutcome&) {
    runs::WriteInspection(job.folder, {.stage = "preparing"});
    throw Unavailable("no such device", "device.name", "");
  };
  EXPECT_EQ(Thrown([&] {
              RunMonitor(Config(), {.repeat = 2}, "watch", fail);
            }).kind(),
            ErrorKind::kUnavailable);
  EXPECT_FALSE(fs::exists("watch"));
  const config::TrainConfig config = Private();
  Grant(50);
  const MonitorGiven given{.repeat = 2, .yes = true};
  EXPECT_EQ(Thrown([&] { RunMonitor(config, given, "watch", fail); }).kind(),
            ErrorKind::kUnavailable);
  EXPECT_FALSE(fs::exists("watch"));
  EXPECT_TRUE(
      dp::Ledger::Open("ledger.sqlite").TotalsOf("phones").reserved.empty());
  // Once a question may have been asked, everything stays.
  const InspectFunction later = [](const InspectJob& job, InspectOutcome&) {
    runs::WriteInspection(job.folder, {.ledger_name = job.plan->name});
    throw Unavailable("a full disk", "", "");
  };
  EXPECT_EQ(Thrown([&] { RunMonitor(config, given, "watch", later); }).kind(),
            ErrorKind::kUnavailable);
  EXPECT_TRUE(fs::exists("watch/monitor.json"));
  EXPECT_FALSE(
      dp::Ledger::Open("ledger.sqlite").TotalsOf("phones").reserved.empty());
}

TEST_F(InspectMonitorTest, ADryRunRefusesWhatTheMonitorRefuses) {
  const auto both = [](const config::TrainConfig& config, MonitorGiven given,
                       const std::string& folder) {
    Stub stub;
    const auto error = [&](bool dry_run) {
      given.dry_run = dry_run;
      given.yes = true;
      return Thrown(
          [&] { RunMonitor(config, given, folder, stub.Function()); });
    };
    const Error dry = error(true);
    const Error wet = error(false);
    EXPECT_EQ(dry.kind(), wet.kind());
    EXPECT_EQ(std::string(dry.what()), wet.what());
    EXPECT_TRUE(stub.jobs.empty());
  };
  base::WriteFileAtomically("file", "");
  both(Config(), {.repeat = 2}, "file/watch");
  fs::create_directories("taken");
  base::WriteFileAtomically("taken/mine", "");
  both(Config(), {.repeat = 2}, "taken");
  int checked = 0;
  MonitorGiven given{.repeat = 3, .changes = {ParseSetAt("3:data.bug=nosuch")}};
  given.check = [&](const config::TrainConfig& config) {
    ++checked;
    if (config.data.bug == "nosuch") throw BadInput("unknown bug", "data.bug");
  };
  both(Config(), given, "watch");
  EXPECT_EQ(checked, 4) << "as it is and as it becomes, twice";
  EXPECT_FALSE(fs::exists("watch"));
  const config::TrainConfig config = Private();
  Grant(1e-3);
  both(config, {.repeat = 2}, "watch");
}

TEST_F(InspectMonitorTest, WaitsFromOneStartToTheNext) {
  Stub stub;
  const auto start = std::chrono::steady_clock::now();
  RunMonitor(Config(), {.repeat = 2, .every = 0.3}, "watch", stub.Function());
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  EXPECT_GE(seconds, 0.3);
}

}  // namespace
}  // namespace sfumato::inspect
