// Federated averaging: Algorithm 1 of McMahan, Moore, Ramage, Hampson and
// Agüera y Arcas 2017, "Communication-Efficient Learning of Deep Networks from
// Decentralized Data".
//
//   server  Broadcast      w_t
//   device  a step of SGD  w ← w - η ∇ℓ(w; b), for epochs over batches b
//   server  Absorb         w_{t+1} ← w_t + Σ_k (n_k / n) Δ_k
//
// There is no privacy in it: FedAvgMean adds no noise, no ledger takes its
// rounds, and the loop refuses it outside a simulation. It is what dp_fedavg is
// measured against. In place of n_k / n stands a configured divisor, so that
// the two differ in clipping and noise alone; and updates are clipped
// generously, since one device that diverged would own the mean.

#pragma once

#include "fed/mean_mechanism.h"

namespace sfumato::algorithms {

// Of `options` the cohort, the weights and the clip norm count (0: 100).
fed::MeanOptions FedAvgMean(fed::MeanOptions options);

}  // namespace sfumato::algorithms
