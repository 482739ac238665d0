// Whether the sides of an inspection are large enough for its models, and what
// would fit where they are not.
//
//   if (const auto few = FindTooFew(plan, record.a.users, record.b.users)) {
//     throw Refusal(*few, record);
//   }
//
// A size is a noisy count wherever one was asked for; without one, what the
// config says or, in simulations, the exact number. Nothing else about the
// users goes into an answer.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.h"
#include "plan/inspect_plan.h"
#include "runs/contrast.h"
#include "runs/inspection.h"

namespace sfumato::plan {

// A side that cannot fill the cohorts of its models.
struct TooFew {
  config::Side side = {};
  double users = 0;      // found …
  double deviation = 0;  // … with so much noise
  bool noisy = false;
  double cohort = 1;        // of each model
  std::int64_t models = 1;  // on halves of the side, or one
  bool given = false;       // the users, by the config

  double needed() const { return cohort * static_cast<double>(models); }
  // "about 12 users (a noisy count), and 40 are needed: …"
  std::string Words() const;
};

// The first of them, side a before side b. A size that is no number is too few.
std::optional<TooFew> FindTooFew(const InspectPlan& plan,
                                 const runs::Sourced& users_a,
                                 const runs::Sourced& users_b);

// BadInput, with the cohort that would fit and, where users are chosen by
// accuracy and their noisy histogram is there, the threshold.
Error Refusal(const TooFew& few, const runs::InspectionRecord& record);

// What an inspection found that was to verify an earlier one, when too few are
// left on side B to compare. They are gone if, two deviations of the noise
// allowed for, at most a tenth is left of those whom the same rule found
// before; else nothing can be said.
runs::Contrast FewLeft(const TooFew& few, const runs::Earlier& earlier,
                       const std::string& rule_b);

}  // namespace sfumato::plan
