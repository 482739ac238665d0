// Which users and which of their examples take part: the selection tasks T1 to
// T6 of Augenstein et al. 2020, as a small value that each device checks for
// itself. Nothing of the outcome leaves the device: a user who is not selected
// answers with an update of zero, like one who has no examples.
//
//   T1  everyone
//   T2  examples       those that the classifier judges right (a) or wrong (b),
//                      of users with at least so many of them
//   T4  accuracy       users for whom it is right above (a) or below (b)
//       class, column  a slice of the examples (b), and the rest (a)
//   T6  unlike_public  examples that a discriminator between public and private
//                      data takes for private (b), or for public (a)

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "models/batch.h"
#include "models/stack.h"
#include "runs/train_config.h"

namespace sfumato::select {

enum class By {
  kEveryone,
  kAccuracy,
  kExamples,
  kClass,
  kColumn,
  kUnlikePublic
};
enum class Side { kA, kB };

struct Criterion {
  By by = By::kEveryone;
  Side side = Side::kA;
  std::int64_t half = 0;  // 1, 2: users whose keyed hash says so
  double above = 1;
  double below = 0;
  std::int64_t least_examples = 5;
  std::string column = "";
  std::string value = "";

  bool needs_model() const;
  // Whether a user can be in one of the two sides at most (rule 6).
  bool sides_share_nobody() const;
};

// Throws BadInput with the nearest known word.
Criterion CriterionOf(const runs::SelectConfig& config);

// "users for whom the classifier is right for less than 0.882 of the examples"
std::string Words(const Criterion& criterion);
std::string Rule(const Criterion& criterion);  // "accuracy < 0.882"

}  // namespace sfumato::select
