#include "plan/plan_file.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "nlohmann/json.hpp"
#include "runs/json_record.h"

namespace sfumato::plan {
namespace {

using nlohmann::json;

constexpr const char* kFile = "plan.json";
constexpr runs::RecordKind kKind = {"a plan", "sfumato.plan/1"};

json EventsJson(const std::vector<dp::Event>& events) {
  json all = json::array();
  for (const dp::Event& event : events) all.push_back(dp::ToJson(event));
  return all;
}

std::vector<dp::Event> EventsFrom(const json& all, const std::string& where) {
  std::vector<dp::Event> events;
  for (const json& event : all) {
    events.push_back(dp::EventFromJson(event, where));
  }
  return events;
}

json ToJson(const Plan& plan) {
  json runs = json::array();
  for (const PlannedRun& run : plan.runs) {
    runs.push_back({{"name", run.name},
                    {"trains", run.trains},
                    {"events", EventsJson(run.events)}});
  }
  return {{"schema", kKind.schema},
          {"simulation", plan.simulation},
          {"population", plan.root},
          {"before", EventsJson(plan.before)},
          {"runs", runs},
          {"noise_multiplier", plan.noise_multiplier},
          {"delta", plan.delta},
          {"epsilon", plan.epsilon},
          {"proof", plan.proof},
          {"against", plan.against}};
}

Plan PlanFrom(const json& from, const std::string& where) {
  Plan plan{.simulation = from.at("simulation"),
            .root = from.at("population"),
            .before = EventsFrom(from.at("before"), where),
            .noise_multiplier = from.at("noise_multiplier"),
            .delta = from.at("delta")};
  for (const json& run : from.at("runs")) {
    plan.runs.push_back({.name = run.at("name"),
                         .trains = run.at("trains"),
                         .events = EventsFrom(run.at("events"), where)});
  }
  return plan;
}

bool IsSame(const PlannedRun& one, const PlannedRun& other) {
  return one.name == other.name && one.trains == other.trains &&
         one.events == other.events;
}

}  // namespace

void WritePlan(const base::Path& folder, const Plan& plan) {
  base::WriteFileAtomically(folder / kFile, ToJson(plan).dump(2) + "\n");
}

std::optional<Plan> ReadPlan(const base::Path& folder) {
  const base::Path path = folder / kFile;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return runs::ReadRecord(
      base::ParseJson(base::ReadFile(path)), kKind, path.string(),
      [&](const json& from) { return PlanFrom(from, path.string()); });
}

config::TrainConfig WithNoiseOf(const Plan& kept, config::TrainConfig config) {
  if (!(config.privacy.noise_multiplier > 0)) {
    config.privacy.noise_multiplier = kept.noise_multiplier;
  }
  return config;
}

void RequireSameReleases(const Plan& kept, const Plan& plan,
                         const base::Path& folder) {
  if (kept.simulation == plan.simulation && kept.root == plan.root &&
      kept.before == plan.before &&
      std::ranges::equal(kept.runs, plan.runs, IsSame) &&
      kept.delta == plan.delta) {
    return;
  }
  throw BadInput("this is not what was agreed to", (folder / kFile).string(),
                 "the config, the data, the vocabulary or this file changed "
                 "since: put them back, or begin anew with another --out");
}

}  // namespace sfumato::plan
