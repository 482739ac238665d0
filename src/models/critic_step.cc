#include "models/critic_step.h"

#include <algorithm>

namespace sfumato::models {

Stack WganCritic(Shape input) {
  const Conv first{.channels = 64,
                   .kernel = 4,
                   .stride = 2,
                   .pad_before = 1,
                   .pad_after = 1};
  Conv second = first;
  second.channels = 128;
  return {input,
          {first, Relu{.slope = 0.01}, second, Relu{.slope = 0.01},
           Dense{.outputs = 1024, .bias = false}, Relu{.slope = 0.01},
           Dense{.outputs = 1}}};
}

bool CriticStep::Suits(const Stack& stack) {
  const std::vector<Layer>& layers = stack.layers();
  bool linear_before = false;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (IsLinear(layers[i])) {
      linear_before = true;
    } else if (std::holds_alternative<Relu>(layers[i]) && linear_before &&
               i + 1 < layers.size()) {
      linear_before = false;  // one activation behind a map
    } else {
      return false;
    }
  }
  return !layers.empty() && stack.output().size() == 1 && linear_before;
}

CriticStep::CriticStep(const Stack& critic, at::Device device,
                       std::int64_t lanes, std::int64_t batch_size,
                       CriticOptions options)
    : batch_size_(batch_size), options_(options) {
  TORCH_CHECK(Suits(critic));
  const auto floats = at::TensorOptions().device(device);
  const std::int64_t rows = 3 * batch_size;
  const auto room = [&](const Shape& shape, std::int64_t count) {
    return at::empty({lanes, count, shape.height, shape.width, shape.channels},
                     floats);
  };
  images_ = room(critic.input(), rows);
  losses_ = at::zeros({lanes}, floats);
  std::int64_t largest = 0;
  for (std::size_t i = 0; i < critic.layers().size(); ++i) {
    if (const auto* relu = std::get_if<Relu>(&critic.layers()[i])) {
      stages_.back().slope = relu->slope;
      continue;
    }
    const Shape out = critic.after(i);
    stages_.push_back({.linear = Linear(critic, i),
                       .slope = 1,
                       .value = room(out, rows),
                       .gradient = room(out, rows)});
    stages_.back().linear.Reserve(device, lanes, rows);
    largest = std::max(largest, out.size());
  }
  tangent_ = at::empty({lanes, batch_size * largest}, floats);
}

void CriticStep::Begin() { losses_.zero_(); }

void CriticStep::Step(const at::Tensor& params, const at::Tensor& real,
                      const at::Tensor& fake, const at::Tensor& mix,
                      const at::Tensor& weights) {
  AddGradient(params, real, fake, mix, weights, params,
              -options_.learning_rate);
}

void CriticStep::AddGradient(const at::Tensor& params, const at::Tensor& real,
                             const at::Tensor& fake, const at::Tensor& mix,
                             const at::Tensor& weights,
                             const at::Tensor& target, double scale) {
  const at::NoGradGuard no_gradient;
  const std::int64_t lanes = real.size(0);
  const std::int64_t batch = real.size(1);
  const auto all = [&](const at::Tensor& t) {
    return t.narrow(0, 0, lanes).narrow(1, 0, 3 * batch);
  };
  const auto mixed = [&](const at::Tensor& t) {
    return t.narrow(0, 0, lanes).narrow(1, 2 * batch, batch);
  };
  const at::Tensor losses = losses_.narrow(0, 0, lanes);
  // 1. Forward.
  const at::Tensor images = all(images_);
  images.narrow(1, 0, batch).copy_(fake);
  images.narrow(1, batch, batch).copy_(real);
  at::Tensor between = mixed(images_);
  at::sub_out(between, fake, real);
  between.mul_(mix.view({lanes, batch, 1, 1, 1})).add_(real);
  at::Tensor x = images;
  for (Stage& stage : stages_) {
    const at::Tensor y = all(stage.value);
    stage.linear.Forward(params, x, y, stage.slope);
    x = y;
  }
  const at::Tensor scores = x.view({lanes, 3, batch});
  losses.add_(((scores.select(1, 0) - scores.select(1, 1)) * weights).sum(1));

  // 2. Back to the inputs.
  const at::Tensor top = all(stages_.back().gradient).view({lanes, 3, batch});
  top.select(1, 0).copy_(weights);
  top.select(1, 1).copy_(weights).neg_();
  top.select(1, 2).fill_(1);
  for (std::size_t i = stages_.size(); i-- > 1;) {
    const at::Tensor dx = all(stages_[i - 1].gradient);
    stages_[i].linear.Backward(params, all(stages_[i].gradient), dx);
    ReluBackward(dx, all(stages_[i - 1].value), stages_[i - 1].slope);
  }
  // 3. The gradient at the interpolated images, and the penalty's at it.
  stages_[0].linear.Backward(params, mixed(stages_[0].gradient), between);
  PenaltyTangent(between, weights, options_.penalty, losses);

  // 4. Forward along the tangent, in the interpolated rows.
  x = between;
  for (std::size_t i = 0; i + 1 < stages_.size(); ++i) {
    const at::Tensor e = mixed(stages_[i].value);
    at::Tensor raw =
        tangent_.narrow(0, 0, lanes).narrow(1, 0, e[0].numel()).view(e.sizes());
    stages_[i].linear.ForwardTangent(params, x, raw, 2 * batch);
    ReluTangent(e, raw, stages_[i].slope);
    x = e;
  }

  // 5. Into the weights, and the pull towards zero.
  if (options_.l2 != 0) {
    // A lane that rests while others of its group still train must not move:
    // how long they do must not affect its user.
    const at::Tensor busy = (weights.sum(1, true) > 0).to(at::kFloat);
    target.narrow(0, 0, lanes)
        .addcmul_(params.narrow(0, 0, lanes), busy, 2 * options_.l2 * scale);
  }
  x = images;
  for (Stage& stage : stages_) {
    stage.linear.Learn(target, x, all(stage.gradient), scale, 2 * batch);
    x = all(stage.value);
  }
}

}  // namespace sfumato::models
