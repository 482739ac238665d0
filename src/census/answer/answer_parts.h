// What the answers of a census have in common, be it about damage or classes:
// groups and cells as they were counted, shares, and how sentences name groups.
//
//   const ThresholdQuestion asked = QuestionOf(counts, calibration, options);
//   CensusAnswer answer = Begun(asked, counts, calibration, options);

#pragma once

#include <cstddef>
#include <string>

#include "census/answer/calibration.h"
#include "census/answer/census_answer.h"
#include "census/answer/confusion.h"
#include "census/answer/threshold.h"

namespace sfumato::census {

ThresholdQuestion QuestionOf(const Counts& counts,
                             const Calibration& calibration,
                             const AnswerOptions& options);

// Counts and users; nothing is named, and no share is known.
CensusAnswer Begun(const ThresholdQuestion& question, const Counts& counts,
                   const Calibration& calibration,
                   const AnswerOptions& options);

// Whether every group has at least one user, as counted.
bool SomebodyAnswered(const ThresholdQuestion& question);

// Shares with their intervals. REQUIRES: SomebodyAnswered.
void AddShares(const ThresholdQuestion& question, const Confusion& confusion,
               const AnswerOptions& options, CensusAnswer& answer);

// Nothing is named any more.
void CannotSay(std::string sentence, std::string next, CensusAnswer& answer);

// “before”, or "the first group".
std::string GroupText(const CensusAnswer& answer, std::size_t group);

// "about 9 % of users more in “now” (7–11 %)".
std::string HowMany(const CellAnswer& one, const CensusAnswer& answer,
                    const std::string& people);

}  // namespace sfumato::census
