// Which users and which of their examples take part: the selection tasks T1 to
// T6 of Augenstein et al. 2020, as a small value that each device checks for
// itself. Nothing of the outcome leaves the device: a user who is not selected
// answers with an update of zero, like one who has no examples.
//
//   T1  everyone
//   T2  examples       those that the classifier judges right (a) or wrong (b),
//                      of users with at least `least_examples` of them
//   T4  accuracy       users for whom it is right above (a) or below (b)
//       perplexity     users whose text a word model reads with a perplexity
//                      below (a) or above (b): little is good
//       class, column  a slice of the examples (b), and the rest (a)
//       before_after   everyone, in two states of the pipeline: as the data
//                      were (a), and as they are now (b)
//       vote           users who vote in a census that all is as it should be
//                      (a), or who mark `answer` (b). Who answers otherwise is
//                      on neither side: other damage is no healthy comparison
//   T6  unlike_public  examples that a discriminator between public and private
//                      data takes for public (a) or not (b), of users with at
//                      least `least_examples` of them
//       likelihood     sentences that a word model of public text holds likely
//                      (a) or not (b): perplexity of the sentence below (a) or
//                      above (b), of users with at least `least_examples` of
//                      them
//
//   Criterion criterion = CriterionOf(config.select);
//   CheckCriterion(criterion, set.info());     // before anybody is asked
//   Rule(criterion);                           // "accuracy < 0.882"
//
// The source of T6's score is AgainstPublic (models/batch.h): the last class is
// "private", and `above` and `below` are about the chance of being public, so
// that side a is the healthy one. `above` is never less than `below`; for
// perplexities, side a is below the one and side b above the other.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "config/train_config.h"
#include "data/dataset.h"

namespace sfumato::select {

using config::By;
using config::Side;

struct Criterion {
  By by = By::kEveryone;
  Side side = Side::kA;
  std::int64_t half = 0;  // 1, 2: users whose keyed hash says so
  double above = 1;
  double below = 0;
  std::int64_t least_examples = 5;
  std::string column = "";
  std::string value = "";
  std::string answer = "";  // the key of a cell: census/answer/calibration.h

  bool needs_labels() const;  // accuracy, examples, class
  // Whether a number is on this side's side of its threshold; NaN never is.
  bool Holds(double measured) const;
};

// Throws BadInput for thresholds that overlap: a user would be on both sides.
Criterion CriterionOf(const config::SelectConfig& config);

// With thresholds that a survey released. Noise may have crossed them; then
// `below` comes down to `above`, so that nobody is on both sides.
Criterion WithThresholds(Criterion criterion, double above, double below);

// Throws BadInput for a class, column or value that the data do not have (with
// the nearest), none where one is needed, an answer that is side a's, or data
// without the labels that are needed; Unsupported for a criterion of text on
// other data, text judged by a classifier, or private data whose names were not
// declared.
void CheckCriterion(const Criterion& criterion, const data::DatasetInfo& info);

// 1 or 2: the half of a user, by a keyed hash of the id. The key is fixed and
// public; so a user's half does not depend on who else is there, which
// add-remove adjacency needs.
std::int64_t HalfOf(std::string_view user_id);

// "users for whom the classifier is right for less than 0.882 of the examples"
std::string Words(const Criterion& criterion);
std::string Rule(const Criterion& criterion);  // "accuracy < 0.882"

}  // namespace sfumato::select
