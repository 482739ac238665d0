// A model made of layers in a row, as data; and as a function of parameters.
//
//   const Stack stack({28, 28, 1}, {Conv{.channels = 32, .kernel = 3}, Relu{},
//                                   MaxPool{}, Dense{.outputs = 36}});
//   at::Tensor params = stack.Initial(seed);             // [1, size]
//   at::Tensor logits = stack.Forward(params, images);   // [lane, batch, 36]
//
// Activations are [lane, batch, height, width, channel]; a Dense layer takes
// them as one row per example. Lanes are independent: lane k of the output
// depends on lane k of parameters and input alone.
//
// Forward is written in LibTorch's own differentiable operations, so that
// autograd goes through it; it is the definition that the hand-written passes
// (stack_pass.h, critic_step.h) are checked against, and what any other loss
// uses.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/shape.h"
#include "params/layout.h"

namespace sfumato::models {

// [inputs, outputs] weights, then [outputs] biases.
struct Dense {
  std::int64_t outputs = 0;
  bool bias = true;
};
// [kernel * kernel * channels in, channels] weights, rows by (y, x, channel).
struct Conv {
  std::int64_t channels = 0;
  std::int64_t kernel = 3;
  std::int64_t stride = 1;
  std::int64_t pad_before = 0;  // zeros above and to the left
  std::int64_t pad_after = 0;   // below and to the right
  bool bias = true;
};
struct Relu {
  double slope = 0;  // for numbers below zero: LeakyReLU
};
struct MaxPool {
  std::int64_t size = 2;  // and stride; a rest at the border is left out
};
// Only while training. Kept numbers grow by 1 / (1 - rate).
struct Dropout {
  double rate = 0.5;
};

// The transpose of a convolution that keeps `stride` pixels for one: an image
// `stride` times as large. [channels in, kernel * kernel * channels] weights,
// columns by (y, x, channel).
struct ConvTranspose {
  std::int64_t channels = 0;
  std::int64_t kernel = 4;
  std::int64_t stride = 2;
  bool bias = true;
};
// Every channel to mean 0 and deviation 1, then moved by a learned shift. While
// training by what the batch has; else by averages of that, which are two more
// tensors of the layout and no gradient moves them.
struct BatchNorm {
  double momentum = 0.999;  // of the averages
  double epsilon = 1e-3;
};
struct Tanh {};
// The same numbers as an image of another shape.
struct Reshape {
  Shape to = {};
};
// The upper left part.
struct Crop {
  std::int64_t height = 0;
  std::int64_t width = 0;
};

using Layer = std::variant<Dense, Conv, Relu, MaxPool, Dropout, ConvTranspose,
                           BatchNorm, Tanh, Reshape, Crop>;

// Dense or Conv: what linear.h knows.
bool IsLinear(const Layer& layer);

// How batch normalisation sees a batch.
struct BatchView {
  bool training = false;    // by the batch's own numbers, or by the averages
  std::int64_t groups = 1;  // the number of batches that rows come in
  at::Tensor weights = {};  // [lane, row], sum 1 a lane; undefined: all alike
  // Receives mean and variance [lane, channel] of each layer, for Remember.
  std::vector<at::Tensor>* seen = nullptr;
};

std::string ToText(const Shape& shape);  // "28x28x1"
std::optional<Shape> ShapeFromText(const std::string& text);

class Stack {
 public:
  Stack() = default;
  // Throws BadInput for a layer that does not fit its input, or has no size.
  Stack(Shape input, std::vector<Layer> layers);

  const Shape& input() const { return shapes_.front(); }
  const Shape& output() const { return shapes_.back(); }
  const std::vector<Layer>& layers() const { return layers_; }
  // What goes into layer i.
  const Shape& before(std::size_t i) const { return shapes_[i]; }
  const Shape& after(std::size_t i) const { return shapes_[i + 1]; }
  const params::Layout& layout() const { return layout_; }
  // Where layer i's weights are in the layout (its bias follows; of a
  // BatchNorm: shift, mean, variance); -1: none.
  int weights(std::size_t i) const { return weights_[i]; }
  // Whether the layout's tensor i is an average that no gradient moves.
  bool is_average(std::size_t tensor) const { return averages_[tensor]; }

  // Glorot-uniform weights and zero biases: [1, size], the same on every
  // machine.
  at::Tensor Initial(std::uint64_t seed) const;

  // `input` is [lane, batch, …]; the result [lane, batch, output size]. Without
  // dropout. Differentiable in both.
  at::Tensor Forward(const at::Tensor& params, const at::Tensor& input,
                     const BatchView& batch = {}) const;
  // The same with the layout's tensors apart, as autograd likes them.
  at::Tensor Forward(const std::vector<at::Tensor>& tensors,
                     const at::Tensor& input,
                     const BatchView& batch = {}) const;
  // Moves the averages of `params` [lane, size], in place, by what a training
  // Forward has seen; of lanes that are not `busy` [lane] (1 or 0) not.
  void Remember(const at::Tensor& params, const std::vector<at::Tensor>& seen,
                const at::Tensor& busy = {}) const;
  // Variances that noise made negative become 0.
  void Guard(const at::Tensor& params) const;

 private:
  std::vector<Layer> layers_;
  std::vector<Shape> shapes_ = {{}};
  std::vector<int> weights_;
  std::vector<bool> averages_;
  params::Layout layout_;
};

}  // namespace sfumato::models
