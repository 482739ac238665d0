#include "models/stack.h"

#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/error.h"
#include "base/random.h"
#include "fmt/format.h"

namespace sfumato::models {
namespace {

Error DoesNotFit(std::size_t layer, const std::string& what, Shape in) {
  return BadInput(
      fmt::format("layer {} of the model, {}, cannot take {}×{}×{}", layer + 1,
                  what, in.height, in.width, in.channels),
      "model", "choose a model for images of this size");
}

Shape ShapeAfter(std::size_t i, const Layer& layer, Shape in) {
  if (const auto* dense = std::get_if<Dense>(&layer)) {
    if (dense->outputs < 1) throw DoesNotFit(i, "dense without outputs", in);
    return {.height = 1, .width = 1, .channels = dense->outputs};
  }
  if (const auto* conv = std::get_if<Conv>(&layer)) {
    const auto side = [&](std::int64_t n) {
      const std::int64_t room =
          n + conv->pad_before + conv->pad_after - conv->kernel;
      return room < 0 ? 0 : room / conv->stride + 1;
    };
    const Shape out{.height = side(in.height),
                    .width = side(in.width),
                    .channels = conv->channels};
    if (conv->stride < 1 || conv->kernel < 1 || out.size() < 1) {
      throw DoesNotFit(i, "a convolution", in);
    }
    return out;
  }
  if (const auto* pool = std::get_if<MaxPool>(&layer)) {
    if (pool->size < 1 || pool->size > 15) throw DoesNotFit(i, "a pool", in);
    const Shape out{.height = in.height / pool->size,
                    .width = in.width / pool->size,
                    .channels = in.channels};
    if (out.size() < 1) throw DoesNotFit(i, "a pool", in);
    return out;
  }
  if (const auto* up = std::get_if<ConvTranspose>(&layer)) {
    if (up->channels < 1 || up->stride < 1 || up->kernel < up->stride ||
        (up->kernel - up->stride) % 2 != 0) {
      throw DoesNotFit(i, "a transposed convolution", in);
    }
    return {.height = in.height * up->stride,
            .width = in.width * up->stride,
            .channels = up->channels};
  }
  if (const auto* reshape = std::get_if<Reshape>(&layer)) {
    if (reshape->to.size() != in.size()) throw DoesNotFit(i, "a reshape", in);
    return reshape->to;
  }
  if (const auto* crop = std::get_if<Crop>(&layer)) {
    if (crop->height < 1 || crop->height > in.height || crop->width < 1 ||
        crop->width > in.width) {
      throw DoesNotFit(i, "a crop", in);
    }
    return {
        .height = crop->height, .width = crop->width, .channels = in.channels};
  }
  if (const auto* dropout = std::get_if<Dropout>(&layer)) {
    if (!(dropout->rate >= 0 && dropout->rate < 1)) {
      throw DoesNotFit(i, "a dropout of such a rate", in);
    }
  }
  return in;
}

// [kernel * kernel * in, out] weights and their fans, or nothing.
struct Weights {
  std::int64_t inputs = 0;
  std::int64_t outputs = 0;
  std::int64_t area = 1;  // of a convolution's window
  bool bias = false;
};

Weights WeightsOf(const Layer& layer, Shape in) {
  if (const auto* dense = std::get_if<Dense>(&layer)) {
    return {
        .inputs = in.size(), .outputs = dense->outputs, .bias = dense->bias};
  }
  if (const auto* conv = std::get_if<Conv>(&layer)) {
    return {.inputs = in.channels,
            .outputs = conv->channels,
            .area = conv->kernel * conv->kernel,
            .bias = conv->bias};
  }
  if (const auto* up = std::get_if<ConvTranspose>(&layer)) {
    return {.inputs = in.channels,
            .outputs = up->channels,
            .area = up->kernel * up->kernel,
            .bias = up->bias};
  }
  return {};
}

// [inputs, area * outputs] of a transposed convolution, else
// [area * inputs, outputs].
std::vector<std::int64_t> WeightShape(const Layer& layer, const Weights& w) {
  if (std::holds_alternative<ConvTranspose>(layer)) {
    return {w.inputs, w.area * w.outputs};
  }
  return {w.area * w.inputs, w.outputs};
}

// As one convolution of groups: lanes become groups of channels.
at::Tensor Convolve(const Conv& conv, Shape in, Shape out,
                    const at::Tensor& weight, const at::Tensor& x) {
  const std::int64_t lanes = x.size(0);
  const std::int64_t rows = x.size(1);
  // [lane, row, h, w, c] → [row, lane * c, h, w]
  at::Tensor images =
      x.permute({1, 0, 4, 2, 3})
          .reshape({rows, lanes * in.channels, in.height, in.width});
  images = at::constant_pad_nd(images, {conv.pad_before, conv.pad_after,
                                        conv.pad_before, conv.pad_after});
  // [lane, (y, x, c), o] → [lane * o, c, y, x]
  const at::Tensor kernels = weight
                                 .reshape({lanes, conv.kernel, conv.kernel,
                                           in.channels, conv.channels})
                                 .permute({0, 4, 3, 1, 2})
                                 .reshape({lanes * conv.channels, in.channels,
                                           conv.kernel, conv.kernel});
  return at::conv2d(images, kernels, {}, {conv.stride, conv.stride},
                    at::IntArrayRef({0, 0}), {1, 1}, lanes)
      .reshape({rows, lanes, out.channels, out.height, out.width})
      .permute({1, 0, 3, 4, 2});
}

// [lane, row, h, w, c] with lanes as groups of channels, like Convolve.
at::Tensor Spread(const ConvTranspose& up, Shape in, Shape out,
                  const at::Tensor& weight, const at::Tensor& x) {
  const std::int64_t lanes = x.size(0);
  const std::int64_t rows = x.size(1);
  const at::Tensor images =
      x.permute({1, 0, 4, 2, 3})
          .reshape({rows, lanes * in.channels, in.height, in.width});
  // [lane, c, (y, x, o)] → [lane * c, o, y, x]
  const at::Tensor kernels =
      weight.reshape({lanes, in.channels, up.kernel, up.kernel, up.channels})
          .permute({0, 1, 4, 2, 3})
          .reshape({lanes * in.channels, up.channels, up.kernel, up.kernel});
  const std::int64_t pad = (up.kernel - up.stride) / 2;
  return at::conv_transpose2d(images, kernels, {}, {up.stride, up.stride},
                              at::IntArrayRef({pad, pad}), {0, 0}, lanes)
      .reshape({rows, lanes, out.channels, out.height, out.width})
      .permute({1, 0, 3, 4, 2});
}

// Mean and variance of every channel, [lane * group, 1, 1, channel], over the
// group's rows (as their weights say) and all places.
std::pair<at::Tensor, at::Tensor> Moments(const at::Tensor& x,
                                          const at::Tensor& weights) {
  if (!weights.defined()) {
    const at::Tensor mean = x.mean({1, 2}, true);
    return {mean, (x - mean).square().mean({1, 2}, true)};
  }
  const at::Tensor w = weights.reshape({x.size(0), x.size(1), 1, 1});
  const auto average = [&](const at::Tensor& t) {
    return (t.mean(2, true) * w).sum(1, true);
  };
  const at::Tensor mean = average(x);
  return {mean, average((x - mean).square())};
}

// `tensors` are shift, mean and variance, [lane, channel] each.
at::Tensor Normalise(const BatchNorm& norm, const at::Tensor* tensors,
                     const at::Tensor& x, const BatchView& batch) {
  const std::int64_t lanes = x.size(0);
  const std::int64_t channels = x.size(4);
  const auto wide = [&](const at::Tensor& t) {  // lane 0 may serve all
    return t.reshape({-1, 1, 1, 1, channels});
  };
  if (!batch.training) {
    return (x - wide(tensors[1])) *
               (wide(tensors[2]).clamp_min(0) + norm.epsilon).rsqrt() +
           wide(tensors[0]);
  }
  const at::Tensor rows =
      x.reshape({lanes * batch.groups, -1, x.size(2) * x.size(3), channels});
  const auto [mean, variance] = Moments(rows, batch.weights);
  if (batch.seen != nullptr) {
    for (const at::Tensor& moment : {mean, variance}) {
      batch.seen->push_back(
          moment.detach().reshape({lanes, batch.groups, channels}).mean(1));
    }
  }
  const at::Tensor normal = (rows - mean) * (variance + norm.epsilon).rsqrt();
  return normal.reshape(x.sizes()) + wide(tensors[0]);
}

at::Tensor Pool(const MaxPool& pool, const at::Tensor& x) {
  const at::Tensor images =
      x.permute({0, 1, 4, 2, 3}).flatten(0, 1);  // [lane * row, c, h, w]
  const at::Tensor pooled =
      at::max_pool2d(images, {pool.size, pool.size}, {pool.size, pool.size});
  return pooled
      .reshape({x.size(0), x.size(1), pooled.size(1), pooled.size(2),
                pooled.size(3)})
      .permute({0, 1, 3, 4, 2});
}

}  // namespace

bool IsLinear(const Layer& layer) {
  return std::holds_alternative<Dense>(layer) ||
         std::holds_alternative<Conv>(layer);
}

std::string ToText(const Shape& shape) {
  return fmt::format("{}x{}x{}", shape.height, shape.width, shape.channels);
}

std::optional<Shape> ShapeFromText(const std::string& text) {
  const std::size_t first = text.find('x');
  const std::size_t second = text.find('x', first + 1);
  if (first == std::string::npos || second == std::string::npos) {
    return std::nullopt;
  }
  const std::string_view view = text;
  const auto height = base::ParseNumber<std::int64_t>(view.substr(0, first));
  const auto width = base::ParseNumber<std::int64_t>(
      view.substr(first + 1, second - first - 1));
  const auto channels =
      base::ParseNumber<std::int64_t>(view.substr(second + 1));
  if (!height || !width || !channels) return std::nullopt;
  return Shape{.height = *height, .width = *width, .channels = *channels};
}

Stack::Stack(Shape input, std::vector<Layer> layers)
    : layers_(std::move(layers)), shapes_({input}) {
  if (input.height < 1 || input.width < 1 || input.channels < 1) {
    throw BadInput("a model of empty images", "model",
                   "give images of at least one pixel");
  }
  std::vector<params::Named> tensors;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Shape in = shapes_.back();
    shapes_.push_back(ShapeAfter(i, layers_[i], in));
    const Weights weights = WeightsOf(layers_[i], in);
    const std::string name = fmt::format("layer{}", i);
    const bool norm = std::holds_alternative<BatchNorm>(layers_[i]);
    weights_.push_back(
        weights.outputs || norm ? static_cast<int>(tensors.size()) : -1);
    if (norm) {
      tensors.push_back({name + ".shift", {in.channels}});
      tensors.push_back({name + ".mean", {in.channels}});
      tensors.push_back({name + ".variance", {in.channels}});
      averages_.insert(averages_.end(), {false, true, true});
    }
    if (weights.outputs == 0) continue;
    tensors.push_back({name + ".weight", WeightShape(layers_[i], weights)});
    if (weights.bias) tensors.push_back({name + ".bias", {weights.outputs}});
    averages_.resize(tensors.size(), false);
  }
  layout_ = params::Layout(std::move(tensors));
}

