// SGD for many lanes, the same for every model: steps, losses and momentum.
//
//   LaneSgd sgd(options, device, lanes, layout.size());
//   sgd.Begin();                                  // a new group of clients
//   sgd.Step(params, batch.weights, [&](const at::Tensor& target, double scale,
//                                       const at::Tensor& losses) {
//     // adds scale × gradient to target [lane, size], and each lane's loss
//   });
//   sgd.losses();                                 // [lane], mean over the
//   steps

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>

#include "models/classifier.h"

namespace sfumato::models {

class LaneSgd {
 public:
  using Learn = std::function<void(const at::Tensor& target, double scale,
                                   const at::Tensor& losses)>;

  LaneSgd(SgdOptions options, at::Device device, std::int64_t lanes,
          std::int64_t size);

  // Forgets momentum and losses of the last group.
  void Begin();
  // One step on `params` [lane, size], in place: without momentum the
  // parameters are the target themselves. `weights` are [lane, batch]; a lane
  // of weights 0 stays.
  void Step(const at::Tensor& params, const at::Tensor& weights,
            const Learn& learn);
  at::Tensor losses() const { return losses_ / steps_.clamp_min(1); }

 private:
  SgdOptions options_;
  at::Tensor losses_;    // [lane], summed over steps
  at::Tensor steps_;     // [lane]
  at::Tensor gradient_;  // [lane, size], with momentum only
  at::Tensor velocity_;
};

}  // namespace sfumato::models
