// The forward and backward pass of a language model (lstm.h) over whole
// sequences, for many clients at once and without autograd.
//
//   LstmPass pass(model, device, lanes, rows, width);
//   pass.Load(inputs, labels, weights);
//   pass.Forward(params);                          // logits()
//   pass.Backward(params, params, -rate, losses);  // learns in place
//
// Numbers lie by time, then by row: what all rows see at time 0, at time 1, …
// The products with the input weights and with the output layer take all times
// at once, those with the recurrent weights one time after another. Memory is
// taken once.
//
// On a GPU every time has all rows, so that sizes do not depend on the data.
// On a CPU (`ragged`, one lane at a time) rows are sorted by length: time t has
// the rows that are still there, and nothing is computed for padding.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "models/lstm.h"

namespace sfumato::models {

class LstmPass {
 public:
  LstmPass(const Lstm& model, at::Device device, std::int64_t lanes,
           std::int64_t rows, std::int64_t width);
  // REQUIRES: a ragged pass is one of one lane on the CPU.
  LstmPass(const Lstm& model, at::Device device, std::int64_t lanes,
           std::int64_t rows, std::int64_t width, bool ragged);

  bool ragged() const { return ragged_; }
  // Takes inputs [lane, row, …, width], labels and weights [lane, row]. Returns
  // whether there is anything to predict; without `ragged` always.
  bool Load(const at::Tensor& inputs, const at::Tensor& labels,
            const at::Tensor& weights);
  void Forward(const at::Tensor& params);
  // Adds scale × gradient to `target` [lane, size], which may be `params`; and
  // the mean loss of the predictions to `losses` [lane]. After Forward, once.
  void Backward(const at::Tensor& params, const at::Tensor& target,
                double scale, const at::Tensor& losses);

  // After Forward: [lane, prediction, symbol], and what belongs to each.
  at::Tensor logits() const { return At(logits_); }
  at::Tensor wanted() const { return At(wanted_); }  // [lane, prediction]
  at::Tensor shares() const { return At(shares_); }  // [lane, prediction]
  // The row that a prediction is of, [prediction].
  std::vector<std::int64_t> RowOfPredictions() const;

 private:
  // Memory of one layer. What a step needs of the step before begins with a
  // block of zeros, for time 0.
  struct Layer {
    at::Tensor gates;     // [lane, prediction, 3 hidden]; their gradients
    at::Tensor cells;     // [lane, rows + prediction, hidden]
    at::Tensor squashed;  // [lane, prediction, hidden]
    at::Tensor hidden;    // [lane, prediction, hidden]
    at::Tensor said;      // [lane, rows + prediction, projection]
    at::Tensor before;    // [lane, prediction, projection]; ragged only
  };

  void LoadRagged(const at::Tensor& inputs, const at::Tensor& labels,
                  const at::Tensor& weights);
  void ForwardLayer(std::int64_t k, const at::Tensor& params,
                    const at::Tensor& x);
  // From d [lane, prediction, projection] to dx.
  void BackwardLayer(std::int64_t k, const at::Tensor& params,
                     const at::Tensor& target, double scale,
                     const at::Tensor& x, const at::Tensor& d,
                     const at::Tensor& dx);
  // What layer k said one symbol before each prediction.
  at::Tensor Before(std::int64_t k) const;
  at::Tensor Said(std::int64_t k) const;
  // The predictions of this batch; those of time t, its first `count` rows.
  at::Tensor At(const at::Tensor& all) const {
    return all.narrow(0, 0, lanes_).narrow(1, 0, predictions_);
  }
  at::Tensor Time(const at::Tensor& all, std::int64_t t,
                  std::int64_t count) const;
  // The same in memory that begins with zeros; t = -1 is those.
  at::Tensor TimeAfterZeros(const at::Tensor& all, std::int64_t t,
                            std::int64_t count) const;

  Lstm model_;
  std::int64_t rows_ = 0;  // of the memory
  std::int64_t width_ = 0;
  bool ragged_ = false;
  std::vector<Layer> layers_;
  at::Tensor seen_, wanted_, shares_;  // [lane, prediction]
  at::Tensor symbols_;                 // embedded, [lane, prediction, …]
  at::Tensor logits_;                  // [lane, prediction, symbol]; gradients
  at::Tensor d_said_, d_below_;        // [lane, prediction, …], in turns
  at::Tensor d_hidden_;                // [lane, row, hidden]
  at::Tensor d_cells_;                 // [lane, row, hidden]

  // Of the batch:
  std::int64_t lanes_ = 0;
  std::int64_t predictions_ = 0;
  std::vector<std::int64_t> counts_;  // [time] rows that are still there
  std::vector<std::int64_t> starts_;  // [time] their first prediction
  std::vector<std::int64_t> order_;   // [row of the pass] row of the batch
};

}  // namespace sfumato::models
