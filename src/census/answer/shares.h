// Shares of users from noisy counts, with intervals of 95 %.
//
//   const auto shares = EstimateShares(question, confusion, 2000, seed);
//   shares[cell].low;
//
// How: census_answer.h. Of two groups the difference is corrected twice: with
// healthy users as reference users were, and as the first group answered (what
// references of another kind get wrong); the interval has both in it.

#pragma once

#include <cstdint>
#include <vector>

#include "census/answer/confusion.h"
#include "census/answer/threshold.h"

namespace sfumato::census {

struct ShareInterval {
  double share = 0;
  double low = 0;
  double high = 1;
};

// [cell]; not clipped. REQUIRES: users of every group above 0.
std::vector<ShareInterval> EstimateShares(const ThresholdQuestion& question,
                                          const Confusion& confusion,
                                          std::int64_t draws,
                                          std::uint64_t seed);

}  // namespace sfumato::census
