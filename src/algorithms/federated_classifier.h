// What fedavg and dp_fedavg share: a classifier that devices train by SGD and
// whose parameters the server moves by the mean of their updates.
//
// The two differ in what the mean went through (fed/mean_mechanism.h): clipped
// generously and without noise, or clipped, noised and paid for.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>

#include "fed/algorithm.h"
#include "fed/server_optimizer.h"
#include "models/classifier.h"

namespace sfumato::algorithms {

struct FederatedClassifierOptions {
  models::Stack model = {};
  models::SgdOptions device = {};
  fed::ServerOptions server = {};
  std::uint64_t seed = 1;  // of the initial parameters
};

class FederatedClassifier : public fed::Algorithm {
 public:
  explicit FederatedClassifier(FederatedClassifierOptions options);

  const models::Stack& model() const { return options_.model; }
  const at::Tensor& params() const { return params_; }  // [1, size]

  at::Tensor Broadcast() const override;
  std::unique_ptr<fed::LaneTrainer> MakeTrainer(
      at::Device device, std::int64_t lanes,
      std::int64_t batch_size) const override;
  void Absorb(const dp::Released<std::vector<float>>& mean) override;
  params::NamedTensors State() const override;
  void Restore(const base::SafetensorsFile& file) override;

 private:
  FederatedClassifierOptions options_;
  at::Tensor params_;
  fed::ServerOptimizer server_;
};

}  // namespace sfumato::algorithms
