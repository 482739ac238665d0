#include "plan/plan_file.h"

#include "base/folder_testing.h"
#include "nlohmann/json.hpp"
#include "plan/inspect_plan_testing.h"
#include "plan/monitor_plan.h"

namespace sfumato::plan {
namespace {

class PlanFileTest : public base::FolderTest {
 protected:
  // What the inspection of `config` is refused for, with the file changed.
  ErrorKind RefusedAfter(const std::function<void(nlohmann::json&)>& change,
                         const config::TrainConfig& config = Config(),
                         const DataFacts& data = kPrivate) const {
    WritePlan(folder_, PlanOf(Config(), kPrivate));
    nlohmann::json file =
        nlohmann::json::parse(base::ReadFile(folder_ / "plan.json"));
    change(file);
    base::WriteFileAtomically(folder_ / "plan.json", file.dump());
    return Thrown([&] { Again(config, data); }).kind();
  }
  InspectPlan Again(const config::TrainConfig& config,
                    const DataFacts& data = kPrivate) const {
    return PlanAsKept(folder_, config, [&](const config::TrainConfig& fixed) {
      return PlanOf(fixed, data);
    });
  }
};

config::TrainConfig ForEpsilon(double epsilon) {
  config::TrainConfig config = Config();
  config.privacy.noise_multiplier = 0;
  config.privacy.epsilon = epsilon;
  return config;
}

TEST_F(PlanFileTest, KeepsEveryRelease) {
  EXPECT_FALSE(ReadPlan(folder_));
  InspectPlan plan = PlanOf(Config(), kPrivate);
  plan.before = {{.mechanism = dp::Gaussian{.noise_multiplier = 2},
                  .population = {.name = "phones"}}};
  WritePlan(folder_, plan);
  const std::optional<Plan> kept = ReadPlan(folder_);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->Events(), plan.Events());
  EXPECT_EQ(kept->before, plan.before);
  EXPECT_NO_THROW(RequireSameReleases(*kept, plan, folder_));
}

TEST_F(PlanFileTest, NoiseThatWasFoundIsNotSearchedForAgain) {
  const InspectPlan found = PlanOf(ForEpsilon(2), kPrivate);
  ASSERT_GT(found.noise_multiplier, 0);
  WritePlan(folder_, found);
  double given = 0;
  PlanAsKept(folder_, ForEpsilon(2), [&](const config::TrainConfig& fixed) {
    given = fixed.privacy.noise_multiplier;
    return PlanOf(fixed, kPrivate);
  });
  EXPECT_EQ(given, found.noise_multiplier);
}

TEST_F(PlanFileTest, AMonitorIsKeptLikeAnyPlan) {
  const auto make = [](const config::TrainConfig& config) {
    return PlanMonitor(config, kPrivate, {.name = "watch", .repeat = 3});
  };
  WritePlan(folder_, make(ForEpsilon(2)));
  EXPECT_EQ(PlanAsKept(folder_, ForEpsilon(2), make).Events(),
            make(ForEpsilon(2)).Events());
  EXPECT_EQ(Thrown([&] {
              PlanAsKept(folder_, ForEpsilon(2),
                         [](const config::TrainConfig& config) {
                           return PlanMonitor(config, kPrivate,
                                              {.name = "watch", .repeat = 2});
                         });
            }).kind(),
            ErrorKind::kBadInput);
}

TEST_F(PlanFileTest, WithoutAFileItIsPlannedAnew) {
  EXPECT_EQ(Again(Config()).Events(), PlanOf(Config(), kPrivate).Events());
}

// Each would let somebody pay less than was released, or nothing, or see
// another price than was agreed to.
TEST_F(PlanFileTest, AChangedFileIsRefused) {
  const auto each_event = [](const std::function<void(nlohmann::json&)>& with) {
    return [with](nlohmann::json& file) {
      for (nlohmann::json& run : file["runs"]) {
        for (nlohmann::json& event : run["events"]) with(event);
      }
    };
  };
  for (const auto& change : std::vector<std::function<void(nlohmann::json&)>>{
           [](nlohmann::json& file) { file["simulation"] = true; },
           [](nlohmann::json& file) { file["population"] = "others"; },
           [](nlohmann::json& file) { file["delta"] = 0.1; },
           [](nlohmann::json& file) { file["runs"].erase(0); },
           [](nlohmann::json& file) { file["runs"][0]["name"] = "second/a1"; },
           each_event([](nlohmann::json& event) { event["count"] = 1; }),
           each_event([](nlohmann::json& event) {
             event["population"]["partition"] = "one";
           })}) {
    EXPECT_EQ(RefusedAfter(change), ErrorKind::kBadInput);
  }
}

TEST_F(PlanFileTest, AChangedConfigOrOriginIsRefused) {
  const auto unchanged = [](nlohmann::json&) {};
  config::TrainConfig longer = Config();
  longer.rounds += 1;
  EXPECT_EQ(RefusedAfter(unchanged, longer), ErrorKind::kBadInput);
  config::TrainConfig louder = Config();
  louder.privacy.noise_multiplier = 0.5;
  EXPECT_EQ(RefusedAfter(unchanged, louder), ErrorKind::kBadInput);
  EXPECT_EQ(RefusedAfter(unchanged, Config(), kPublic), ErrorKind::kBadInput);
}

// Next month's records of the same people are another set: the ledger knows
// whether it is bound to them.
TEST_F(PlanFileTest, AnotherSetOfTheSamePeopleIsNotRefusedHere) {
  WritePlan(folder_, PlanOf(Config(), kPrivate));
  DataFacts next = kPrivate;
  next.dataset_ids = {"next month"};
  EXPECT_EQ(Again(Config(), next).dataset_ids, next.dataset_ids);
}

TEST_F(PlanFileTest, ADamagedFileIsRefused) {
  for (const char* key : {"schema", "simulation", "population", "before",
                          "runs", "noise_multiplier", "delta"}) {
    EXPECT_EQ(RefusedAfter([&](nlohmann::json& file) { file.erase(key); }),
              ErrorKind::kCorrupt)
        << key;
  }
}

}  // namespace
}  // namespace sfumato::plan
