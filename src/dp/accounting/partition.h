// What users of populations that share nobody pay (rule 6 of
// docs/privacy_proofs.md), for a list fixed in advance.

#pragma once

#include <span>
#include <vector>

#include "dp/accounting/event.h"

namespace sfumato::dp {

// The events with those of each partition replaced by events that everybody
// pays and that cost at least as much as those of any one cell. Either, for
// every kind of event, as many as the cell that has most of them; or, where all
// are Gaussian rounds drawn in one way, as many of the dearest noise and rate
// as the cell with most rounds has; the one that looks cheaper.
//
// Why not the larger of the cells' epsilons: which cell a user is in may have
// been decided by an earlier release of the same list (a threshold), and then
// the worst cell may depend on the loss so far. What is returned dominates
// every cell round by round, whichever it is.
std::vector<Event> WithoutPartitions(std::span<const Event> events);

}  // namespace sfumato::dp
