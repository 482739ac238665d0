// Federated averaging with user-level privacy: Algorithm 2 of Augenstein et al.
// 2020, "Generative Models for Effective ML on Private, Decentralized
// Datasets", after McMahan et al. 2018, "Learning Differentially Private
// Recurrent Language Models".
//
//   DpFedAvg algorithm(models::TrainableClassifier(stack),
//                      {.device = {.learning_rate = 0.1}});
//   const auto mechanism = fed::MakeMeanMechanism(DpFedAvgMean(
//       {.noise_multiplier = 1, .clip_norm = 0.5, .expected_cohort = 100}));
//   fed::RunRounds(parts, options);               // with the two of them
//
// dp_fedavg.cc has what is the paper's own, in its order; each line that the
// loop does for every algorithm is named where the paper has it.
//
// Without noise this is FedAvg: Algorithm 1 of McMahan, Moore, Ramage, Hampson
// and Agüera y Arcas 2017, "Communication-Efficient Learning of Deep Networks
// from Decentralized Data". The two differ in FedAvgMean alone.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>

#include "fed/algorithm.h"
#include "fed/mean_mechanism.h"
#include "fed/server_optimizer.h"
#include "models/lane_loss.h"

namespace sfumato::algorithms {

// z, S and qN, and so σ = z S / qN, by fixed or adaptive clipping. Throws
// BadInput without a noise multiplier above 0.
fed::MeanOptions DpFedAvgMean(fed::MeanOptions options);

// No noise and no privacy: no ledger takes such rounds, and the loop refuses
// them outside a simulation. In place of the paper's n_k / n stands the same
// configured divisor, so that this can be compared with DpFedAvgMean; and
// updates are clipped generously (clip_norm 0: at 100), since one device that
// diverged would own the mean.
fed::MeanOptions FedAvgMean(fed::MeanOptions options);

struct SgdOptions {
  double learning_rate = 0.1;  // η
  double momentum = 0;
};

struct DpFedAvgOptions {
  SgdOptions device = {};
  fed::ServerOptions server = {};
  std::uint64_t seed = 1;  // of the initial parameters
};

class DpFedAvg : public fed::Algorithm {
 public:
  DpFedAvg(models::Trainable model, const DpFedAvgOptions& options);

  const params::Layout& layout() const { return model_.layout; }
  const at::Tensor& params() const { return params_; }  // [1, size]

  at::Tensor Broadcast() const override;
  std::unique_ptr<fed::LaneTrainer> MakeTrainer(
      at::Device device, std::int64_t lanes,
      std::int64_t batch_size) const override;
  void Absorb(const dp::Released<std::vector<float>>& mean) override;
  params::NamedTensors State() const override;
  void Restore(const base::SafetensorsFile& file) override;

 private:
  models::Trainable model_;
  SgdOptions device_;
  at::Tensor params_;
  fed::ServerOptimizer server_;
};

}  // namespace sfumato::algorithms
