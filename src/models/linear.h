// A dense layer or a convolution, with the three products of training: forward,
// back to the input, and into the weights.
//
//   Linear linear(stack, 3);
//   linear.Forward(params, x, y, slope);   // y = relu(x W + b)
//   linear.Backward(params, dy, dx);       // dx = dy Wᵀ
//   linear.Learn(params, x, dy, -rate);    // W -= rate xᵀ dy, b -= rate Σ dy
//
// A convolution is a product with the windows of its input, gathered into
// columns. On a GPU the columns of the whole batch are kept from Forward to
// Learn; on a CPU they are made again, a few images at a time, so that they
// stay in the core's cache. All tensors are [lane, row, …].

#pragma once

#include <ATen/ATen.h>

#include <cstdint>

#include "models/kernels.h"
#include "models/stack.h"

namespace sfumato::models {

class Linear {
 public:
  // Layer `index` of `stack`, which must be Dense or Conv.
  Linear(const Stack& stack, std::size_t index);

  // y = x W + b, then the activation: slope 1 has none. `first_row` is where x
  // lies in the batch that Learn will see.
  void Forward(const at::Tensor& params, const at::Tensor& x,
               const at::Tensor& y, double slope, std::int64_t first_row = 0);
  // y = x W, without bias and activation.
  void ForwardTangent(const at::Tensor& params, const at::Tensor& x,
                      const at::Tensor& y, std::int64_t first_row = 0);
  void Backward(const at::Tensor& params, const at::Tensor& dy,
                const at::Tensor& dx);
  // `target` [lane, size] has the layout of the parameters: themselves, to take
  // a step at once, or a gradient. Rows from `bias_rows` on do not move the
  // bias (-1: all do).
  void Learn(const at::Tensor& target, const at::Tensor& x,
             const at::Tensor& dy, double scale, std::int64_t bias_rows = -1);

  // Memory for the columns of all lanes and rows; taken once.
  void Reserve(at::Device device, std::int64_t lanes, std::int64_t rows);

 private:
  at::Tensor Weight(const at::Tensor& params) const;
  at::Tensor Bias(const at::Tensor& params) const;
  // The columns of rows first … first + count of x.
  at::Tensor Columns(const at::Tensor& x, std::int64_t first_row);

  params::Layout layout_;
  std::size_t weight_ = 0;
  bool bias_ = false;
  bool conv_ = false;
  Window window_ = {};
  std::int64_t inputs_ = 0;
  std::int64_t outputs_ = 0;
  std::int64_t places_ = 1;  // of an output image
  std::int64_t chunk_ = 0;   // images whose columns are made at a time
  at::Tensor columns_;       // [lane, chunk or row, places * inputs]
  at::Tensor back_columns_;  // of Backward
};

}  // namespace sfumato::models
