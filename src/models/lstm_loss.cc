#include "models/lstm_loss.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "models/lstm_pass.h"

namespace sfumato::models {
namespace {

// Logits that are judged at a time: 64 MB.
constexpr std::int64_t kMostLogits = 1 << 24;

}  // namespace

LstmLoss::LstmLoss(const Lstm& model, at::Device device, std::int64_t lanes,
                   std::int64_t batch_size, std::int64_t width)
    : pass_(std::make_unique<LstmPass>(
          model, device, device.is_cpu() ? 1 : lanes, batch_size, width)) {}
LstmLoss::~LstmLoss() = default;

// On CPUs one lane after the other, each with its own lengths.
void LstmLoss::AddGradient(const at::Tensor& params, const Batch& batch,
                           const GradientSum& sum) {
  const at::NoGradGuard no_gradient;
  const std::int64_t lanes = batch.inputs.size(0);
  const std::int64_t count = pass_->ragged() ? 1 : lanes;
  for (std::int64_t first = 0; first < lanes; first += count) {
    const auto part = [&](const at::Tensor& all) {
      return all.narrow(0, first, count);
    };
    if (!pass_->Load(part(batch.inputs), part(batch.labels),
                     part(batch.weights))) {
      continue;
    }
    pass_->Forward(part(params));
    pass_->Backward(part(params), part(sum.target), sum.scale,
                    part(sum.losses));
  }
}

Trainable TrainableLanguageModel(const Lstm& model, std::int64_t width) {
  return {
      .layout = model.layout(),
      .initial = [model](std::uint64_t seed) { return model.Initial(seed); },
      .make_loss =
          [model, width](at::Device device, std::int64_t lanes,
                         std::int64_t batch_size) {
            return std::make_unique<LstmLoss>(model, device, lanes, batch_size,
                                              width);
          }};
}

SequencesJudged JudgeSequences(const Lstm& model, const at::Tensor& params,
                               const at::Tensor& inputs,
                               const at::Tensor& labels) {
  const at::NoGradGuard no_gradient;
  const std::int64_t lanes = inputs.size(0);
  const std::int64_t rows = inputs.size(1);
  const auto longs = labels.options();
  SequencesJudged judged{
      .log_likelihood = at::zeros({lanes, rows}, longs.dtype(at::kDouble)),
      .predictions = at::zeros({lanes, rows}, longs),
      .right = at::zeros({lanes, rows}, longs)};
  if (lanes * rows == 0) return judged;
  const at::Tensor x = inputs.reshape({lanes, rows, -1});
  const std::int64_t width = x.size(2);
  const std::int64_t chunk = std::clamp<std::int64_t>(
      kMostLogits / (model.shape().symbols * width), 1, rows);
  LstmPass pass(model, inputs.device(), 1, chunk, width);
  const at::Tensor ones = at::ones({1, chunk}, x.options());
  for (std::int64_t i = 0; i < lanes * rows;) {
    const std::int64_t lane = i / rows;
    const std::int64_t first = i % rows;
    const std::int64_t count = std::min(chunk, rows - first);
    i += count;
    const auto part = [&](const at::Tensor& all) {
      return all.narrow(0, lane, 1).narrow(1, first, count);
    };
    pass.Load(part(x), part(labels), ones.narrow(1, 0, count));
    pass.Forward(params.narrow(0, params.size(0) == 1 ? 0 : lane, 1));
    const at::Tensor scores = at::log_softmax(pass.logits()[0], -1);
    const at::Tensor wanted = pass.wanted()[0];
    const at::Tensor shares = pass.shares()[0];  // 0: nothing to guess
    const at::Tensor own = scores.gather(1, wanted.unsqueeze(1)).squeeze(1);
    const at::Tensor counted = shares.gt(0);
    const at::Tensor likelihood =
        at::where(shares.isnan(), shares, own * counted.to(at::kFloat));
    const at::Tensor row_of =
        at::tensor(pass.RowOfPredictions(), at::kLong).to(x.device());
    const auto add = [&](const at::Tensor& sums, const at::Tensor& values) {
      part(sums)[0].index_add_(0, row_of, values.to(sums.scalar_type()));
    };
    add(judged.log_likelihood, likelihood);
    add(judged.predictions, counted);
    add(judged.right, scores.argmax(1).eq(wanted).logical_and(counted));
  }
  // A row with one bad symbol has no predictions.
  const at::Tensor bad = judged.log_likelihood.isnan();
  judged.predictions.masked_fill_(bad, 0);
  judged.right.masked_fill_(bad, 0);
  return judged;
}

}  // namespace sfumato::models
