// What the counts of a census about classes say: how many users have each, and
// whether two groups have the same ones.
//
//   const Calibration calibration = ClassCells({"6", "7"}, /*marks=*/1);
//   ClassAnswerOf({.counts = {{312, 288, 0, 0}}, .noise = noise}, calibration,
//                 {.design = Design::kEverybody});
//
// A user marks some of the classes they have, `marks` at most and drawn from
// theirs, so a count is of users who marked the class; it is of users who have
// it where nobody has more classes than marks. The noise is all that a count
// has to be corrected for.
//
// Everybody: shares with intervals; named is a class that more users marked
// than noise explains, so somebody has it. Two groups: an exact test of whether
// they share a rate (difference.h), for every class, in either direction, with
// the level for the whole question. Who lost a class may mark another one
// instead: what was named already is expected in all others the other way
// round, unless users mark every class they have.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "census/answer/calibration.h"
#include "census/answer/census_answer.h"
#include "census/answer/power.h"

namespace sfumato::census {

// The cells of these classes. Throws BadInput for no class, or two of one name.
Calibration ClassCells(const std::vector<std::string>& classes,
                       std::int64_t marks);

// REQUIRES: counts as AnswerOf checks them, and a calibration about classes.
CensusAnswer ClassAnswerOf(const Counts& counts, const Calibration& calibration,
                           const AnswerOptions& options);

// The case, as CaseText.
std::string ClassCaseText(Design design);

// "every class's share would be known to ± 0.5 %", and of two groups "a class
// that 6 % more users of one group have would be seen"; of classes that users
// have alike.
std::string ClassPowerText(const PowerQuestion& question, std::int64_t classes,
                           std::int64_t marks);

}  // namespace sfumato::census
