// A language model (lstm.h) trained and judged.
//
//   LstmStep step(model, device, lanes, batch_size, width,
//                 {.learning_rate = 0.5});
//   step.Begin();                       // a new group of clients
//   step.Step(params, batch);           // [lane, size], in place
//   step.losses();                      // [lane], mean over the steps
//
// A step is the pass of lstm_pass.h with softmax cross-entropy on top: no
// autograd, no memory taken after the first step. Its loss is the mean over all
// predictions of the lane's rows of weight above 0: long sequences count for
// more. A row that is no sequence (a symbol that there is not, no prediction or
// more than fit) makes the lane's parameters NaN, so that the update counts as
// zero: an error would tell that the user was drawn.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>

#include "models/batch.h"
#include "models/classifier.h"
#include "models/lstm.h"

namespace sfumato::models {

class LstmStep {
 public:
  LstmStep(const Lstm& model, at::Device device, std::int64_t lanes,
           std::int64_t batch_size, std::int64_t width, SgdOptions options);
  ~LstmStep();

  // Forgets momentum and losses of the last group.
  void Begin();
  // One step of every lane on `params` [lane, size], in place. `batch.inputs`
  // are [lane, batch, 1, width, 1]; it may have fewer lanes and rows than were
  // announced. A lane of weights 0 stays.
  void Step(const at::Tensor& params, const Batch& batch);
  // Mean loss a step of each lane so far, [lane]: private data.
  at::Tensor losses() const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

struct SequencesJudged {
  at::Tensor log_likelihood;  // [lane, batch] double, summed over predictions
  at::Tensor predictions;     // [lane, batch] int64
  at::Tensor right;           // [lane, batch] int64: the likeliest came
};
// How `params` [1 or lane, size] judge sequences [lane, batch, …, width] of so
// many predictions [lane, batch]. A row that is no sequence has likelihood NaN
// and no predictions.
SequencesJudged JudgeSequences(const Lstm& model, const at::Tensor& params,
                               const at::Tensor& inputs,
                               const at::Tensor& labels);

}  // namespace sfumato::models
