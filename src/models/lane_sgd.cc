#include "models/lane_sgd.h"

namespace sfumato::models {

LaneSgd::LaneSgd(SgdOptions options, at::Device device, std::int64_t lanes,
                 std::int64_t size)
    : options_(options) {
  const auto floats = at::TensorOptions().device(device);
  losses_ = at::zeros({lanes}, floats);
  steps_ = at::zeros({lanes}, floats);
  if (options_.momentum != 0) {
    gradient_ = at::zeros({lanes, size}, floats);
    velocity_ = at::zeros({lanes, size}, floats);
  }
}

void LaneSgd::Begin() {
  losses_.zero_();
  steps_.zero_();
  if (velocity_.defined()) velocity_.zero_();
}

void LaneSgd::Step(const at::Tensor& params, const at::Tensor& weights,
                   const Learn& learn) {
  const std::int64_t lanes = weights.size(0);
  const at::Tensor losses = losses_.narrow(0, 0, lanes);
  const at::Tensor active = weights.gt(0).any(1);
  steps_.narrow(0, 0, lanes).add_(active);
  if (options_.momentum == 0) {
    learn(params, -options_.learning_rate, losses);
    return;
  }
  const at::Tensor gradient = gradient_.narrow(0, 0, lanes).zero_();
  learn(gradient, 1, losses);
  const at::Tensor velocity = velocity_.narrow(0, 0, lanes);
  velocity.mul_(options_.momentum).add_(gradient);
  // A lane that is done keeps its parameters, whatever momentum is left.
  params.sub_(velocity *
              (active.to(at::kFloat) * options_.learning_rate).unsqueeze(1));
}

}  // namespace sfumato::models
