// Whether the sides of an inspection are large enough for its models, and what
// would fit if not.
//
//   if (const auto few = FindTooFew(plan, record.a.users, record.b.users)) {
//     throw Refusal(*few, record);
//   }
//
// A size is a noisy count if one was asked for; otherwise what the config says
// or, in simulations, the exact number. Nothing else about the users goes into
// an answer.

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
  double users = 0;
  double deviation = 0;  // of the noise on `users`
  bool noisy = false;
  double cohort = 1;        // of each model
  std::int64_t models = 1;  // on halves of the side, or one
  bool given = false;       // `users` is from the config

  double needed() const { return cohort * static_cast<double>(models); }
  // "about 12 users (a noisy count), and 40 are needed: …"
  std::string Words() const;
};

// The first such side, side a before side b. A size of NaN is too few.
std::optional<TooFew> FindTooFew(const InspectPlan& plan,
                                 const runs::Sourced& users_a,
                                 const runs::Sourced& users_b);

// BadInput, with the cohort that would fit and, if users are chosen by accuracy
// and there is a noisy histogram of it, the threshold.
Error Refusal(const TooFew& few, const runs::InspectionRecord& record);

// What `--verify` finds if too few users are left on side B to compare. The
// finding is gone if, allowing for two deviations of the noise, at most a tenth
// is left of those whom the same rule selected before; otherwise nothing can be
// said.
runs::Contrast FewLeft(const TooFew& few, const runs::Earlier& earlier,
                       const std::string& rule_b);

}  // namespace sfumato::plan
