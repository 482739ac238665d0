#include "models/adam.h"

#include <ATen/core/grad_mode.h>

#include <vector>

namespace sfumato::models {
namespace {

params::Layout StateLayout(const at::Tensor& first) {
  return params::Layout({{"first", {first.size(1)}},
                         {"second", {first.size(1)}},
                         {"powers", {2}}});
}

}  // namespace

Adam::Adam(const AdamOptions& options, const at::Tensor& params)
    : options_(options),
      first_(at::zeros_like(params)),
      second_(at::zeros_like(params)),
      powers_(at::ones({2}, params.options())) {}

void Adam::Step(const at::Tensor& params, const at::Tensor& gradient) {
  const at::NoGradGuard no_gradient;
  powers_.select(0, 0).mul_(options_.beta1);
  powers_.select(0, 1).mul_(options_.beta2);
  first_.mul_(options_.beta1).add_(gradient, 1 - options_.beta1);
  second_.mul_(options_.beta2).addcmul_(gradient, gradient, 1 - options_.beta2);
  const at::Tensor mean = first_ / (1 - powers_.select(0, 0));
  const at::Tensor square = second_ / (1 - powers_.select(0, 1));
  params.addcdiv_(mean, square.sqrt_().add_(options_.epsilon),
                  -options_.learning_rate);
}

params::NamedTensors Adam::State(const std::string& prefix) const {
  return params::ToNamed(
      StateLayout(first_),
      at::cat({first_, second_, powers_.unsqueeze(0)}, 1).to(at::kCPU), prefix);
}

void Adam::Restore(const base::SafetensorsFile& file,
                   const std::string& prefix) {
  const params::Layout layout = StateLayout(first_);
  const at::Tensor all = params::FromFile(layout, file, prefix);
  first_.copy_(layout.View(all, 0));
  second_.copy_(layout.View(all, 1));
  powers_.copy_(layout.View(all, 2).squeeze(0));
}

}  // namespace sfumato::models
