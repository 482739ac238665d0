// A matrix that many rows are multiplied by, laid out once for it; on one core
// of a CPU.
//
//   const PackedWeights w(weights);  // [inputs, outputs]
//   w.Multiply({.x = x, .x_stride = w.inputs(),
//               .y = y, .y_stride = w.outputs(), .rows = rows});  // y = x W
//
// A general product lays both sides out anew on each call; with a few hundred
// rows and the same W thousands of times that is a good part of the time. A
// number of y is one sum in the order of the inputs, so what a row gives does
// not depend on the rows beside it.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace sfumato::models {

class PackedWeights {
 public:
  struct Job {
    const float* x = nullptr;   // row i begins at x + i * x_stride
    std::int64_t x_stride = 0;  // at least inputs()
    float* y = nullptr;
    std::int64_t y_stride = 0;  // at least outputs()
    std::int64_t rows = 0;
  };

  PackedWeights() = default;
  // Takes a copy of [inputs, outputs], floats on the CPU.
  explicit PackedWeights(const at::Tensor& weights);

  std::int64_t inputs() const { return inputs_; }
  std::int64_t outputs() const { return outputs_; }
  void Multiply(const Job& job) const;

 private:
  std::int64_t inputs_ = 0;
  std::int64_t outputs_ = 0;
  at::Tensor panels_;  // [panel, inputs, columns of a panel], zeros at the end
};

}  // namespace sfumato::models
