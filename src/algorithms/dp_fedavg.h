// Federated averaging with user-level privacy: Algorithm 2 of Augenstein et al.
// 2020, "Generative Models for Effective ML on Private, Decentralized
// Datasets", after McMahan et al. 2018, "Learning Differentially Private
// Recurrent Language Models".
//
//   server  Broadcast      θ_t
//   device  a step of SGD  θ ← θ - η ∇ℓ(θ; b), for epochs over batches b
//           clip           Δ_k · min(1, S / ‖Δ_k‖)
//   server  Absorb         θ_{t+1} ← θ_t + (1/qN) Σ Δ_k + N(0, I σ²),
//                          σ = z S / qN
//
// Clipping, noise and the ledger live in fed/round_loop.cc and in the mechanism
// that DpFedAvgMean asks for. The paper draws exactly qN users; the default
// here is a private coin for each, whose cost is lower and proven for
// add-remove (docs/privacy.md). The server may take the mean with momentum, as
// the paper's language models do (Nesterov, 0.99): that is computed from the
// released mean and costs nothing.

#pragma once

#include "fed/mean_mechanism.h"

namespace sfumato::algorithms {

// `options` with noise: fixed or adaptive clipping. Throws BadInput without a
// noise multiplier above 0.
fed::MeanOptions DpFedAvgMean(fed::MeanOptions options);

}  // namespace sfumato::algorithms
