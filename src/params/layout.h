// A model's parameters as one value: a row of numbers, and where each tensor
// lies in it.
//
//   Layout layout({{"conv1.weight", {9, 32}}, {"conv1.bias", {32}}});
//   at::Tensor params = at::zeros({lanes, layout.size()});
//   at::Tensor weight = layout.View(params, 0);      // [lane, 9, 32]
//
// Parameters are always one tensor [lane, size]: lane k is client k's own copy,
// and a server's model has one lane. So an update is a difference of rows, its
// norm a row norm, a cohort's sum a column sum, a checkpoint a file. Views
// share memory with the row; autograd is given detached leaves, since a slice
// inside a graph would cost a gradient of the full size.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/safetensors.h"

namespace sfumato::params {

struct Named {
  std::string name;
  std::vector<std::int64_t> shape;
};

class Layout {
 public:
  Layout() = default;
  explicit Layout(std::vector<Named> tensors);

  std::int64_t size() const { return size_; }
  std::size_t count() const { return tensors_.size(); }
  const Named& operator[](std::size_t i) const { return tensors_[i]; }

  // Tensor i of every lane: [lane, shape…], in the memory of `params`
  // [lane, size].
  at::Tensor View(const at::Tensor& params, std::size_t i) const;
  std::int64_t offset(std::size_t i) const { return offsets_[i]; }

 private:
  std::vector<Named> tensors_;
  std::vector<std::int64_t> offsets_;
  std::int64_t size_ = 0;
};

// Room for parameters [lanes, size] whose rows begin at multiples of 128 bytes,
// as a GPU's matrix products want them.
at::Tensor EmptyLanes(std::int64_t lanes, std::int64_t size, at::Device device);

// Tensors by name, as a checkpoint holds them: float32 on the CPU.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

// One lane's parameters under "prefix/name", to be written; and read back.
// FromFile throws Corrupt when a tensor is missing or of another shape or type.
NamedTensors ToNamed(const Layout& layout, const at::Tensor& params,
                     const std::string& prefix);
at::Tensor FromFile(const Layout& layout, const base::SafetensorsFile& file,
                    const std::string& prefix);

// A float32 tensor of whatever shape. Throws Corrupt when there is none of that
// name and type.
at::Tensor ReadTensor(const base::SafetensorsFile& file,
                      const std::string& name);

// Named tensors as a file takes them; they point into `named`. REQUIRES:
// contiguous, float32, on the CPU.
std::vector<base::TensorOut> ToFile(const NamedTensors& named);

}  // namespace sfumato::params
