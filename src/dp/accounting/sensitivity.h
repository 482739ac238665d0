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

// The chance that everything about a unit is revealed whatever the noise. Of a
// thresholded histogram a replaced unit may show its old bin or its new one.
inline double OwnDelta(const Mechanism& mechanism, Adjacency adjacency) {
  if (const auto* m = std::get_if<ThresholdedHistogram>(&mechanism)) {
    const bool replace = adjacency == Adjacency::kReplaceOne;
    return replace ? m->delta * (2 - m->delta) : m->delta;
  }
  if (const auto* m = std::get_if<Approximate>(&mechanism)) return m->delta;
  return 0;
}

}  // namespace sfumato::dp
