// What of an inspection's plan would fit where the plan itself does not.
//
//   WhatFits(plan, [&](const InspectPlan& smaller) {
//     return EpsilonOf(smaller.Events()) <= budget;
//   });   // "--set privacy.noise_multiplier=2.4, --set rounds=120 or …"

#pragma once

#include <functional>
#include <string>

#include "plan/inspect_plan.h"

namespace sfumato::plan {

// More noise, fewer rounds and smaller cohorts, each by itself and no further
// than `fits` asks for; empty where none helps. REQUIRES: whatever costs less
// than something that fits, fits.
std::string WhatFits(const InspectPlan& plan,
                     const std::function<bool(const InspectPlan&)>& fits);

}  // namespace sfumato::plan
