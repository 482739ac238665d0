// The privacy loss of many independent events together.
//
//   const Term rounds{PrivacyLoss(event, Direction::kRemove), 1000};
//   double epsilon = ComposedEpsilon({&rounds, 1}, 1e-6);
//
// Both answers are upper bounds, mostly within about a ten-thousandth of the
// truth (the top of composition.cc says how and why), and up to 14 % above it
// where a rare large loss decides, or 0.0002 near 0. They hold for noise
// multipliers from 0.3 to 100, one to a million events, delta from 1e-3 to
// 1e-12 and beyond.

#pragma once

#include <span>

#include "dp/accounting/privacy_loss.h"

namespace sfumato::dp {

struct Term {
  PrivacyLoss loss;
  double count = 1;  // number of independent losses like this; whole
};

// The least epsilon >= 0 with a proven delta of at most `delta`; +infinity when
// there is none. REQUIRES: at least one term, 0 < delta < 1.
double ComposedEpsilon(std::span<const Term> terms, double delta);

// The least delta proven at `epsilon`. A coarseness above 1 allows `coarseness`
// times the usual error and takes less time, by about its square root; the
// result is still a bound. REQUIRES: at least one term, epsilon >= 0,
// coarseness >= 1.
double ComposedDelta(std::span<const Term> terms, double epsilon,
                     double coarseness = 1);

}  // namespace sfumato::dp
