// What the tests of language models share: small models, ragged sequences, and
// the model written a second time, plainly and in double precision.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "models/batch.h"
#include "models/lstm.h"

namespace sfumato::models {

inline LstmShape SmallLstm(std::int64_t layers, bool tied) {
  return {.symbols = 9,
          .embedding = 4,
          .hidden = 7,
          .layers = layers,
          .projection = tied ? 4 : 3,
          .tied = tied,
          .begin = 2,
          .end = 3};
}

// Every lane another model: [lane, size], biases too.
inline at::Tensor RandomLanes(const Lstm& model, std::int64_t lanes) {
  return 0.6 * at::randn({lanes, model.layout().size()});
}

// Sequences of random symbols with the predictions that `lengths` says, a row
// for each; rows of length 0 have weight 0. Padding is junk.
inline Batch RandomSequences(
    const LstmShape& shape,
    const std::vector<std::vector<std::int64_t>>& lengths, std::int64_t width) {
  const auto lanes = static_cast<std::int64_t>(lengths.size());
  const auto rows = static_cast<std::int64_t>(lengths[0].size());
  Batch batch;
  batch.inputs =
      at::randint(shape.symbols, {lanes, rows, 1, width, 1}).to(at::kFloat);
  batch.inputs.select(3, 0).fill_(shape.begin);
  batch.labels = at::zeros({lanes, rows}, at::kLong);
  batch.weights = at::zeros({lanes, rows});
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::int64_t n = lengths[static_cast<std::size_t>(lane)]
                                    [static_cast<std::size_t>(row)];
      batch.labels[lane][row] = n;
      batch.weights[lane][row] = n > 0 ? 1.0 / static_cast<double>(rows) : 0.0;
    }
  }
  batch.keys = at::zeros({lanes}, at::kLong);
  return batch;
}

// log p of every prediction of one sequence, [n], as lstm.h says it; `tensors`
// are those of the layout, of one model.
inline at::Tensor PlainScores(const Lstm& model,
                              const std::vector<at::Tensor>& tensors,
                              const at::Tensor& sequence, std::int64_t n) {
  const LstmShape& s = model.shape();
  const auto options = tensors[0].options().requires_grad(false);
  std::vector<at::Tensor> said, cell;
  for (std::int64_t k = 0; k < s.layers; ++k) {
    said.push_back(at::zeros({s.projection}, options));
    cell.push_back(at::zeros({s.hidden}, options));
  }
  std::vector<at::Tensor> scores;
  for (std::int64_t t = 0; t < n; ++t) {
    at::Tensor x =
        tensors[0][static_cast<std::int64_t>(sequence[t].item<float>())];
    for (std::size_t k = 0; k < said.size(); ++k) {
      const std::size_t first = 1 + 4 * k;
      const auto gates =
          (at::matmul(x, tensors[first]) +
           at::matmul(said[k], tensors[first + 1]) + tensors[first + 2])
              .chunk(3);
      const at::Tensor forget = gates[0].sigmoid();
      cell[k] = forget * cell[k] + (1 - forget) * gates[2].tanh();
      said[k] =
          at::matmul(gates[1].sigmoid() * cell[k].tanh(), tensors[first + 3]);
      x = said[k];
    }
    const std::size_t last = tensors.size() - 1;
    const at::Tensor logits = (s.tied ? at::matmul(tensors[0], x)
                                      : at::matmul(x, tensors[last - 1])) +
                              tensors[last];
    const auto next = static_cast<std::int64_t>(sequence[t + 1].item<float>());
    scores.push_back(at::log_softmax(logits, 0)[next]);
  }
  return at::stack(scores);
}

// One lane's tensors in double precision.
inline std::vector<at::Tensor> PlainTensors(const Lstm& model,
                                            const at::Tensor& params) {
  std::vector<at::Tensor> tensors;
  for (std::size_t i = 0; i < model.layout().count(); ++i) {
    tensors.push_back(model.layout()
                          .View(params.reshape({1, -1}), i)[0]
                          .to(at::kDouble)
                          .clone());
  }
  return tensors;
}

// Mean loss of the predictions of one lane's rows of weight above 0.
inline at::Tensor PlainLoss(const Lstm& model,
                            const std::vector<at::Tensor>& tensors,
                            const Batch& batch, std::int64_t lane) {
  std::vector<at::Tensor> scores;
  for (std::int64_t row = 0; row < batch.labels.size(1); ++row) {
    if (batch.weights[lane][row].item<float>() <= 0) continue;
    scores.push_back(PlainScores(model, tensors,
                                 batch.inputs[lane][row].flatten(),
                                 batch.labels[lane][row].item<std::int64_t>()));
  }
  return -at::cat(scores).mean();
}

}  // namespace sfumato::models
