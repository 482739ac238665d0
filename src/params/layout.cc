#include "params/layout.h"

#include <cstring>
#include <utility>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::params {

Layout::Layout(std::vector<Named> tensors) : tensors_(std::move(tensors)) {
  for (const Named& tensor : tensors_) {
    offsets_.push_back(size_);
    std::int64_t count = 1;
    for (const std::int64_t side : tensor.shape) count *= side;
    size_ += count;
  }
  offsets_.push_back(size_);
}

at::Tensor Layout::View(const at::Tensor& params, std::size_t i) const {
  std::vector<std::int64_t> shape = tensors_[i].shape;
  shape.insert(shape.begin(), params.size(0));
  return params.narrow(1, offsets_[i], offsets_[i + 1] - offsets_[i])
      .view(shape);
}

at::Tensor EmptyLanes(std::int64_t lanes, std::int64_t size,
                      at::Device device) {
  const std::int64_t stride = (size + 31) / 32 * 32;
  return at::empty({lanes, stride}, at::TensorOptions().device(device))
      .narrow(1, 0, size);
}

NamedTensors ToNamed(const Layout& layout, const at::Tensor& params,
                     const std::string& prefix) {
  TORCH_CHECK(params.dim() == 2 && params.size(0) == 1);
  const at::Tensor row = params.detach().to(at::kCPU).contiguous();
  NamedTensors named;
  for (std::size_t i = 0; i < layout.count(); ++i) {
    named.emplace_back(prefix + "/" + layout[i].name,
                       layout.View(row, i).squeeze(0));
  }
  return named;
}

at::Tensor FromFile(const Layout& layout, const base::SafetensorsFile& file,
                    const std::string& prefix) {
  at::Tensor params = at::empty({1, layout.size()});
  for (std::size_t i = 0; i < layout.count(); ++i) {
    const std::string name = prefix + "/" + layout[i].name;
    const std::span<const float> values = file.Get<float>(name);
    const std::vector<std::uint64_t>& shape = file.tensor(name).shape;
    if (!std::equal(shape.begin(), shape.end(), layout[i].shape.begin(),
                    layout[i].shape.end(), [](std::uint64_t a, std::int64_t b) {
                      return std::cmp_equal(a, b);
                    })) {
      throw Corrupt(
          fmt::format("tensor '{}' has another shape than the model", name),
          "checkpoint", "use the checkpoint with the config of its own run");
    }
    std::memcpy(layout.View(params, i).data_ptr<float>(), values.data(),
                values.size_bytes());
  }
  return params;
}

at::Tensor ReadTensor(const base::SafetensorsFile& file,
                      const std::string& name) {
  const std::span<const float> values = file.Get<float>(name);
  const std::vector<std::uint64_t>& shape = file.tensor(name).shape;
  at::Tensor tensor = at::empty(
      std::vector<std::int64_t>(shape.begin(), shape.end()), at::kFloat);
  std::memcpy(tensor.data_ptr<float>(), values.data(), values.size_bytes());
  return tensor;
}

std::vector<base::TensorOut> ToFile(const NamedTensors& named) {
  std::vector<base::TensorOut> tensors;
  for (const auto& [name, tensor] : named) {
    TORCH_CHECK(tensor.is_contiguous() && tensor.scalar_type() == at::kFloat);
    tensors.push_back(
        {.name = name,
         .type = base::DType::kF32,
         .shape = {tensor.sizes().begin(), tensor.sizes().end()},
         .bytes = {static_cast<const std::byte*>(tensor.data_ptr()),
                   static_cast<std::size_t>(tensor.nbytes())}});
  }
  return tensors;
}

}  // namespace sfumato::params
