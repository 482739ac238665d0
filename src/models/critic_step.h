// A WGAN-GP step of a critic, for many clients at once and without autograd.
//
//   const Stack critic = WganCritic({28, 28, 1});
//   CriticStep step(critic, device, lanes, batch_size,
//                   {.learning_rate = 5e-4});
//   step.Step(params, real, fake, mix, weights);  // [lane, size], in place
//
// The loss of a lane is  mean D(fake) − mean D(real) + λ mean (n − 1)²,
// n = sqrt(|∇D(x̂)|² + 1e-10),  x̂ = real + mix (fake − real).
//
// Derivation. D is a row of linear maps L_1 … L_m with piecewise-linear
// activations between them. Where it is differentiated, activations are masks
// M_i that do not move with the weights, so the penalty needs no second-order
// machinery. With rows for fake, real and interpolated images together:
//   1. forward, keeping each map's input a_(i-1); the sign of a_i is M_i;
//   2. back to the inputs from +1/B (fake), −1/B (real) and 1 (interpolated):
//      d_i for every row. The interpolated rows arrive at g = ∇D(x̂);
//   3. ∂penalty/∂g = e_0 = 2λ (n − 1) / (n B) · g;
//   4. g = L_1ᵀ M_1 … L_mᵀ 1, so ∂penalty/∂L_i is the outer product of d_i with
//      e_(i-1), where e_i = M_i L_i e_(i-1): the forward pass again, without
//      biases, from e_0. That is the whole double backward;
//   5. ∂loss/∂L_i = [a of fake and real; e of interpolated]ᵀ · d, one product.
//      Biases see the fake and real rows alone.
// e_i is written over a_i in the interpolated rows, so step 5 is one product.
//
// It is for stacks of Dense, Conv and Relu layers only (Suits); smooth
// activations, pools and dropout need autograd. A test compares it with
// autograd through Stack::Forward.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "models/linear.h"
#include "models/stack.h"

namespace sfumato::models {

// The critic of Augenstein et al. 2020 without batch normalisation: 6,555,841
// parameters on 28×28×1.
Stack WganCritic(Shape input);

struct CriticOptions {
  double learning_rate = 5e-4;
  double penalty = 10;  // λ
  double l2 = 0;        // l2 · Σ w² over weights and biases
};

class CriticStep {
 public:
  // Whether the stack is one that this step can take.
  static bool Suits(const Stack& stack);

  // REQUIRES: Suits(critic).
  CriticStep(const Stack& critic, at::Device device, std::int64_t lanes,
             std::int64_t batch_size, CriticOptions options);

  void Begin();
  // One SGD step of every lane on `params` [lane, size], in place. `real` and
  // `fake` are [lane, batch, height, width, channel]; `mix` and `weights` are
  // [lane, batch]: a weight is 1 / (examples of the lane), 0 for a row that is
  // none. A lane of weights 0 stays.
  void Step(const at::Tensor& params, const at::Tensor& real,
            const at::Tensor& fake, const at::Tensor& mix,
            const at::Tensor& weights);
  // Adds scale × gradient to `target` instead; what Step does with −rate.
  void AddGradient(const at::Tensor& params, const at::Tensor& real,
                   const at::Tensor& fake, const at::Tensor& mix,
                   const at::Tensor& weights, const at::Tensor& target,
                   double scale);
  // Loss of each lane summed over the steps since Begin, [lane].
  at::Tensor losses() const { return losses_; }

 private:
  struct Stage {
    Linear linear;
    double slope = 1;
    at::Tensor value;     // a_i, later e_i in the interpolated rows
    at::Tensor gradient;  // d_i
  };

  std::int64_t batch_size_;
  CriticOptions options_;
  std::vector<Stage> stages_;
  at::Tensor images_;   // a_0: [lane, 3 batch, …] fake, real, interpolated
  at::Tensor tangent_;  // e_i before its mask
  at::Tensor losses_;
};

}  // namespace sfumato::models
