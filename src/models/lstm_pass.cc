#include "models/lstm_pass.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "models/kernels.h"
#include "models/product.h"

namespace sfumato::models {

LstmPass::LstmPass(const Lstm& model, at::Device device, std::int64_t lanes,
                   std::int64_t rows, std::int64_t width)
    : LstmPass(model, device, lanes, rows, width,
               device.is_cpu() && lanes == 1) {}

LstmPass::LstmPass(const Lstm& model, at::Device device, std::int64_t lanes,
                   std::int64_t rows, std::int64_t width, bool ragged)
    : model_(model), rows_(rows), width_(width), ragged_(ragged) {
  TORCH_CHECK(!ragged || (device.is_cpu() && lanes == 1));
  TORCH_CHECK(lanes > 0 && rows > 0 && width > 1);
  const LstmShape& s = model.shape();
  const std::int64_t most = rows * (width - 1);
  const auto floats = at::TensorOptions().device(device);
  const auto longs = floats.dtype(at::kLong);
  const auto room = [&](std::int64_t count, std::int64_t size) {
    return at::empty({lanes, count, size}, floats);
  };
  for (std::int64_t k = 0; k < s.layers; ++k) {
    layers_.push_back(
        {.gates = room(most, 3 * s.hidden),
         .cells = at::zeros({lanes, rows + most, s.hidden}, floats),
         .squashed = room(most, s.hidden),
         .hidden = room(most, s.hidden),
         .said = at::zeros({lanes, rows + most, s.projection}, floats),
         .before = ragged ? room(most, s.projection) : at::Tensor()});
  }
  seen_ = at::empty({lanes, most}, longs);
  wanted_ = at::empty({lanes, most}, longs);
  shares_ = at::empty({lanes, most}, floats);
  symbols_ = room(most, s.embedding);
  logits_ = room(most, s.symbols);
  d_said_ = room(most, std::max(s.projection, s.embedding));
  d_below_ = room(most, std::max(s.projection, s.embedding));
  d_hidden_ = room(rows, s.hidden);
  d_cells_ = room(rows, s.hidden);
}

bool LstmPass::Load(const at::Tensor& inputs, const at::Tensor& labels,
                    const at::Tensor& weights) {
  lanes_ = inputs.size(0);
  const std::int64_t rows = inputs.size(1);
  TORCH_CHECK(rows <= rows_ && inputs.numel() == lanes_ * rows * width_);
  if (ragged_) {
    LoadRagged(inputs, labels, weights);
    return predictions_ > 0;
  }
  predictions_ = rows * (width_ - 1);
  if (std::ssize(order_) != rows) {
    order_.resize(static_cast<std::size_t>(rows));
    std::iota(order_.begin(), order_.end(), 0);
    counts_.assign(static_cast<std::size_t>(width_ - 1), rows);
    starts_.resize(counts_.size());
    for (std::size_t t = 0; t < starts_.size(); ++t) {
      starts_[t] = static_cast<std::int64_t>(t) * rows;
    }
  }
  SpreadSequences(inputs.reshape({lanes_, rows, width_}), labels, weights,
                  model_.shape().symbols, At(seen_), At(wanted_), At(shares_));
  return true;
}

void LstmPass::LoadRagged(const at::Tensor& inputs, const at::Tensor& labels,
                          const at::Tensor& weights) {
  const at::Tensor x = inputs.reshape({inputs.size(1), width_}).contiguous();
  const at::Tensor n = labels.reshape(-1).contiguous();
  const at::Tensor w = weights.reshape(-1).contiguous();
  const auto* length = n.data_ptr<std::int64_t>();
  const auto* weight = w.data_ptr<float>();
  const auto good = [&](std::int64_t row) {
    return length[row] >= 1 && length[row] < width_;
  };
  // A row that is not a sequence has one prediction, of share NaN.
  const auto count = [&](std::int64_t row) {
    return good(row) ? length[row] : 1;
  };
  order_.clear();
  std::int64_t total = 0;
  for (std::int64_t row = 0; row < n.numel(); ++row) {
    if (!(weight[row] > 0)) continue;
    order_.push_back(row);
    total += count(row);
  }
  std::ranges::stable_sort(order_, [&](std::int64_t a, std::int64_t b) {
    return count(a) > count(b);
  });
  counts_.clear();
  starts_.clear();
  predictions_ = 0;
  const float symbols = static_cast<float>(model_.shape().symbols);
  const auto known = [&](float v) { return v >= 0 && v < symbols; };
  for (std::int64_t t = 0; !order_.empty() && t < count(order_[0]); ++t) {
    starts_.push_back(predictions_);
    for (const std::int64_t row : order_) {
      if (t >= count(row)) break;
      const float* pair = x.data_ptr<float>() + row * width_ + t;
      const bool fine = good(row) && known(pair[0]) && known(pair[1]);
      const std::int64_t p = predictions_++;
      seen_.data_ptr<std::int64_t>()[p] =
          fine ? static_cast<std::int64_t>(pair[0]) : 0;
      wanted_.data_ptr<std::int64_t>()[p] =
          fine ? static_cast<std::int64_t>(pair[1]) : 0;
      shares_.data_ptr<float>()[p] =
          fine ? 1.0f / static_cast<float>(total)
               : std::numeric_limits<float>::quiet_NaN();
    }
    counts_.push_back(predictions_ - starts_.back());
  }
}

std::vector<std::int64_t> LstmPass::RowOfPredictions() const {
  std::vector<std::int64_t> rows;
  for (const std::int64_t count : counts_) {
    rows.insert(rows.end(), order_.begin(), order_.begin() + count);
  }
  return rows;
}

at::Tensor LstmPass::Time(const at::Tensor& all, std::int64_t t,
                          std::int64_t count) const {
  return all.narrow(0, 0, lanes_)
      .narrow(1, starts_[static_cast<std::size_t>(t)], count);
}

at::Tensor LstmPass::TimeAfterZeros(const at::Tensor& all, std::int64_t t,
                                    std::int64_t count) const {
  // The zeros end where time 0 begins, whatever the batch's rows.
  const std::int64_t start =
      t < 0 ? rows_ - count : rows_ + starts_[static_cast<std::size_t>(t)];
  return all.narrow(0, 0, lanes_).narrow(1, start, count);
}

at::Tensor LstmPass::Said(std::int64_t k) const {
  return layers_[static_cast<std::size_t>(k)]
      .said.narrow(0, 0, lanes_)
      .narrow(1, rows_, predictions_);
}

at::Tensor LstmPass::Before(std::int64_t k) const {
  const Layer& layer = layers_[static_cast<std::size_t>(k)];
  if (ragged_) return At(layer.before);
  // All times have the same rows: one time back is `rows` rows back.
  return layer.said.narrow(0, 0, lanes_)
      .narrow(1, rows_ - counts_[0], predictions_);
}

void LstmPass::Forward(const at::Tensor& params) {
  const params::Layout& layout = model_.layout();
  GatherRows(layout.View(params, model_.embedding()), At(seen_), At(symbols_));
  at::Tensor x = At(symbols_);
  for (std::int64_t k = 0; k < model_.shape().layers; ++k) {
    ForwardLayer(k, params, x);
    x = Said(k);
  }
  Product(At(logits_), x, model_.OutputWeight(params), 0, 1);
  AddBiasRelu(At(logits_), layout.View(params, model_.output_bias()), 1);
}

void LstmPass::ForwardLayer(std::int64_t k, const at::Tensor& params,
                            const at::Tensor& x) {
  const params::Layout& layout = model_.layout();
  const Lstm::LayerTensors tensors = model_.layer(k);
  const at::Tensor recurrent = layout.View(params, tensors.recurrent);
  const at::Tensor bias = layout.View(params, tensors.bias);
  const at::Tensor projection = layout.View(params, tensors.projection);
  const Layer& layer = layers_[static_cast<std::size_t>(k)];
  Product(At(layer.gates), x, layout.View(params, tensors.input), 0, 1);
  if (ragged_) Time(layer.before, 0, counts_[0]).zero_();
  for (std::int64_t t = 0; t < std::ssize(counts_); ++t) {
    const std::int64_t count = counts_[static_cast<std::size_t>(t)];
    const at::Tensor gates = Time(layer.gates, t, count);
    if (t > 0) {
      const at::Tensor before = TimeAfterZeros(layer.said, t - 1, count);
      if (ragged_) Time(layer.before, t, count).copy_(before);
      Product(gates, before, recurrent, 1, 1);
    }
    const at::Tensor hidden = Time(layer.hidden, t, count);
    CifgForward(gates, bias, TimeAfterZeros(layer.cells, t - 1, count),
                TimeAfterZeros(layer.cells, t, count),
                Time(layer.squashed, t, count), hidden);
    Product(TimeAfterZeros(layer.said, t, count), hidden, projection, 0, 1);
  }
}

void LstmPass::Backward(const at::Tensor& params, const at::Tensor& target,
                        double scale, const at::Tensor& losses) {
  const params::Layout& layout = model_.layout();
  const LstmShape& s = model_.shape();
  const auto of_size = [&](const at::Tensor& all, std::int64_t size) {
    return all.flatten(1)
        .narrow(1, 0, all.size(1) * size)
        .view({all.size(0), all.size(1), size})
        .narrow(0, 0, lanes_)
        .narrow(1, 0, predictions_);
  };
  SoftmaxBackward(At(logits_), At(wanted_), At(shares_), At(logits_), losses);
  at::Tensor d = of_size(d_said_, s.projection);
  Product(d, At(logits_), model_.OutputWeight(params).transpose(1, 2), 0, 1);

  // From here on `target`, which may be `params`, moves: each tensor after its
  // last use.
  const at::Tensor top = Said(s.layers - 1);
  if (s.tied) {
    Product(layout.View(target, model_.embedding()),
            At(logits_).transpose(1, 2), top, 1, scale);
  } else {
    Product(model_.OutputWeight(target), top.transpose(1, 2), At(logits_), 1,
            scale);
  }
  AddToBias(At(logits_), scale, layout.View(target, model_.output_bias()));
  for (std::int64_t k = s.layers - 1; k >= 0; --k) {
    const at::Tensor dx =
        of_size(k % 2 == (s.layers - 1) % 2 ? d_below_ : d_said_,
                model_.layer_inputs(k));
    BackwardLayer(k, params, target, scale, k == 0 ? At(symbols_) : Said(k - 1),
                  d, dx);
    d = dx;
  }
  ScatterRows(d, At(seen_), scale, layout.View(target, model_.embedding()));
}

void LstmPass::BackwardLayer(std::int64_t k, const at::Tensor& params,
                             const at::Tensor& target, double scale,
                             const at::Tensor& x, const at::Tensor& d,
                             const at::Tensor& dx) {
  const params::Layout& layout = model_.layout();
  const Lstm::LayerTensors tensors = model_.layer(k);
  const Layer& layer = layers_[static_cast<std::size_t>(k)];
  const at::Tensor recurrent =
      layout.View(params, tensors.recurrent).transpose(1, 2);
  const at::Tensor projection =
      layout.View(params, tensors.projection).transpose(1, 2);
  const auto rows = [&](const at::Tensor& all, std::int64_t count) {
    return all.narrow(0, 0, lanes_).narrow(1, 0, count);
  };
  rows(d_cells_, counts_[0]).zero_();
  for (std::int64_t t = std::ssize(counts_) - 1; t >= 0; --t) {
    const std::int64_t count = counts_[static_cast<std::size_t>(t)];
    if (t + 1 < std::ssize(counts_)) {
      const std::int64_t later = counts_[static_cast<std::size_t>(t + 1)];
      Product(Time(d, t, later), Time(layer.gates, t + 1, later), recurrent, 1,
              1);
    }
    const at::Tensor d_hidden = rows(d_hidden_, count);
    Product(d_hidden, Time(d, t, count), projection, 0, 1);
    CifgBackward(
        Time(layer.gates, t, count), TimeAfterZeros(layer.cells, t - 1, count),
        Time(layer.squashed, t, count), d_hidden, rows(d_cells_, count));
  }
  const at::Tensor d_gates = At(layer.gates);
  Product(dx, d_gates, layout.View(params, tensors.input).transpose(1, 2), 0,
          1);
  const auto learn = [&](std::size_t tensor, const at::Tensor& in,
                         const at::Tensor& out) {
    Product(layout.View(target, tensor), in.transpose(1, 2), out, 1, scale);
  };
  learn(tensors.input, x, d_gates);
  learn(tensors.recurrent, Before(k), d_gates);
  AddToBias(d_gates, scale, layout.View(target, tensors.bias));
  learn(tensors.projection, At(layer.hidden), d);
}

}  // namespace sfumato::models
