// What fedavg and dp_fedavg share: a model that devices train by SGD and whose
// parameters the server moves by the mean of their updates.
//
//   FederatedModel algorithm(ClassifierTraining(stack, {.device = {0.1}}));
//
// The two differ in what the mean went through (fed/mean_mechanism.h): clipped
// generously and without noise (fedavg.h), or clipped, noised and paid for
// (dp_fedavg.h). What kind of model it is, its trainer alone knows.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <memory>

#include "fed/algorithm.h"
#include "fed/server_optimizer.h"
#include "models/classifier.h"
#include "models/lstm.h"

namespace sfumato::algorithms {

using TrainerMaker = std::function<std::unique_ptr<fed::LaneTrainer>(
    at::Device device, std::int64_t lanes, std::int64_t batch_size)>;

struct FederatedModelOptions {
  params::Layout layout = {};
  at::Tensor initial = {};  // [1, size]
  TrainerMaker make_trainer = {};
  fed::ServerOptions server = {};
};

struct TrainingOptions {
  models::SgdOptions device = {};
  fed::ServerOptions server = {};
  std::uint64_t seed = 1;  // of the initial parameters
};
FederatedModelOptions ClassifierTraining(const models::Stack& model,
                                         const TrainingOptions& options);

// A language model on sequences of `width` symbols.
FederatedModelOptions LanguageTraining(const models::Lstm& model,
                                       std::int64_t width,
                                       const TrainingOptions& options);

class FederatedModel : public fed::Algorithm {
 public:
  explicit FederatedModel(FederatedModelOptions options);

  const params::Layout& layout() const { return options_.layout; }
  const at::Tensor& params() const { return params_; }  // [1, size]

  at::Tensor Broadcast() const override;
  std::unique_ptr<fed::LaneTrainer> MakeTrainer(
      at::Device device, std::int64_t lanes,
      std::int64_t batch_size) const override;
  void Absorb(const dp::Released<std::vector<float>>& mean) override;
  params::NamedTensors State() const override;
  void Restore(const base::SafetensorsFile& file) override;

 private:
  FederatedModelOptions options_;
  at::Tensor params_;
  fed::ServerOptimizer server_;
};

}  // namespace sfumato::algorithms
