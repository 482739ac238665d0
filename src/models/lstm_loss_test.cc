#include "models/lstm_loss.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "models/lstm_pass.h"
#include "models/lstm_testing.h"
#include "models/model_testing.h"

namespace sfumato::models {
namespace {

constexpr std::int64_t kWidth = 6;

std::vector<std::vector<std::int64_t>> Lengths(std::int64_t lanes) {
  if (lanes == 1) return {{2, 5, 1, 5}};
  return {{2, 5, 0, 4}, {1, 1, 1, 3}, {5, 5, 5, 5}};
}

// Gradient [lane, size] and losses [lane] of the plain model, by autograd.
std::pair<at::Tensor, at::Tensor> ByAutograd(const Lstm& model,
                                             const at::Tensor& params,
                                             const Batch& batch) {
  std::vector<at::Tensor> gradients, losses;
  for (std::int64_t lane = 0; lane < params.size(0); ++lane) {
    std::vector<at::Tensor> leaves = PlainTensors(model, params[lane]);
    for (at::Tensor& leaf : leaves) leaf.requires_grad_();
    const at::Tensor loss = PlainLoss(model, leaves, batch, lane);
    std::vector<at::Tensor> flat;
    for (const at::Tensor& gradient : torch::autograd::grad({loss}, leaves)) {
      flat.push_back(gradient.flatten());
    }
    gradients.push_back(at::cat(flat));
    losses.push_back(loss.detach());
  }
  return {at::stack(gradients), at::stack(losses)};
}

struct Passed {
  at::Tensor gradient, losses;
};
Passed ByPass(LstmPass& pass, const at::Tensor& params, const Batch& batch) {
  const at::Device device = params.device();
  const Passed passed{at::zeros_like(params),
                      at::zeros({params.size(0)}, device)};
  pass.Load(batch.inputs.to(device), batch.labels.to(device),
            batch.weights.to(device));
  pass.Forward(params);
  pass.Backward(params, passed.gradient, 1, passed.losses);
  return passed;
}

TEST(LstmPassTest, GradientsAreThoseOfAPlainModelByAutograd) {
  at::manual_seed(3);
  for (const at::Device& device : Devices()) {
    for (const std::int64_t layers : {1, 3}) {
      for (const bool tied : {false, true}) {
        for (const std::int64_t lanes : {1, 3}) {
          const Lstm model(SmallLstm(layers, tied));
          const at::Tensor params = RandomLanes(model, lanes);
          const Batch batch =
              RandomSequences(model.shape(), Lengths(lanes), kWidth);
          const auto [gradient, losses] = ByAutograd(model, params, batch);
          const std::string what = std::to_string(layers) + " layers, " +
                                   std::to_string(lanes) + " lanes" +
                                   (tied ? ", tied, " : ", ") + device.str();
          LstmPass pass(model, device, lanes + 1, 6, kWidth, /*ragged=*/false);
          const Passed full = ByPass(pass, params.to(device), batch);
          EXPECT_LT(Apart(full.gradient, gradient), 2e-6) << what;
          EXPECT_LT(Apart(full.losses, losses), 1e-6) << what;
          if (lanes > 1 || !device.is_cpu()) continue;
          LstmPass sorted(model, device, 1, 6, kWidth, /*ragged=*/true);
          const Passed ragged = ByPass(sorted, params, batch);
          EXPECT_LT(Apart(ragged.gradient, gradient), 2e-6) << what;
          EXPECT_LT(Apart(ragged.losses, losses), 1e-6) << what;
        }
      }
    }
  }
}

TEST(LstmPassTest, GradientsAreThoseOfNumericalDifferences) {
  at::manual_seed(4);
  const Lstm model({.symbols = 4,
                    .embedding = 2,
                    .hidden = 3,
                    .layers = 2,
                    .projection = 2,
                    .tied = true});
  const at::Tensor params = RandomLanes(model, 1);
  const Batch batch = RandomSequences(model.shape(), {{3, 1}}, 4);
  LstmPass pass(model, at::kCPU, 1, 2, 4);
  const at::Tensor gradient = ByPass(pass, params, batch).gradient[0];
  const auto loss_at = [&](std::int64_t i, double step) {
    const at::Tensor moved = params[0].to(at::kDouble).clone();
    moved[i] += step;
    return PlainLoss(model, PlainTensors(model, moved), batch, 0)
        .item<double>();
  };
  for (std::int64_t i = 0; i < model.layout().size(); ++i) {
    EXPECT_NEAR(gradient[i].item<double>(),
                (loss_at(i, 1e-5) - loss_at(i, -1e-5)) / 2e-5, 2e-7)
        << i;
  }
}

TEST(LstmLossTest, AStepMovesAgainstTheGradientInEveryLaneOnItsOwn) {
  at::manual_seed(5);
  for (const at::Device& device : Devices()) {
    const Lstm model(SmallLstm(2, true));
    const at::Tensor params = RandomLanes(model, 3);
    const Batch batch = RandomSequences(model.shape(), Lengths(3), kWidth);
    const auto [gradient, losses] = ByAutograd(model, params, batch);
    LstmLoss loss(model, device, 4, 5, kWidth);
    const at::Tensor moved = params.to(device).clone();
    const at::Tensor found = at::zeros({3}, moved.options());
    Batch there = batch;
    there.inputs = batch.inputs.to(device);
    there.labels = batch.labels.to(device);
    there.weights = batch.weights.to(device);
    loss.AddGradient(moved, there,
                     {.target = moved, .scale = -0.25, .losses = found});
    EXPECT_LT(Apart(moved, params - 0.25 * gradient), 1e-6);
    EXPECT_LT(Apart(found, losses), 1e-6);
  }
}

TEST(LstmLossTest, ALaneWithoutRowsStaysToTheBit) {
  at::manual_seed(6);
  for (const at::Device& device : Devices()) {
    const Lstm model(SmallLstm(2, false));
    const at::Tensor params = RandomLanes(model, 3).to(device);
    Batch batch = RandomSequences(model.shape(), Lengths(3), kWidth);
    batch.weights[1].zero_();
    batch.inputs = batch.inputs.to(device);
    batch.labels = batch.labels.to(device);
    batch.weights = batch.weights.to(device);
    LstmLoss loss(model, device, 3, 4, kWidth);
    const at::Tensor moved = params.clone();
    const at::Tensor losses = at::zeros({3}, moved.options());
    for (int i = 0; i < 3; ++i) {
      loss.AddGradient(moved, batch,
                       {.target = moved, .scale = -0.5, .losses = losses});
    }
    EXPECT_TRUE(moved[1].equal(params[1]));
    EXPECT_FALSE(moved[0].equal(params[0]));
    EXPECT_EQ(losses[1].item<float>(), 0);
  }
}

TEST(LstmPassTest, PaddingHasNoInfluence) {
  at::manual_seed(7);
  const Lstm model(SmallLstm(2, true));
  const at::Tensor params = RandomLanes(model, 1);
  Batch batch = RandomSequences(model.shape(), {{2, 4, 0, 1}}, kWidth);
  Batch other = batch;
  other.inputs = batch.inputs.clone();
  for (std::int64_t row = 0; row < 4; ++row) {
    const std::int64_t n = batch.labels[0][row].item<std::int64_t>();
    if (n + 1 == kWidth) continue;
    other.inputs[0][row].narrow(1, n + 1, kWidth - n - 1).fill_(1e9);
  }
  other.inputs[0][2].fill_(std::numeric_limits<float>::quiet_NaN());
  for (const bool ragged : {false, true}) {
    LstmPass pass(model, at::kCPU, 1, 4, kWidth, ragged);
    const Passed a = ByPass(pass, params, batch);
    const Passed b = ByPass(pass, params, other);
    EXPECT_TRUE(a.gradient.equal(b.gradient));
    EXPECT_TRUE(a.losses.equal(b.losses));
  }
}

TEST(LstmPassTest, ARowThatIsNoSequenceMakesItsLaneNotFinite) {
  at::manual_seed(8);
  const Lstm model(SmallLstm(1, false));
  const Batch good = RandomSequences(model.shape(), {{2, 4}}, kWidth);
  const auto spoiled = [&](auto&& spoil) {
    Batch batch = good;
    batch.inputs = good.inputs.clone();
    batch.labels = good.labels.clone();
    spoil(batch);
    return batch;
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Batch& batch :
       {spoiled([&](Batch& b) { b.inputs[0][0][0][1] = nan; }),
        spoiled([&](Batch& b) { b.inputs[0][0][0][2] = 9; }),
        spoiled([&](Batch& b) { b.inputs[0][0][0][0] = -1; }),
        spoiled([&](Batch& b) { b.labels[0][1] = 0; }),
        spoiled([&](Batch& b) { b.labels[0][1] = kWidth; })}) {
    for (const at::Device& device : Devices()) {
      for (const bool ragged : {false, true}) {
        if (ragged && !device.is_cpu()) continue;
        LstmPass pass(model, device, 1, 2, kWidth, ragged);
        const Passed passed =
            ByPass(pass, RandomLanes(model, 1).to(device), batch);
        EXPECT_FALSE(passed.gradient.isfinite().all().item<bool>());
        EXPECT_FALSE(passed.losses.isfinite().all().item<bool>());
      }
    }
  }
}

TEST(LstmLossTest, LearnsALanguageOfTwoSentences) {
  // begin 4 5 6 end, or begin 7 6 5 4 end: only the first symbol is a guess,
  // ln 2 of 4 and of 5 predictions.
  const Lstm model({.symbols = 8,
                    .embedding = 6,
                    .hidden = 16,
                    .projection = 6,
                    .tied = true,
                    .begin = 2,
                    .end = 3});
  Batch batch;
  batch.inputs = at::tensor({2.f, 4.f, 5.f, 6.f, 3.f, 0.f,  //
                             2.f, 7.f, 6.f, 5.f, 4.f, 3.f})
                     .view({1, 2, 1, 6, 1});
  batch.labels = at::tensor({4, 5}, at::kLong).view({1, 2});
  batch.weights = at::full({1, 2}, 0.5);
  at::Tensor params = model.Initial(1);
  LstmLoss loss(model, at::kCPU, 1, 2, 6);
  const at::Tensor losses = at::zeros({1});
  for (int i = 0; i < 601; ++i) {
    losses.zero_();
    loss.AddGradient(params, batch,
                     {.target = params, .scale = -1, .losses = losses});
  }
  EXPECT_NEAR(losses[0].item<double>(), 2 * std::log(2.0) / 9, 0.01);
}

TEST(JudgeSequencesTest, LikelihoodsAreThoseOfThePlainModel) {
  at::manual_seed(9);
  for (const at::Device& device : Devices()) {
    const Lstm model(SmallLstm(2, false));
    const at::Tensor params = RandomLanes(model, 3);
    Batch batch = RandomSequences(model.shape(), Lengths(3), kWidth);
    batch.labels[0][2] = 3;
    batch.inputs[2][1][0][2] = 99;
    const SequencesJudged judged =
        JudgeSequences(model, params.to(device), batch.inputs.to(device),
                       batch.labels.to(device));
    for (std::int64_t lane = 0; lane < 3; ++lane) {
      for (std::int64_t row = 0; row < 4; ++row) {
        const double found = judged.log_likelihood[lane][row].item<double>();
        const auto count = judged.predictions[lane][row].item<std::int64_t>();
        if (lane == 2 && row == 1) {
          EXPECT_TRUE(std::isnan(found));
          EXPECT_EQ(count, 0);
          continue;
        }
        const std::int64_t n = batch.labels[lane][row].item<std::int64_t>();
        EXPECT_EQ(count, n);
        EXPECT_NEAR(found,
                    PlainScores(model, PlainTensors(model, params[lane]),
                                batch.inputs[lane][row].flatten(), n)
                        .sum()
                        .item<double>(),
                    1e-5);
      }
    }
  }
}

TEST(JudgeSequencesTest, CountsTheGuessesThatCame) {
  // All weights 0: every guess is the symbol of the largest output bias, 5.
  const Lstm model(SmallLstm(1, false));
  const at::Tensor params = at::zeros({1, model.layout().size()});
  model.layout().View(params, model.output_bias())[0][5] = std::log(2.0);
  const at::Tensor inputs =
      at::tensor({2.f, 5.f, 5.f, 1.f, 5.f, 3.f}).view({1, 1, 1, 6, 1});
  const SequencesJudged judged =
      JudgeSequences(model, params, inputs, at::full({1, 1}, 4, at::kLong));
  EXPECT_EQ(judged.right.item<std::int64_t>(), 3);
  // Symbol 5 has 2 of 10 parts, each other one.
  EXPECT_NEAR(judged.log_likelihood.item<double>(),
              3 * std::log(0.2) + std::log(0.1), 1e-6);
}

}  // namespace
}  // namespace sfumato::models
