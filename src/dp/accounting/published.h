// The epsilons that the papers printed, by the papers' own recipes.
//
// They are for comparison only: they are no bounds for what the papers ran
// (docs/privacy.md says why). Whatever prints one prints kPublishedProof too.
//
// Sources: Augenstein et al. 2020, Tables 3 and 13; Chen, Orekondy and Fritz
// 2020 (GS-WGAN), section 5.

#pragma once

#include <cstdint>

#include "dp/accounting/rdp.h"

namespace sfumato::dp {

inline constexpr char kPublishedProof[] = "none (published)";

// Theorem 9 of Wang et al. 2019 with the noise relative to the clip norm S as
// if a replaced user moved the sum by S; whole orders; Mironov's conversion.
struct PublishedOptions {
  double noise_multiplier = 1;
  double rate = 0.01;  // cohort over population
  std::int64_t rounds = 1;
  double delta = 1e-5;
};
RdpResult PublishedEpsilon(const PublishedOptions& options);

}  // namespace sfumato::dp
