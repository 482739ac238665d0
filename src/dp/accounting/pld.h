// Privacy spent, by privacy loss distributions.
//
//   double epsilon = PldEpsilon(events, 1e-6);
//
// What the number means: (epsilon, delta)-DP for the unit and adjacency that
// every event carries, for the released values and all that is computed from
// them, if the list of events was fixed before the first release (rule 3 of
// docs/privacy_proofs.md). Losses, lost mass and rounding are all rounded
// against us, so the true epsilon of the events is never larger. What the
// sampler's own arithmetic adds is in that document, not in this number.
//
// Sources: Doroshenko et al. 2022, "Connect the Dots"; Zhu, Dong and Wang 2022,
// "Optimal Accounting of Differential Privacy via Characteristic Function".

#pragma once

#include <span>

#include "dp/accounting/event.h"

namespace sfumato::dp {

// The smallest epsilon proven for `events`; 0 when there are none, +infinity
// when nothing is proven at this delta. Throws as CheckEvents, and Unsupported
// when an event has no dominating pair here. Populations of one partition pay
// once (rule 6) under add-remove.
double PldEpsilon(std::span<const Event> events, double delta);

// The smallest delta proven at `epsilon` >= 0.
double PldDelta(std::span<const Event> events, double epsilon);

// How often a guess whether somebody took part is right, at most, from even
// odds: (1 + delta(0)) / 2.
double GuessedRight(std::span<const Event> events);

}  // namespace sfumato::dp
