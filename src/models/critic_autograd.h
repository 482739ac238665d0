// A WGAN-GP step of any critic, by autograd: for critics that critic_step.h
// cannot take, such as those with batch normalisation.
//
//   AutogradCritic step(critic, device, lanes, {.learning_rate = 5e-4});
//   step.Step(params, real, fake, mix, weights);   // [lane, size], in place
//
// The loss and the arguments are those of CriticStep. Batch normalisation sees
// real, fake and interpolated images as batches of their own, in training mode,
// and its averages, which are part of `params`, remember all three. The L2 term
// leaves shifts and averages alone.

#pragma once

#include <ATen/ATen.h>

#include "models/critic_step.h"
#include "models/stack.h"

namespace sfumato::models {

class AutogradCritic {
 public:
  AutogradCritic(const Stack& critic, at::Device device, std::int64_t lanes,
                 CriticOptions options)
      : critic_(critic),
        options_(options),
        losses_(at::zeros({lanes}, at::TensorOptions().device(device))) {}

  void Begin() { losses_.zero_(); }
  void Step(const at::Tensor& params, const at::Tensor& real,
            const at::Tensor& fake, const at::Tensor& mix,
            const at::Tensor& weights);
  // Loss of each lane summed over the steps since Begin, [lane].
  at::Tensor losses() const { return losses_; }

 private:
  Stack critic_;
  CriticOptions options_;
  at::Tensor losses_;
};

}  // namespace sfumato::models
