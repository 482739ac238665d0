// What the project asks of the answers of a census, and whether they keep it.

#pragma once

#include "bench/bench_census.h"

namespace sfumato::bench {

// Of a kind of censuses: shares of them.
struct Promise {
  const char* words;
  double differs = 1;  // at most
  double wrong = 1;
  double named = 0;  // at least
  double covered = 0;
  double open = 0;
};
inline constexpr Promise kQuiet = {.words = "differs in ≤ 2 %",
                                   .differs = 0.02};
inline constexpr Promise kNames = {.words = "named ≥ 95 %, share inside ≥ 90 %",
                                   .named = 0.95,
                                   .covered = 0.9};
inline constexpr Promise kNamesBoth = {.words = "both named ≥ 80 %",
                                       .named = 0.8};
inline constexpr Promise kStaysOpen = {
    .words = "none of these or cannot say ≥ 80 %, a wrong name ≤ 10 %",
    .wrong = 0.1,
    .open = 0.8};

// There are few censuses of one damage: it falls short if chance would explain
// that in fewer than 5 % of cases.
bool IsKept(const Promise& promise, const CensusTally& tally, bool one_damage);

}  // namespace sfumato::bench