at::Tensor Stack::Initial(std::uint64_t seed) const {
  at::Tensor params = at::zeros({1, layout_.size()});
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    if (weights_[i] < 0) continue;
    if (std::holds_alternative<BatchNorm>(layers_[i])) {
      const auto variance = static_cast<std::size_t>(weights_[i]) + 2;
      layout_.View(params, variance).fill_(1);
      continue;
    }
    const Weights w = WeightsOf(layers_[i], before(i));
    const double limit =
        std::sqrt(6.0 / static_cast<double>(w.area * (w.inputs + w.outputs)));
    base::Rng rng(seed, {base::Key("initial"), i});
    float* value = params.data_ptr<float>() +
                   layout_.offset(static_cast<std::size_t>(weights_[i]));
    for (std::int64_t n = w.area * w.inputs * w.outputs; n > 0; --n) {
      *value++ = static_cast<float>(rng.Uniform(-limit, limit));
    }
  }
  return params;
}

at::Tensor Stack::Forward(const at::Tensor& params, const at::Tensor& input,
                          const BatchView& batch) const {
  std::vector<at::Tensor> tensors;
  tensors.reserve(layout_.count());
  for (std::size_t i = 0; i < layout_.count(); ++i) {
    tensors.push_back(layout_.View(params, i));
  }
  return Forward(tensors, input, batch);
}

