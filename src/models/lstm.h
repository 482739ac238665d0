// A language model: a CIFG-LSTM with projection that guesses the next symbol.
//
//   const Lstm model(CharLm());                 // 258 byte symbols
//   at::Tensor params = model.Initial(seed);    // [1, size]
//
// lstm_loss.h trains and judges it, lstm_draw.h draws from it.
//
// A sequence is a row of `width` symbols as floats: begin, s1 … sn, end, then
// anything. Its label is the number of predictions: n + 1, or n where the
// sequence was cut and has no end. Prediction t guesses number t + 1 of the row
// from those before it.
//
// A layer, with x the symbol's embedding or what the layer below says:
//   f, o, g = x W + r U + b            r: what the layer said one symbol ago
//   c = σ(f) c + (1 − σ(f)) tanh(g)    the input gate is 1 − the forget gate
//   r = (σ(o) tanh(c)) P
// and the logits are r Eᵀ + b with the embedding itself (tied), or r W + b.
//
// Sources: Greff et al. 2015 (coupled gates), Sak et al. 2014 (projection),
// appendix B of Augenstein et al. 2020 (the sizes).

#pragma once

#include <ATen/ATen.h>

#include <cstddef>
#include <cstdint>

#include "params/layout.h"

namespace sfumato::models {

struct LstmShape {
  std::int64_t symbols = 0;
  std::int64_t embedding = 0;
  std::int64_t hidden = 0;
  std::int64_t layers = 1;
  std::int64_t projection = 0;
  bool tied = false;       // the output layer is the embedding
  std::int64_t begin = 0;  // symbol that every sequence begins with
  std::int64_t end = 1;    // symbol that ends a whole sequence
};

// The next-word model of Augenstein et al. 2020: 10,000 words and four symbols
// (padding, unknown, begin, end): 1,422,638 parameters.
LstmShape WordLm(std::int64_t symbols = 10'004);
// Its model of words as bytes, 256 symbols, begin and end: 756,738 parameters.
LstmShape CharLm();

class Lstm {
 public:
  // The layout's tensors of one layer.
  struct LayerTensors {
    std::size_t input = 0;       // W [embedding or projection, 3 hidden]
    std::size_t recurrent = 0;   // U [projection, 3 hidden]
    std::size_t bias = 0;        // [3 hidden]: forget, output, cell
    std::size_t projection = 0;  // P [hidden, projection]
  };

  // Throws BadInput for a shape that no model can have.
  explicit Lstm(const LstmShape& shape);

  const LstmShape& shape() const { return shape_; }
  const params::Layout& layout() const { return layout_; }

  std::size_t embedding() const { return 0; }  // [symbols, embedding]
  LayerTensors layer(std::int64_t k) const;
  std::int64_t layer_inputs(std::int64_t k) const {
    return k == 0 ? shape_.embedding : shape_.projection;
  }
  // W of the output layer [projection, symbols]: a view of the embedding where
  // tied. [lane, projection, symbols]
  at::Tensor OutputWeight(const at::Tensor& params) const;
  std::size_t output_bias() const { return layout_.count() - 1; }

  // Glorot-uniform weights, embeddings of variance 1 (smaller where tied)
  // and zero biases: [1, size], the same on every machine. Forget gates need no
  // bias of 1 here: it would close the input gates, which are 1 − forget.
  at::Tensor Initial(std::uint64_t seed) const;

 private:
  double InitialLimit(std::size_t tensor) const;

  LstmShape shape_;
  params::Layout layout_;
};

}  // namespace sfumato::models
