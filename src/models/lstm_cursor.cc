#include "models/lstm_cursor.h"

#include <algorithm>

#include "models/kernels.h"
#include "models/product.h"

namespace sfumato::models {
namespace {

// With so few symbols their input products are computed once.
constexpr std::int64_t kMostInTable = 1024;

}  // namespace

LstmCursor::LstmCursor(const Lstm& model, const at::Tensor& params,
                       std::int64_t rows)
    : model_(model),
      params_(params.detach().to(at::kCPU).contiguous()),
      rows_(rows) {
  const at::NoGradGuard no_gradient;
  const LstmShape& s = model.shape();
  for (std::int64_t k = 0; k < s.layers; ++k) {
    const Lstm::LayerTensors tensors = model.layer(k);
    layers_.push_back({.input = View(tensors.input),
                       .recurrent = View(tensors.recurrent),
                       .bias = View(tensors.bias),
                       .projection = View(tensors.projection)});
  }
  const auto room = [&](std::int64_t size) {
    return at::empty({1, rows, size}, at::kFloat);
  };
  if (s.symbols <= kMostInTable) {
    table_ = at::empty({1, s.symbols, 3 * s.hidden}, at::kFloat);
    Product(table_, View(model.embedding()), layers_[0].input, 0, 1);
  } else {
    embedded_ = room(s.embedding);
  }
  symbols_ = at::empty({1, rows}, at::kLong);
  gates_ = room(3 * s.hidden);
  before_ = room(s.hidden);
  cells_ = room(s.hidden);
  squashed_ = room(s.hidden);
  hidden_ = room(s.hidden);
  said_before_ = room(s.projection);
  said_ = room(s.projection);
  logits_ = room(s.symbols);
}

void LstmCursor::ReadSymbols(std::span<const std::int64_t> symbols,
                             const at::Tensor& gates) {
  const auto count = static_cast<std::int64_t>(symbols.size());
  const at::Tensor read = symbols_.narrow(1, 0, count);
  std::ranges::copy(symbols, read.data_ptr<std::int64_t>());
  if (table_.defined()) {
    GatherRows(table_, read, gates);
    return;
  }
  const at::Tensor embedded = embedded_.narrow(1, 0, count);
  GatherRows(View(model_.embedding()), read, embedded);
  Product(gates, embedded, layers_[0].input, 0, 1);
}

at::Tensor LstmCursor::Advance(std::span<const float* const> from,
                               std::span<const std::int64_t> symbols,
                               std::span<float> to) {
  const at::NoGradGuard no_gradient;
  const LstmShape& s = model_.shape();
  const auto count = static_cast<std::int64_t>(from.size());
  TORCH_CHECK(count <= rows_ && from.size() == symbols.size() &&
              to.size() == from.size() * state_size());
  const auto first = [&](const at::Tensor& all) {
    return all.narrow(1, 0, count);
  };
  // Calls f(i, numbers of layer k's state of row i, where they lie here).
  const auto for_each = [&](const at::Tensor& here, std::int64_t offset,
                            auto&& f) {
    const std::int64_t size = here.size(2);
    for (std::int64_t i = 0; i < count; ++i) {
      f(static_cast<std::size_t>(i), offset, size,
        here.data_ptr<float>() + i * size);
    }
  };
  const auto load = [&](std::size_t i, std::int64_t offset, std::int64_t size,
                        float* here) {
    if (from[i] == nullptr) {
      std::fill_n(here, size, 0.0f);
    } else {
      std::copy_n(from[i] + offset, size, here);
    }
  };
  const auto store = [&](std::size_t i, std::int64_t offset, std::int64_t size,
                         const float* here) {
    std::copy_n(here, size, to.data() + i * state_size() + offset);
  };

  for (std::int64_t k = 0; k < s.layers; ++k) {
    const Weights& w = layers_[static_cast<std::size_t>(k)];
    const std::int64_t offset = k * layer_state();
    for_each(before_, offset, load);
    for_each(said_before_, offset + s.hidden, load);
    const at::Tensor gates = first(gates_);
    if (k == 0) {
      ReadSymbols(symbols, gates);
    } else {
      Product(gates, first(said_), w.input, 0, 1);
    }
    Product(gates, first(said_before_), w.recurrent, 1, 1);
    CifgForward(gates, w.bias, first(before_), first(cells_), first(squashed_),
                first(hidden_));
    Product(first(said_), first(hidden_), w.projection, 0, 1);
    for_each(cells_, offset, store);
    for_each(said_, offset + s.hidden, store);
  }
  const at::Tensor logits = first(logits_);
  Product(logits, first(said_), model_.OutputWeight(params_), 0, 1);
  AddBiasRelu(logits, View(model_.output_bias()), 1);
  return logits[0];
}

}  // namespace sfumato::models
