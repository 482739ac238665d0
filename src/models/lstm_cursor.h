// What a language model (lstm.h) says comes next, after many beginnings at
// once, on one core of a CPU.
//
//   const auto weights = std::make_shared<const LstmWeights>(model, params);
//   LstmCursor cursor(weights, /*rows=*/256);       // one for each thread
//   std::vector<float> state(cursor.state_size());
//   const float* nothing[] = {nullptr};             // before the first symbol
//   const std::int64_t begin[] = {model.shape().begin};
//   const float* logits = cursor.Advance(nothing, begin, state);
//
// A state is a row of numbers: all that the model remembers of a beginning.
// What comes of a row does not depend on the rows beside it.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/lstm.h"
#include "models/lstm_loops.h"
#include "models/packed_weights.h"

namespace sfumato::models {

// A copy of the parameters as cursors read them, laid out once.
struct LstmWeights {
  struct Layer {
    PackedWeights input;  // not of the lowest layer where there is a table
    PackedWeights recurrent;
    PackedWeights projection;
    at::Tensor bias;  // [3 hidden]
  };

  // `params` are [1, size], anywhere.
  LstmWeights(const Lstm& model, const at::Tensor& params);

  LstmShape shape;
  std::vector<Layer> layers;
  at::Tensor table;  // [symbols, 3 hidden]: the lowest layer's input product
  at::Tensor embedding;  // [symbols, embedding], where there is no table
  PackedWeights output;
  at::Tensor output_bias;
};

class LstmCursor {
 public:
  // At most `rows` beginnings are advanced at once.
  LstmCursor(std::shared_ptr<const LstmWeights> weights, std::int64_t rows);

  std::int64_t rows() const { return rows_; }
  std::size_t state_size() const {
    return static_cast<std::size_t>(weights_->shape.layers * layer_state());
  }
  // Row i reads symbols[i] in the state from[i] (null: a new sequence); its new
  // state is row i of `to`. Returns logits [row, symbol], until the next call.
  // Neighbours that come from one state share what depends on it alone.
  const float* Advance(std::span<const float* const> from,
                       std::span<const std::int64_t> symbols,
                       std::span<float> to);

 private:
  std::int64_t layer_state() const {
    return weights_->shape.hidden + weights_->shape.projection;
  }
  void FindParents(std::span<const float* const> from);
  // Layer k of all rows, from what their parents remember and the layer below
  // said.
  void AdvanceLayer(std::int64_t k, std::span<float> to);
  // The input products of the lowest layer, a pointer for each row.
  void ReadSymbols(std::span<const std::int64_t> symbols);

  std::shared_ptr<const LstmWeights> weights_;
  std::int64_t rows_;
  std::vector<float> zeros_;            // the state of a new sequence
  std::vector<const float*> parents_;   // different states that rows come from
  std::vector<std::int64_t> parent_;    // [row] its place among them
  std::vector<const float*> inputs_;    // [row] its layer's input product
  std::vector<CellRow> cells_;          // [row]
  at::Tensor embedded_;                 // [row, embedding]
  at::Tensor products_;                 // [row, 3 hidden]
  at::Tensor said_before_, recurrent_;  // [parent, …]
  at::Tensor hidden_;                   // [row, hidden]
  at::Tensor said_;                     // [row, projection]
  at::Tensor logits_;                   // [row, symbol]
};

}  // namespace sfumato::models
