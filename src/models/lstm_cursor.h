// What a language model (lstm.h) says comes next, after many beginnings at
// once, on the CPU.
//
//   LstmCursor cursor(model, params, /*rows=*/256);
//   std::vector<float> state(cursor.state_size());
//   const float* nothing[] = {nullptr};             // before the first symbol
//   const std::int64_t begin[] = {model.shape().begin};
//   at::Tensor logits = cursor.Advance(nothing, begin, state);  // [1, symbols]
//
// A state is a row of numbers: all that the model remembers of a beginning.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <span>
#include <vector>

#include "models/lstm.h"

namespace sfumato::models {

class LstmCursor {
 public:
  // `params` are [1, size]; at most `rows` beginnings are advanced at once.
  LstmCursor(const Lstm& model, const at::Tensor& params, std::int64_t rows);

  std::int64_t rows() const { return rows_; }
  std::size_t state_size() const {
    return static_cast<std::size_t>(model_.shape().layers * layer_state());
  }
  // Row i reads symbols[i] in the state from[i] (null: a new sequence); its new
  // state is row i of `to`. Returns logits [row, symbol], until the next call.
  at::Tensor Advance(std::span<const float* const> from,
                     std::span<const std::int64_t> symbols,
                     std::span<float> to);

 private:
  struct Weights {
    at::Tensor input, recurrent, bias, projection;
  };

  std::int64_t layer_state() const {
    return model_.shape().hidden + model_.shape().projection;
  }
  at::Tensor View(std::size_t tensor) const {
    return model_.layout().View(params_, tensor);
  }
  // The input product of the lowest layer.
  void ReadSymbols(std::span<const std::int64_t> symbols,
                   const at::Tensor& gates);

  Lstm model_;
  at::Tensor params_;
  std::int64_t rows_;
  std::vector<Weights> layers_;
  at::Tensor table_;    // [1, symbols, 3 hidden]: that product of each symbol
  at::Tensor symbols_;  // [1, row]
  at::Tensor embedded_, gates_, before_, cells_, squashed_, hidden_;
  at::Tensor said_before_, said_;  // [1, row, projection]
  at::Tensor logits_;
};

}  // namespace sfumato::models
