// Privacy spent, by Rényi divergences.
//
//   double epsilon = RdpEpsilon(events, 1e-6).epsilon;
//
// Looser than pld.h, and it composes even when the next event is chosen after
// seeing the last (filter.h). What the number means: (epsilon, delta)-DP for
// the unit and adjacency that every event carries.
//
// Sources: Mironov 2017; Mironov, Talwar and Zhang 2019 (Poisson sampling);
// Wang, Balle and Kasiviswanathan 2019, Theorem 9 (fixed-size sampling);
// Canonne, Kamath and Steinke 2020, Proposition 12 (conversion).

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dp/accounting/event.h"

namespace sfumato::dp {

// An event's Rényi divergence of one order, for one occurrence (count is not
// applied). `delta` is the chance, outside of the divergence, that everything
// is revealed (thresholded histograms, approximate events); such chances add
// up.
struct RdpCost {
  double divergence = 0;
  double delta = 0;
};

// Throws Unsupported without a proof for this event; +infinity when the bound
// is useless at this order. REQUIRES: order > 1.
RdpCost Rdp(const Event& event, double order);

// The same at many orders, much faster than one after the other.
std::vector<RdpCost> RdpCurve(const Event& event,
                              std::span<const double> orders);

// 1.1 … 10.9 by tenths, 11 … 63, 128, 256, 512, 1024.
std::span<const double> DefaultOrders();

enum class Conversion { kMironov, kCanonneKamathSteinke };

// epsilon of a divergence at one order. REQUIRES: order > 1, 0 < delta < 1.
double RdpToEpsilon(double order, double divergence, double delta,
                    Conversion conversion);

struct RdpResult {
  double epsilon = 0;  // +infinity when nothing is proven at this delta
  double order = 0;    // at which the minimum was found
};

// The least epsilon over DefaultOrders with Canonne-Kamath-Steinke. Populations
// of one partition pay once under add-remove (rule 6 of
// docs/privacy_proofs.md). Throws as CheckEvents and Rdp. 0 when there are no
// events.
RdpResult RdpEpsilon(std::span<const Event> events, double delta);

// The formulas themselves, one occurrence, noise relative to the sensitivity.
double GaussianRdp(double order, double noise_multiplier);
double PoissonGaussianRdp(double order, double rate, double noise_multiplier);
// REQUIRES: order a whole number >= 2.
double FixedSizeGaussianRdp(int order, double rate, double noise_multiplier);

}  // namespace sfumato::dp
