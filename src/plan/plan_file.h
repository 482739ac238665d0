// A plan in the folder of its training, inspection or monitor, as plan.json:
// made once, before anything is reserved, and read when the work resumes.
//
//   WritePlan(folder, plan);
//   const auto kept = ReadTrainPlan(folder, {config, facts});
//
// What the file says is not trusted with privacy: whether the data are private,
// and which they are, is asked of the data, and the ledger compares every event
// with what it reserved.

#pragma once

#include <cstdint>
#include <optional>

#include "base/file.h"
#include "plan/inspect_plan.h"
#include "plan/monitor_plan.h"
#include "plan/train_plan.h"

namespace sfumato::plan {

// A training that does not protect has nothing to keep, and writes no file.
void WritePlan(const base::Path& folder, const TrainPlan& plan);
void WritePlan(const base::Path& folder, const InspectPlan& plan);
void WritePlan(const base::Path& folder, const MonitorPlan& plan);

// What a plan was made for.
struct PlannedFor {
  const config::TrainConfig& config;
  const DataFacts& data;
};

// Each returns nothing where there is no file, as in the folders of an older
// program, and throws Corrupt for a file that is not such a plan, or is for
// other data, models or numbers of inspections.
std::optional<TrainPlan> ReadTrainPlan(const base::Path& folder,
                                       const PlannedFor& given);
std::optional<InspectPlan> ReadInspectPlan(const base::Path& folder,
                                           const PlannedFor& given);
std::optional<MonitorPlan> ReadMonitorPlan(const base::Path& folder,
                                           const PlannedFor& given,
                                           std::int64_t repeat);

}  // namespace sfumato::plan
