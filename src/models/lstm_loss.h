// The loss of a language model (lstm.h), and how it judges sequences.
//
//   LstmLoss loss(model, device, lanes, batch_size, width);
//   loss.AddGradient(params, batch, sum);               // lane_loss.h
//
// It is softmax cross-entropy on top of the pass of lstm_pass.h: no autograd,
// no memory taken after the first gradient; the mean over all predictions of
// the lane's rows of weight above 0, so that long sequences count for more. A
// row that is not a sequence (an unknown symbol, no prediction or more than
// fit) makes the lane's parameters NaN, so that the update counts as zero: an
// error would reveal that the user was drawn.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>

#include "models/batch.h"
#include "models/lane_loss.h"
#include "models/lstm.h"

namespace sfumato::models {

class LstmPass;

class LstmLoss : public LaneLoss {
 public:
  // Of sequences of `width` symbols: batch.inputs are [lane, batch, 1, width,
  // 1].
  LstmLoss(const Lstm& model, at::Device device, std::int64_t lanes,
           std::int64_t batch_size, std::int64_t width);
  ~LstmLoss() override;
  void AddGradient(const at::Tensor& params, const Batch& batch,
                   const GradientSum& sum) override;

 private:
  std::unique_ptr<LstmPass> pass_;
};
Trainable TrainableLanguageModel(const Lstm& model, std::int64_t width);

struct SequencesJudged {
  at::Tensor log_likelihood;  // [lane, batch] double, summed over predictions
  at::Tensor predictions;     // [lane, batch] int64
  at::Tensor right;           // [lane, batch] int64: the likeliest came
};
// How `params` [1 or lane, size] judge sequences [lane, batch, …, width], whose
// numbers of predictions are `labels` [lane, batch]. A row that is not a
// sequence has likelihood NaN and no predictions.
SequencesJudged JudgeSequences(const Lstm& model, const at::Tensor& params,
                               const at::Tensor& inputs,
                               const at::Tensor& labels);

}  // namespace sfumato::models
