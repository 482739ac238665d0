// Which changes would make an inspection's plan fit where it does not.
//
//   WhatFits(plan, [&](const InspectPlan& smaller) {
//     return EpsilonOf(smaller.Events(), plan.delta) <= budget;
//   });   // "--set privacy.noise_multiplier=2.4 or --set rounds=120"

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
