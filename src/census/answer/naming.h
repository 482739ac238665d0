// Which answers are named: those that pass their thresholds, the clearest
// first, each beside what leaks into it from those before it.
//
//   const std::vector<Named> named = NameCells(
//       answers, thresholds, 1, [&](const std::vector<Named>& before,
//                                   std::size_t cell, bool more) {
//         return std::vector<Leak>{};   // nothing leaks
//       });

#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "census/answer/census_answer.h"
#include "census/answer/threshold.h"

namespace sfumato::census {

// Of each bound on what leaks.
inline constexpr double kLeakChance = 0.01;

struct Named {
  std::size_t cell = 0;
  bool more = true;    // of two groups: the second has more
  double reached = 0;  // the statistic's size, upper end
};

// What those that were named leak into this cell, in this direction.
using LeaksInto = std::function<std::vector<Leak>(
    const std::vector<Named>& named, std::size_t cell, bool more)>;

// Of the cells from `first` to none_of_these; writes their `supported` and
// `threshold`.
std::vector<Named> NameCells(std::vector<CellAnswer>& answers,
                             const Thresholds& thresholds, std::size_t first,
                             const LeaksInto& leaks_into);

}  // namespace sfumato::census
