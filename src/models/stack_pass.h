// One pass of training through a stack, by hand: forward keeping what is
// needed, then back, with every layer's weights learning on the way. No
// autograd; the memory is taken once.
//
//   StackPass pass(stack, device, lanes, rows);
//   const at::Tensor logits = pass.Forward(params, inputs, keys, step);
//   SoftmaxBackward(logits, labels, weights, pass.output_gradient(), losses);
//   pass.Backward(params, target, -learning_rate);
//
// Backward adds scale × gradient to `target`, which is the parameters
// themselves for plain SGD (a step costs no gradient's memory) or a gradient of
// the same layout. A layer's gradient for its input is taken before its weights
// move. It equals autograd through Stack::Forward up to rounding (tested for
// every kind of layer).

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "models/linear.h"
#include "models/stack.h"

namespace sfumato::models {

class StackPass {
 public:
  StackPass(const Stack& stack, at::Device device, std::int64_t lanes,
            std::int64_t rows);

  // The stack's output, [lane, row, size]. `keys` undefined: no dropout.
  at::Tensor Forward(const at::Tensor& params, const at::Tensor& inputs,
                     const at::Tensor& keys = {}, std::int64_t step = 0);
  // What the caller fills before Backward, shaped like Forward's result.
  at::Tensor output_gradient();
  void Backward(const at::Tensor& params, const at::Tensor& target,
                double scale);

 private:
  // What stands behind one layer (or a linear layer with its activation).
  struct Stage {
    std::size_t layer = 0;
    int linear = -1;   // index into linears_
    double slope = 1;  // of the activation; 1: none
    Shape out = {};
    at::Tensor value = {};     // [lane, row, out…]
    at::Tensor gradient = {};  // the same; not of in-place stages
    at::Tensor marks = {};     // a pool's choice, a dropout's kept places
  };
  at::Tensor Trimmed(const at::Tensor& t) const;

  Stack stack_;
  std::vector<Linear> linears_;
  std::vector<Stage> stages_;
  at::Tensor inputs_;       // of the last Forward
  std::int64_t lanes_ = 0;  // of the last Forward
  std::int64_t rows_ = 0;
};

}  // namespace sfumato::models
