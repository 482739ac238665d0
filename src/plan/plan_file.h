// An inspection's plan in its folder, as plan.json: made once, before anything
// is reserved, and read when the inspection resumes.
//
//   WritePlan(folder, plan);
//   if (const auto plan = ReadPlan(folder, config)) Reserve(ledger, *plan);
//
// What the file says is not trusted with privacy: the ledger compares every
// event with what it reserved, and refuses another.

#pragma once

#include <optional>

#include "base/file.h"
#include "plan/inspect_plan.h"

namespace sfumato::plan {

void WritePlan(const base::Path& folder, const InspectPlan& plan);

// Nothing where there is no plan: an older program began the inspection. Throws
// Corrupt for a file that is not a plan, or has other models than the config.
std::optional<InspectPlan> ReadPlan(const base::Path& folder,
                                    const config::TrainConfig& config);

}  // namespace sfumato::plan
