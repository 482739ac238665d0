// The figures on the page of a census, each with its table, as HTML.
//
//   html += SharesFigure(record) + VotesFigure(record);

#pragma once

#include <string>

#include "runs/census.h"

namespace sfumato::report {

// Bars of shares with their intervals. REQUIRES: an answer.
std::string SharesFigure(const runs::CensusRecord& record);

// Votes as they were released, negative ones as well, and what each would have
// had to reach. REQUIRES: an answer.
std::string VotesFigure(const runs::CensusRecord& record);

// Reference users by what was done to their data, and how they voted; empty
// where there were none.
std::string ConfusionFigure(const runs::CensusRecord& record);

}  // namespace sfumato::report
