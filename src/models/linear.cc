#include "models/linear.h"

#include <algorithm>

#include "models/product.h"

namespace sfumato::models {
namespace {

// How many bytes of columns a core works on at a time: about its second cache.
constexpr std::int64_t kColumnBytes = 1 << 21;

}  // namespace

Linear::Linear(const Stack& stack, std::size_t index)
    : layout_(stack.layout()),
      weight_(static_cast<std::size_t>(stack.weights(index))) {
  const Layer& layer = stack.layers()[index];
  inputs_ = layout_[weight_].shape[0];
  outputs_ = layout_[weight_].shape[1];
  if (const auto* conv = std::get_if<Conv>(&layer)) {
    conv_ = true;
    bias_ = conv->bias;
    window_ = {.in = stack.before(index),
               .out = stack.after(index),
               .kernel = conv->kernel,
               .stride = conv->stride,
               .pad = conv->pad_before};
    places_ = window_.out.height * window_.out.width;
  } else {
    bias_ = std::get<Dense>(layer).bias;
  }
}

at::Tensor Linear::Weight(const at::Tensor& params) const {
  return layout_.View(params, weight_);
}

at::Tensor Linear::Bias(const at::Tensor& params) const {
  return bias_ ? layout_.View(params, weight_ + 1) : at::Tensor();
}

void Linear::Reserve(at::Device device, std::int64_t lanes, std::int64_t rows) {
  chunk_ = rows;
  if (!conv_) return;
  const std::int64_t image = places_ * inputs_;
  if (device.is_cpu()) {
    chunk_ = std::clamp<std::int64_t>(kColumnBytes / (4 * image), 1, rows);
  }
  const auto options = at::TensorOptions().device(device);
  columns_ = at::empty({lanes, chunk_, image}, options);
  back_columns_ = at::empty({lanes, chunk_, image}, options);
}

// [lane, count * places, inputs]
at::Tensor Linear::Columns(const at::Tensor& x, std::int64_t first_row) {
  const std::int64_t count = x.size(1);
  const at::Tensor columns = columns_.narrow(0, 0, x.size(0))
                                 .narrow(1, first_row, count)
                                 .view({x.size(0), count * places_, inputs_});
  GatherWindows(x, window_, columns);
  return columns;
}

void Linear::Forward(const at::Tensor& params, const at::Tensor& x,
                     const at::Tensor& y, double slope,
                     std::int64_t first_row) {
  ForwardTangent(params, x, y, first_row);
  AddBiasRelu(y, Bias(params), slope);
}

void Linear::ForwardTangent(const at::Tensor& params, const at::Tensor& x,
                            const at::Tensor& y, std::int64_t first_row) {
  const at::Tensor weight = Weight(params);
  const std::int64_t lanes = x.size(0);
  const std::int64_t rows = x.size(1);
  if (!conv_) {
    Product(y.view({lanes, rows, outputs_}), x.flatten(2), weight, 0, 1);
    return;
  }
  const bool keep = chunk_ >= columns_.size(1) && columns_.is_cuda();
  const std::int64_t chunk = keep ? rows : chunk_;
  for (std::int64_t from = 0; from < rows; from += chunk) {
    const std::int64_t count = std::min(chunk, rows - from);
    Product(y.narrow(1, from, count).view({lanes, count * places_, outputs_}),
            Columns(x.narrow(1, from, count), keep ? first_row : 0), weight, 0,
            1);
  }
}

void Linear::Backward(const at::Tensor& params, const at::Tensor& dy,
                      const at::Tensor& dx) {
  const at::Tensor weight = Weight(params).transpose(1, 2);
  const std::int64_t lanes = dy.size(0);
  const std::int64_t rows = dy.size(1);
  if (!conv_) {
    Product(dx.view({lanes, rows, inputs_}), dy.view({lanes, rows, outputs_}),
            weight, 0, 1);
    return;
  }
  for (std::int64_t from = 0; from < rows; from += chunk_) {
    const std::int64_t count = std::min(chunk_, rows - from);
    const at::Tensor columns = back_columns_.narrow(0, 0, lanes)
                                   .narrow(1, 0, count)
                                   .view({lanes, count * places_, inputs_});
    Product(columns,
            dy.narrow(1, from, count).view({lanes, count * places_, outputs_}),
            weight, 0, 1);
    ScatterWindows(columns, window_, dx.narrow(1, from, count));
  }
}

void Linear::Learn(const at::Tensor& target, const at::Tensor& x,
                   const at::Tensor& dy, double scale, std::int64_t bias_rows) {
  const at::Tensor weight = Weight(target);
  const std::int64_t lanes = dy.size(0);
  const std::int64_t rows = dy.size(1);
  const auto learn = [&](const at::Tensor& in, const at::Tensor& d) {
    Product(weight, in.transpose(1, 2), d, 1, scale);
  };
  if (!conv_) {
    learn(x.flatten(2), dy.view({lanes, rows, outputs_}));
  } else if (columns_.is_cuda()) {
    learn(columns_.narrow(0, 0, lanes)
              .narrow(1, 0, rows)
              .view({lanes, rows * places_, inputs_}),
          dy.view({lanes, rows * places_, outputs_}));
  } else {
    for (std::int64_t from = 0; from < rows; from += chunk_) {
      const std::int64_t count = std::min(chunk_, rows - from);
      learn(Columns(x.narrow(1, from, count), 0),
            dy.narrow(1, from, count).view({lanes, count * places_, outputs_}));
    }
  }
  if (bias_) {
    AddToBias(bias_rows < 0 ? dy : dy.narrow(1, 0, bias_rows), scale,
              Bias(target));
  }
}

}  // namespace sfumato::models
