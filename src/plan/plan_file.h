// What a training, an inspection or a monitor was agreed to release, in its
// folder as plan.json. It is written once, after the yes and before anything is
// reserved. What resumes takes its noise from there, searches for none, and
// must come to the same releases:
//
//   WritePlan(folder, plan);
//   const TrainPlan again =
//       PlanAsKept(folder, config, [&](const config::TrainConfig& fixed) {
//         return PlanTraining(fixed, facts);
//       });
//
// So the file is not trusted with privacy. Who pays, for what and how much
// comes from the config, the data and the vocabulary as they are now; a file, a
// config or data that was changed in between is refused.

#pragma once

#include <optional>

#include "base/file.h"
#include "config/train_config.h"
#include "plan/plan.h"

namespace sfumato::plan {

void WritePlan(const base::Path& folder, const Plan& plan);

// Without what follows from the rest: price, proof, ids of the data. Nothing if
// there is no file, as in the folders of older programs. Throws Corrupt for a
// file that is not a plan.
std::optional<Plan> ReadPlan(const base::Path& folder);

// With the plan's noise, if the config leaves it to be found.
config::TrainConfig WithNoiseOf(const Plan& kept, config::TrainConfig config);

// Throws BadInput when `plan` would release anything else than `kept`, or from
// others. The data may be a further set of the same people: the ledger decides.
void RequireSameReleases(const Plan& kept, const Plan& plan,
                         const base::Path& folder);

// What `make` makes of the config, as the folder's plan says.
template <typename MakePlan>
auto PlanAsKept(const base::Path& folder, const config::TrainConfig& config,
                const MakePlan& make) {
  const std::optional<Plan> kept = ReadPlan(folder);
  if (!kept) return make(config);
  auto plan = make(WithNoiseOf(*kept, config));
  RequireSameReleases(*kept, plan, folder);
  return plan;
}

}  // namespace sfumato::plan
