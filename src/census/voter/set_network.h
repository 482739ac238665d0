// A small network that reads a set of points (one user's images) and says, for
// each family of damages, how likely it is that the user has it.
//
//   SetNetwork network({.inputs = 500, .outputs = 20}, device);
//   network.Step({{points, targets}}, rate, pool);  // [set, point, number]
//   const at::Tensor user = network.User(points_of_user);  // [2 · narrow]
//   network.Judged(user.unsqueeze(0));              // [1, outputs] logits
//
// Each point passes two layers by itself, a user is the mean and the deviation
// of its points, and two more layers judge that: the order of a user's examples
// does not matter. The outputs are judged one by one (sigmoid cross-entropy),
// so two damages at once are two outputs that are both high.
//
// Source: Zaheer et al. 2017, "Deep Sets".

#pragma once

#include <ATen/ATen.h>

#include <cstdint>

#include "base/safetensors.h"
#include "fed/worker_pool.h"
#include "models/adam.h"
#include "params/layout.h"

namespace sfumato::census {

struct SetNetworkOptions {
  std::int64_t inputs = 0;
  std::int64_t wide = 192;   // of the layers that read a point
  std::int64_t narrow = 96;  // of a user
  std::int64_t outputs = 0;
  std::uint64_t seed = 1;
};

class SetNetwork {
 public:
  SetNetwork(const SetNetworkOptions& options, at::Device device);

  // Brings numbers to one scale: (x - centre) / spread, cut at ± 5. [inputs].
  void SetScale(const at::Tensor& centre, const at::Tensor& spread);

  at::Tensor Scaled(const at::Tensor& points) const;
  // Of a user's points [n, inputs]: [2 · narrow].
  at::Tensor User(const at::Tensor& points) const;
  // Of users [n, 2 · narrow]: logits.
  at::Tensor Judged(const at::Tensor& users) const;

  // Sets [set, point, inputs] with targets [set, outputs], 0 … 1.
  struct Batch {
    at::Tensor sets;
    at::Tensor targets;
  };
  // One step of Adam on batches of one size, each on a thread of its own; they
  // count alike, and are added in order, so that the result does not depend on
  // the number of threads. Returns the mean loss, which is not waited for.
  at::Tensor Step(const std::vector<Batch>& batches, double learning_rate,
                  fed::WorkerPool& pool);

  // The same for devices without a GPU.
  SetNetwork OnCpu() const;

  params::NamedTensors State() const;
  // Throws Corrupt for another network's, and numbers that cannot be.
  void Restore(const base::SafetensorsFile& file);

 private:
  // Returns the loss.
  at::Tensor Gradient(const Batch& batch, const at::Tensor& gradient) const;
  at::Tensor Part(std::size_t i) const;

  SetNetworkOptions options_;
  params::Layout layout_;
  at::Tensor params_;     // [1, size]
  at::Tensor gradients_;  // [batch, 1, size]
  at::Tensor centre_;
  at::Tensor spread_;
  models::Adam adam_;
};

}  // namespace sfumato::census
