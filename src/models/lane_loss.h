// The loss ℓ(θ; b) of a model, for many clients in lockstep: what an algorithm
// needs of a model to train it on devices.
//
//   const Trainable model = TrainableClassifier(stack);
//   const at::Tensor params = model.initial(seed);        // [1, size]
//   const auto loss = model.make_loss(device, lanes, batch_size);
//   loss->AddGradient(params, batch,                      // a step of SGD
//                     {.target = params, .scale = -0.1, .losses = losses});

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <memory>

#include "models/batch.h"
#include "params/layout.h"

namespace sfumato::models {

// Where a gradient is added.
struct GradientSum {
  at::Tensor target;  // [lane, size]; may be the parameters themselves
  double scale = 1;
  at::Tensor losses;  // [lane]
};

class LaneLoss {
 public:
  virtual ~LaneLoss() = default;
  // Adds scale × ∇ℓ(params; batch) to the target, and each lane's loss to
  // `losses`. `params` are [lane, size]; `batch` may have fewer lanes and rows
  // than were announced. A lane whose weights are all 0 stays as it is.
  virtual void AddGradient(const at::Tensor& params, const Batch& batch,
                           const GradientSum& sum) = 0;
};

// A model that devices can train by gradients of its loss.
struct Trainable {
  params::Layout layout = {};
  std::function<at::Tensor(std::uint64_t seed)> initial = {};  // [1, size]
  std::function<std::unique_ptr<LaneLoss>(at::Device device, std::int64_t lanes,
                                          std::int64_t batch_size)>
      make_loss = {};
};

}  // namespace sfumato::models
