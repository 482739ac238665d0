// The epsilons that the papers printed, by the papers' own recipes.
//
//   PublishedEpsilon({.noise_multiplier = 1, .rate = 0.004,
//                     .rounds = 1000, .delta = 4e-8}).epsilon;   // 2.3797
//
// They are for comparison only: they are not bounds for what the papers ran
// (docs/privacy_proofs.md says why). Whatever prints one prints kPublishedProof
// too.
//
// Sources: Augenstein et al. 2020, Tables 3 and 13; Chen, Orekondy and Fritz
// 2020 (GS-WGAN), section 5.

#pragma once

#include <cstdint>
#include <span>

#include "dp/accounting/rdp.h"

namespace sfumato::dp {

inline constexpr char kPublishedProof[] = "none (published)";

// Theorem 9 of Wang et al. 2019 with the noise relative to the clip norm S as
// if a replaced user moved the sum by S; whole orders, 2 to 1024; Mironov's
// conversion. Throws BadInput for impossible numbers.
struct PublishedOptions {
  double noise_multiplier = 1;
  double rate = 0.01;  // cohort over population
  std::int64_t rounds = 1;
  double delta = 1e-5;
};
RdpResult PublishedEpsilon(const PublishedOptions& options);

// Every epsilon of the papers with the settings that give it.
struct PublishedRow {
  const char* paper = "";
  const char* name = "";
  double printed = 0;  // as the paper rounds it
  PublishedOptions options = {};
  std::int64_t cohort = 0;      // 0 where the paper gives a rate only
  std::int64_t population = 0;  // likewise
};
std::span<const PublishedRow> PublishedRows();

}  // namespace sfumato::dp
