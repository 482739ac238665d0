#include "models/stack_pass.h"

namespace sfumato::models {
namespace {

at::Tensor Empty(std::int64_t lanes, std::int64_t rows, const Shape& shape,
                 const at::TensorOptions& options) {
  return at::empty({lanes, rows, shape.height, shape.width, shape.channels},
                   options);
}

bool HasPass(const Layer& layer) {
  return IsLinear(layer) || std::holds_alternative<Relu>(layer) ||
         std::holds_alternative<MaxPool>(layer) ||
         std::holds_alternative<Dropout>(layer);
}

}  // namespace

StackPass::StackPass(const Stack& stack, at::Device device, std::int64_t lanes,
                     std::int64_t rows)
    : stack_(stack) {
  const auto floats = at::TensorOptions().device(device);
  const auto bytes = floats.dtype(at::kByte);
  const std::vector<Layer>& layers = stack_.layers();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    Stage stage{.layer = i, .out = stack_.after(i)};
    TORCH_CHECK(HasPass(layers[i]), "a layer that needs autograd");
    if (IsLinear(layers[i])) {
      stage.linear = static_cast<int>(linears_.size());
      linears_.emplace_back(stack_, i);
      linears_.back().Reserve(device, lanes, rows);
      // An activation right behind is done in the same place.
      if (i + 1 < layers.size()) {
        if (const auto* relu = std::get_if<Relu>(&layers[i + 1])) {
          stage.slope = relu->slope;
          ++i;
        }
      }
    } else if (const auto* relu = std::get_if<Relu>(&layers[i])) {
      stage.slope = relu->slope;
    }
    const bool in_place = std::holds_alternative<Dropout>(layers[stage.layer]);
    if (in_place && !stages_.empty()) {
      stage.value = stages_.back().value;
      stage.gradient = stages_.back().gradient;
    } else {
      stage.value = Empty(lanes, rows, stage.out, floats);
      stage.gradient = Empty(lanes, rows, stage.out, floats);
    }
    if (in_place || std::holds_alternative<MaxPool>(layers[stage.layer])) {
      stage.marks = Empty(lanes, rows, stage.out, bytes);
    }
    stages_.push_back(std::move(stage));
  }
}

at::Tensor StackPass::Trimmed(const at::Tensor& t) const {
  return t.narrow(0, 0, lanes_).narrow(1, 0, rows_);
}

at::Tensor StackPass::Forward(const at::Tensor& params,
                              const at::Tensor& inputs, const at::Tensor& keys,
                              std::int64_t step) {
  const at::NoGradGuard no_gradient;
  lanes_ = inputs.size(0);
  rows_ = inputs.size(1);
  inputs_ = inputs;
  at::Tensor x = inputs;
  for (Stage& stage : stages_) {
    const at::Tensor y = Trimmed(stage.value);
    const Layer& layer = stack_.layers()[stage.layer];
    if (stage.linear >= 0) {
      linears_[static_cast<std::size_t>(stage.linear)].Forward(params, x, y,
                                                               stage.slope);
    } else if (const auto* pool = std::get_if<MaxPool>(&layer)) {
      MaxPoolForward(x, pool->size, y, Trimmed(stage.marks));
    } else {
      if (!y.is_same(x) && y.data_ptr() != x.data_ptr()) y.copy_(x);
      if (const auto* dropout = std::get_if<Dropout>(&layer)) {
        if (keys.defined()) {
          DropoutForward(y, keys,
                         {.rate = dropout->rate,
                          .step = step,
                          .layer = static_cast<std::int64_t>(stage.layer)},
                         Trimmed(stage.marks));
        }
      } else {
        AddBiasRelu(y, {}, stage.slope);
      }
    }
    x = y;
  }
  return x.view({lanes_, rows_, -1});
}

at::Tensor StackPass::output_gradient() {
  return Trimmed(stages_.back().gradient).view({lanes_, rows_, -1});
}

void StackPass::Backward(const at::Tensor& params, const at::Tensor& target,
                         double scale) {
  const at::NoGradGuard no_gradient;
  for (std::size_t i = stages_.size(); i-- > 0;) {
    Stage& stage = stages_[i];
    const at::Tensor d = Trimmed(stage.gradient);
    const Layer& layer = stack_.layers()[stage.layer];
    const at::Tensor x = i == 0 ? inputs_ : Trimmed(stages_[i - 1].value);
    const at::Tensor dx =
        i == 0 ? at::Tensor() : Trimmed(stages_[i - 1].gradient);
    if (const auto* dropout = std::get_if<Dropout>(&layer)) {
      DropoutBackward(d, Trimmed(stage.marks), dropout->rate);
      if (i > 0 && dx.data_ptr() != d.data_ptr()) dx.copy_(d);
      continue;
    }
    if (const auto* pool = std::get_if<MaxPool>(&layer)) {
      if (i > 0) {
        MaxPoolBackward(d, Trimmed(stage.marks), pool->size, dx);
      }
      continue;
    }
    if (stage.slope != 1) ReluBackward(d, Trimmed(stage.value), stage.slope);
    if (stage.linear < 0) {
      if (i > 0) dx.copy_(d);
      continue;
    }
    Linear& linear = linears_[static_cast<std::size_t>(stage.linear)];
    if (i > 0) linear.Backward(params, d, dx);
    linear.Learn(target, x, d, scale);
  }
}

}  // namespace sfumato::models
