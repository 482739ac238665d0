// What the adjacency makes of a mechanism's own numbers.

#pragma once

#include <variant>

#include "dp/accounting/event.h"

namespace sfumato::dp {

// How far a neighbour moves a sum of contributions, over the norm S to which
// each is clipped: one appears or disappears, or turns into its opposite.
inline double Moves(Adjacency adjacency) {
  return adjacency == Adjacency::kAddRemove ? 1.0 : 2.0;
}

// The chance that everything about a unit is revealed whatever the noise.
//
// Of a thresholded histogram it is the same for both adjacencies. Where a bin
// of one unit alone shows with chance p on one side and r on the other, both at
// most delta, a set of outputs without those bins has chances (1-p) P and
// (1-r) Q, and (1-p) P - e^epsilon (1-r) Q <= max(0, r-p) +
// (1 - max(p, r)) (P - e^epsilon Q) where that is positive; with the p of the
// outputs that show such a bin, max(p, r) in all.
inline double OwnDelta(const Mechanism& mechanism) {
  if (const auto* m = std::get_if<ThresholdedHistogram>(&mechanism)) {
    return m->delta;
  }
  if (const auto* m = std::get_if<Approximate>(&mechanism)) return m->delta;
  return 0;
}

}  // namespace sfumato::dp
