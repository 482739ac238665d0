#include "models/lstm_cursor.h"

#include <algorithm>
#include <utility>

#include "models/kernels.h"
#include "models/product.h"

namespace sfumato::models {
namespace {

// With so few symbols their input products are computed once.
constexpr std::int64_t kMostInTable = 1024;

}  // namespace

LstmWeights::LstmWeights(const Lstm& model, const at::Tensor& params)
    : shape(model.shape()) {
  const at::NoGradGuard no_gradient;
  const at::Tensor here = params.detach().to(at::kCPU).contiguous();
  const auto view = [&](std::size_t tensor) {
    return model.layout().View(here, tensor);
  };
  const bool few = shape.symbols <= kMostInTable;
  for (std::int64_t k = 0; k < shape.layers; ++k) {
    const Lstm::LayerTensors tensors = model.layer(k);
    layers.push_back({.input = few && k == 0
                                   ? PackedWeights()
                                   : PackedWeights(view(tensors.input)[0]),
                      .recurrent = PackedWeights(view(tensors.recurrent)[0]),
                      .projection = PackedWeights(view(tensors.projection)[0]),
                      .bias = view(tensors.bias)[0].clone()});
  }
  if (!few) embedding = view(model.embedding())[0].clone();
  if (few) {
    table = at::empty({shape.symbols, 3 * shape.hidden}, at::kFloat);
    Product(table.unsqueeze(0), view(model.embedding()),
            view(model.layer(0).input), 0, 1);
  }
  output = PackedWeights(model.OutputWeight(here)[0]);
  output_bias = view(model.output_bias()).clone();
}

LstmCursor::LstmCursor(std::shared_ptr<const LstmWeights> weights,
                       std::int64_t rows)
    : weights_(std::move(weights)), rows_(rows) {
  const LstmShape& s = weights_->shape;
  const auto room = [&](std::int64_t size) {
    return at::empty({rows, size}, at::kFloat);
  };
  zeros_.resize(state_size());
  inputs_.resize(static_cast<std::size_t>(rows));
  if (!weights_->table.defined()) embedded_ = room(s.embedding);
  products_ = room(3 * s.hidden);
  said_before_ = room(s.projection);
  recurrent_ = room(3 * s.hidden);
  hidden_ = room(s.hidden);
  said_ = room(s.projection);
  logits_ = room(s.symbols);
}

void LstmCursor::FindParents(std::span<const float* const> from) {
  parents_.clear();
  parent_.clear();
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (i == 0 || from[i] != from[i - 1]) {
      parents_.push_back(from[i] == nullptr ? zeros_.data() : from[i]);
    }
    parent_.push_back(std::ssize(parents_) - 1);
  }
}

void LstmCursor::ReadSymbols(std::span<const std::int64_t> symbols) {
  const LstmShape& s = weights_->shape;
  if (weights_->table.defined()) {
    const float* table = weights_->table.data_ptr<float>();
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      inputs_[i] = table + symbols[i] * 3 * s.hidden;
    }
    return;
  }
  const float* embedding = weights_->embedding.data_ptr<float>();
  float* row = embedded_.data_ptr<float>();
  for (const std::int64_t symbol : symbols) {
    std::copy_n(embedding + symbol * s.embedding, s.embedding, row);
    row += s.embedding;
  }
  weights_->layers[0].input.Multiply({.x = embedded_.data_ptr<float>(),
                                      .x_stride = s.embedding,
                                      .y = products_.data_ptr<float>(),
                                      .y_stride = 3 * s.hidden,
                                      .rows = std::ssize(symbols)});
}

void LstmCursor::AdvanceLayer(std::int64_t k, std::span<float> to) {
  const LstmShape& s = weights_->shape;
  const LstmWeights::Layer& layer =
      weights_->layers[static_cast<std::size_t>(k)];
  const std::int64_t offset = k * layer_state();
  const auto state = static_cast<std::int64_t>(state_size());
  const std::int64_t rows = std::ssize(parent_);

  float* before = said_before_.data_ptr<float>();
  for (const float* parent : parents_) {
    before = std::copy_n(parent + offset + s.hidden, s.projection, before);
  }
  layer.recurrent.Multiply({.x = said_before_.data_ptr<float>(),
                            .x_stride = s.projection,
                            .y = recurrent_.data_ptr<float>(),
                            .y_stride = 3 * s.hidden,
                            .rows = std::ssize(parents_)});
  if (k > 0) {
    layer.input.Multiply({.x = said_.data_ptr<float>(),
                          .x_stride = s.projection,
                          .y = products_.data_ptr<float>(),
                          .y_stride = 3 * s.hidden,
                          .rows = rows});
  }
  const bool table = k == 0 && weights_->table.defined();
  cells_.clear();
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    cells_.push_back(
        {.input = table ? inputs_[row]
                        : products_.data_ptr<float>() + i * 3 * s.hidden,
         .recurrent =
             recurrent_.data_ptr<float>() + parent_[row] * 3 * s.hidden,
         .before = parents_[static_cast<std::size_t>(parent_[row])] + offset,
         .cells = to.data() + i * state + offset,
         .hidden = hidden_.data_ptr<float>() + i * s.hidden});
  }
  RunCells(cells_, layer.bias.data_ptr<float>(), s.hidden);
  layer.projection.Multiply({.x = hidden_.data_ptr<float>(),
                             .x_stride = s.hidden,
                             .y = said_.data_ptr<float>(),
                             .y_stride = s.projection,
                             .rows = rows});
  for (std::int64_t i = 0; i < rows; ++i) {
    std::copy_n(said_.data_ptr<float>() + i * s.projection, s.projection,
                to.data() + i * state + offset + s.hidden);
  }
}

const float* LstmCursor::Advance(std::span<const float* const> from,
                                 std::span<const std::int64_t> symbols,
                                 std::span<float> to) {
  const at::NoGradGuard no_gradient;
  const LstmShape& s = weights_->shape;
  const std::int64_t count = std::ssize(from);
  TORCH_CHECK(count <= rows_ && from.size() == symbols.size() &&
              to.size() == from.size() * state_size());
  FindParents(from);
  ReadSymbols(symbols);
  for (std::int64_t k = 0; k < s.layers; ++k) AdvanceLayer(k, to);
  weights_->output.Multiply({.x = said_.data_ptr<float>(),
                             .x_stride = s.projection,
                             .y = logits_.data_ptr<float>(),
                             .y_stride = s.symbols,
                             .rows = count});
  AddBiasRelu(logits_.narrow(0, 0, count).unsqueeze(0), weights_->output_bias,
              1);
  return logits_.data_ptr<float>();
}

}  // namespace sfumato::models
