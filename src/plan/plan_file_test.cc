#include "plan/plan_file.h"

#include "base/folder_testing.h"
#include "dp/ledger/ledger.h"
#include "nlohmann/json.hpp"
#include "plan/inspect_plan_testing.h"
#include "plan/plan_ledger.h"

namespace sfumato::plan {
namespace {

class PlanFileTest : public base::FolderTest {
 protected:
  nlohmann::json Written() const {
    return nlohmann::json::parse(base::ReadFile(folder_ / "plan.json"));
  }
  void Write(const nlohmann::json& json) const {
    base::WriteFileAtomically(folder_ / "plan.json", json.dump());
  }
  std::optional<InspectPlan> Read(const DataFacts& data = kPrivate) const {
    return ReadInspectPlan(folder_, {Config(), data});
  }
};

config::TrainConfig WithQuantiles() {
  config::TrainConfig config = Config();
  config.select.above.reset();
  config.select.below.reset();
  config.select.above_quantile = 0.75;
  config.select.below_quantile = 0.25;
  return config;
}

TEST_F(PlanFileTest, ReadsBackWhatWasWritten) {
  EXPECT_FALSE(Read());
  const InspectPlan asked = PlanOf(WithQuantiles(), kPrivate);
  WritePlan(folder_, asked);
  EXPECT_EQ(Read(), asked);
  const InspectPlan unasked = PlanOf(Unasked(), kPublic);
  WritePlan(folder_, unasked);
  EXPECT_EQ(Read(kPublic), unasked);
}

TEST_F(PlanFileTest, ReadsBackATraining) {
  config::TrainConfig config = Config();
  config.select = {};
  config.cohort.population = 4000;
  for (const auto sampling :
       {config::Sampling::kPoisson, config::Sampling::kFixed}) {
    config.cohort.sampling = sampling;
    const TrainPlan plan = PlanTraining(config, kPrivate);
    WritePlan(folder_, plan);
    EXPECT_EQ(ReadTrainPlan(folder_, {config, kPrivate}), plan);
  }
}

TEST_F(PlanFileTest, ATrainingThatDoesNotProtectKeepsNothing) {
  TrainPlan open;
  open.protects = false;
  WritePlan(folder_, open);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "plan.json"));
}

TEST_F(PlanFileTest, ReadsBackAMonitor) {
  const MonitorPlan plan =
      PlanMonitor(Config(), kPrivate, {.name = "watch", .repeat = 3});
  WritePlan(folder_, plan);
  const PlannedFor given{Config(), kPrivate};
  EXPECT_EQ(ReadMonitorPlan(folder_, given, 3), plan);
  EXPECT_EQ(Thrown([&] { ReadMonitorPlan(folder_, given, 2); }).kind(),
            ErrorKind::kCorrupt);
  nlohmann::json fewer = Written();
  fewer["runs"].erase(0);
  Write(fewer);
  EXPECT_EQ(Thrown([&] { ReadMonitorPlan(folder_, given, 3); }).kind(),
            ErrorKind::kCorrupt);
}

// A file that called them a simulation would spend nothing.
TEST_F(PlanFileTest, WhetherDataArePrivateIsAskedOfTheData) {
  WritePlan(folder_, PlanOf(Config(), kPrivate));
  EXPECT_TRUE(Read());
  nlohmann::json simulated = Written();
  simulated["simulation"] = true;
  Write(simulated);
  EXPECT_EQ(Thrown([&] { Read(); }).kind(), ErrorKind::kCorrupt);
  simulated["simulation"] = false;
  simulated["dataset_ids"] = {"another"};
  Write(simulated);
  EXPECT_EQ(Thrown([&] { Read(); }).kind(), ErrorKind::kCorrupt);
  simulated["dataset_ids"] = nlohmann::json::array();
  simulated["root"] = "others";
  Write(simulated);
  EXPECT_EQ(Thrown([&] { Read(); }).kind(), ErrorKind::kCorrupt);
}

TEST_F(PlanFileTest, KeepsAVocabularyAndWhatWasPaidForIt) {
  InspectPlan plan = PlanOf(Config(), kPrivate);
  const dp::Event choice{.mechanism = dp::Gaussian{.noise_multiplier = 2},
                         .population = {.name = "phones"}};
  plan.before = {choice};
  plan.vocabulary = {.remarks = {"Chosen."},
                     .event = choice,
                     .ledger_run = "words",
                     .sum = "01234567"};
  WritePlan(folder_, plan);
  EXPECT_EQ(*Read(), plan);
}

TEST_F(PlanFileTest, ADamagedFileIsRefused) {
  WritePlan(folder_, PlanOf(WithQuantiles(), kPrivate));
  const nlohmann::json whole = Written();
  for (const auto& [key, value] : whole.items()) {
    nlohmann::json damaged = whole;
    damaged.erase(key);
    Write(damaged);
    EXPECT_EQ(Thrown([&] { Read(); }).kind(), ErrorKind::kCorrupt) << key;
  }
  nlohmann::json fewer = whole;
  fewer["questions"].erase(0);
  Write(fewer);
  EXPECT_EQ(Thrown([&] { Read(); }).kind(), ErrorKind::kCorrupt);
  nlohmann::json untrained = whole;
  untrained["runs"].erase(untrained["runs"].size() - 1);
  Write(untrained);
  EXPECT_EQ(Thrown([&] { Read(); }).kind(), ErrorKind::kCorrupt);
}

// Halves that share people would pay once.
TEST_F(PlanFileTest, AModelOfOtherUsersIsRefused) {
  const InspectPlan plan = PlanOf(Config(), kPrivate);
  const auto change = [&](const std::function<void(ModelPlan&)>& with) {
    InspectPlan other = plan;
    with(other.models[1]);
    WritePlan(folder_, other);
    return Thrown([&] { Read(); }).kind();
  };
  EXPECT_EQ(change([](ModelPlan& model) { model.half = 1; }),
            ErrorKind::kCorrupt);
  EXPECT_EQ(change([](ModelPlan& model) { model.half = 0; }),
            ErrorKind::kCorrupt);
  EXPECT_EQ(change([](ModelPlan& model) { model.side = config::Side::kB; }),
            ErrorKind::kCorrupt);
  EXPECT_EQ(change([](ModelPlan& model) { model.run = "first/a1"; }),
            ErrorKind::kCorrupt);
}

// Whoever writes less noise into the file is stopped by the ledger.
TEST_F(PlanFileTest, AnotherPlanUnderTheSameNameIsNotReserved) {
  const InspectPlan plan = PlanOf(Config(), kPrivate);
  dp::Ledger ledger = dp::Ledger::Create(
      folder_ / "ledger.sqlite",
      {.name = "phones", .budget = {.epsilon = 1e6, .delta = plan.delta}});
  Reserve(ledger, plan);
  WritePlan(folder_, plan);
  Reserve(ledger, *Read());  // changes nothing
  nlohmann::json louder = Written();
  for (nlohmann::json& run : louder["runs"]) {
    if (run["trains"]) run["events"][0]["noise_multiplier"] = 0.01;
  }
  Write(louder);
  EXPECT_EQ(Thrown([&] { Reserve(ledger, *Read()); }).kind(),
            ErrorKind::kBadInput);
}

}  // namespace
}  // namespace sfumato::plan