at::Tensor Stack::Forward(const std::vector<at::Tensor>& tensors,
                          const at::Tensor& input,
                          const BatchView& batch) const {
  const std::int64_t lanes = input.size(0);
  const std::int64_t rows = input.size(1);
  at::Tensor x = input;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Shape in = before(i);
    x = x.reshape({lanes, rows, in.height, in.width, in.channels});
    if (const auto* relu = std::get_if<Relu>(&layers_[i])) {
      x = at::leaky_relu(x, relu->slope);
    } else if (const auto* pool = std::get_if<MaxPool>(&layers_[i])) {
      x = Pool(*pool, x);
    } else if (std::holds_alternative<Tanh>(layers_[i])) {
      x = at::tanh(x);
    } else if (const auto* crop = std::get_if<Crop>(&layers_[i])) {
      x = x.narrow(2, 0, crop->height).narrow(3, 0, crop->width);
    } else if (const auto* norm = std::get_if<BatchNorm>(&layers_[i])) {
      x = Normalise(*norm, &tensors[static_cast<std::size_t>(weights_[i])], x,
                    batch);
    } else if (weights_[i] >= 0) {
      const auto at = static_cast<std::size_t>(weights_[i]);
      const auto* conv = std::get_if<Conv>(&layers_[i]);
      if (const auto* up = std::get_if<ConvTranspose>(&layers_[i])) {
        x = Spread(*up, in, after(i), tensors[at], x);
      } else {
        x = conv ? Convolve(*conv, in, after(i), tensors[at], x)
                 : at::matmul(x.flatten(2), tensors[at]);
      }
      if (WeightsOf(layers_[i], in).bias) {
        std::vector<std::int64_t> shape(static_cast<std::size_t>(x.dim()), 1);
        shape.front() = lanes;
        shape.back() = after(i).channels;
        x = x + tensors[at + 1].reshape(shape);
      }
    }
  }
  return x.reshape({lanes, rows, output().size()});
}

void Stack::Remember(const at::Tensor& params,
                     const std::vector<at::Tensor>& seen,
                     const at::Tensor& busy) const {
  const at::NoGradGuard no_gradient;
  std::size_t next = 0;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const auto* norm = std::get_if<BatchNorm>(&layers_[i]);
    if (norm == nullptr) continue;
    for (const std::size_t offset : {1, 2}) {
      const at::Tensor average =
          layout_.View(params, static_cast<std::size_t>(weights_[i]) + offset);
      at::Tensor step = (seen.at(next++) - average) * (1 - norm->momentum);
      if (busy.defined()) step = step * busy.unsqueeze(1);
      average.add_(step);
    }
  }
}

void Stack::Guard(const at::Tensor& params) const {
  const at::NoGradGuard no_gradient;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    if (!std::holds_alternative<BatchNorm>(layers_[i])) continue;
    layout_.View(params, static_cast<std::size_t>(weights_[i]) + 2)
        .clamp_min_(0);
  }
}

}  // namespace sfumato::models
