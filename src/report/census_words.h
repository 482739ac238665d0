// What the page of a census, its Markdown and its lines in a terminal say
// alike: the verdict in words, which answers are shown, what would be seen.
//
//   const VerdictText verdict = VerdictOf(record);
//   for (const census::CellAnswer& one : Shown(*record.answer)) {
//     IntervalText(one);  // "3–6 %"
//   }

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/sections.h"
#include "runs/census.h"

namespace sfumato::report {

bool IsTwo(const runs::CensusRecord& record);
bool IsOfClasses(const census::CensusAnswer& answer);
bool IsOfClasses(const runs::CensusRecord& record);
// What may be named: a family of damages, or a class.
bool IsFamily(const census::CellAnswer& one);

std::string CountText(double count);
std::string IntervalText(const census::CellAnswer& one);
std::string GroupName(const runs::CensusRecord& record, std::size_t group);

// REQUIRES: an answer.
VerdictText VerdictOf(const runs::CensusRecord& record);
// Who was asked, and what the level holds for.
std::string CaseOf(const runs::CensusRecord& record);
// What share would be seen, of all families; empty where that is not known.
std::string SeenText(const runs::CensusRecord& record);

// Supported answers, then what nobody can fold away; the largest of the others
// where nothing was named. Of classes as many as one can read.
std::vector<census::CellAnswer> Shown(const census::CensusAnswer& answer);
// How many families, or classes, are not among them.
std::size_t FoldedOf(const census::CensusAnswer& answer);

}  // namespace sfumato::report
