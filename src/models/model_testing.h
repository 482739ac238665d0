// What the tests of hand-written passes share: random parameters and inputs,
// and how far two results are apart. Where the machine has a GPU, both devices
// are tested.

#pragma once

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include <vector>

#include "models/stack.h"

#if SFUMATO_HAS_CUDA
#include <ATen/cuda/CUDAContext.h>
#endif

namespace sfumato::models {

inline std::vector<at::Device> Devices() {
  std::vector<at::Device> devices = {at::Device(at::kCPU)};
#if SFUMATO_HAS_CUDA
  if (at::cuda::is_available()) {
    at::globalContext().setAllowTF32CuBLAS(false);
    at::globalContext().setAllowTF32CuDNN(false);
    devices.emplace_back(at::kCUDA, 0);
  }
#endif
  return devices;
}

// Every lane another model: [lane, size], biases too.
inline at::Tensor RandomParams(const Stack& stack, std::int64_t lanes,
                               std::uint64_t seed) {
  std::vector<at::Tensor> rows;
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    rows.push_back(stack.Initial(seed + static_cast<std::uint64_t>(lane)));
  }
  const at::Tensor params = at::cat(rows);
  return params + 0.05 * at::randn(params.sizes());
}

inline at::Tensor RandomImages(const Stack& stack, std::int64_t lanes,
                               std::int64_t rows) {
  const Shape& in = stack.input();
  return at::randn({lanes, rows, in.height, in.width, in.channels});
}

// max |a - b| / max |b|.
inline double Apart(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor x = a.to(at::kCPU).to(at::kDouble);
  const at::Tensor y = b.to(at::kCPU).to(at::kDouble);
  return (x - y).abs().max().item<double>() /
         (y.abs().max().item<double>() + 1e-30);
}

// The tensors of a layout as double leaves of an autograd graph.
inline std::vector<at::Tensor> Leaves(const Stack& stack,
                                      const at::Tensor& params) {
  std::vector<at::Tensor> leaves;
  for (std::size_t i = 0; i < stack.layout().count(); ++i) {
    leaves.push_back(stack.layout()
                         .View(params.to(at::kDouble), i)
                         .detach()
                         .clone()
                         .requires_grad_());
  }
  return leaves;
}

// Gradients of the leaves as one [lane, size].
inline at::Tensor Flat(const std::vector<at::Tensor>& gradients) {
  std::vector<at::Tensor> parts;
  for (const at::Tensor& gradient : gradients) {
    parts.push_back(gradient.flatten(1));
  }
  return at::cat(parts, 1);
}

}  // namespace sfumato::models
