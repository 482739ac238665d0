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
  EXPECT_FALSE(ReadPlan(folder_, Config()));
  for (const InspectPlan& plan :
       {PlanOf(WithQuantiles(), kPrivate), PlanOf(Unasked(), kPublic)}) {
    WritePlan(folder_, plan);
    const auto read = ReadPlan(folder_, Config());
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, plan);
  }
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
  EXPECT_EQ(*ReadPlan(folder_, Config()), plan);
}

TEST_F(PlanFileTest, ADamagedFileIsRefused) {
  WritePlan(folder_, PlanOf(WithQuantiles(), kPrivate));
  const nlohmann::json whole = Written();
  for (const auto& [key, value] : whole.items()) {
    nlohmann::json damaged = whole;
    damaged.erase(key);
    Write(damaged);
    EXPECT_EQ(Thrown([&] { ReadPlan(folder_, Config()); }).kind(),
              ErrorKind::kCorrupt)
        << key;
  }
  nlohmann::json fewer = whole;
  fewer["questions"].erase(0);
  Write(fewer);
  EXPECT_EQ(Thrown([&] { ReadPlan(folder_, Config()); }).kind(),
            ErrorKind::kCorrupt);
  nlohmann::json untrained = whole;
  untrained["runs"].erase(untrained["runs"].size() - 1);
  Write(untrained);
  EXPECT_EQ(Thrown([&] { ReadPlan(folder_, Config()); }).kind(),
            ErrorKind::kCorrupt);
}

// Halves that share people would pay once.
TEST_F(PlanFileTest, AModelOfOtherUsersIsRefused) {
  const InspectPlan plan = PlanOf(Config(), kPrivate);
  const auto change = [&](const std::function<void(ModelPlan&)>& with) {
    InspectPlan other = plan;
    with(other.models[1]);
    WritePlan(folder_, other);
    return Thrown([&] { ReadPlan(folder_, Config()); }).kind();
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
  Reserve(ledger, *ReadPlan(folder_, Config()));  // changes nothing
  nlohmann::json louder = Written();
  for (nlohmann::json& run : louder["runs"]) {
    if (run["trains"]) run["events"][0]["noise_multiplier"] = 0.01;
  }
  Write(louder);
  EXPECT_EQ(
      Thrown([&] { Reserve(ledger, *ReadPlan(folder_, Config())); }).kind(),
      ErrorKind::kBadInput);
}

}  // namespace
}  // namespace sfumato::plan
