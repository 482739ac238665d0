#include "models/critic_step.h"

#include <gtest/gtest.h>

#include "models/classifier.h"
#include "models/model_testing.h"

namespace sfumato::models {
namespace {

std::vector<Stack> Critics() {
  const auto leaky = Relu{.slope = 0.1};
  return {
      Stack({.channels = 5}, {Dense{.outputs = 1}}),
      Stack({.channels = 5}, {Dense{.outputs = 8}, leaky, Dense{.outputs = 6},
                              Relu{}, Dense{.outputs = 1}}),
      Stack({9, 8, 2}, {Conv{.channels = 4, .kernel = 3, .bias = false}, leaky,
                        Conv{.channels = 3,
                             .kernel = 4,
                             .stride = 2,
                             .pad_before = 1,
                             .pad_after = 2},
                        leaky, Dense{.outputs = 1}}),
      WganCritic({12, 12, 1}),
  };
}

// The loss as its definition says, through autograd twice, in double precision.
struct Reference {
  at::Tensor gradient;
  at::Tensor losses;
};
Reference ByAutograd(const Stack& critic, const at::Tensor& params,
                     const at::Tensor& real, const at::Tensor& fake,
                     const at::Tensor& mix, const at::Tensor& weights) {
  const std::vector<at::Tensor> leaves = Leaves(critic, params);
  const at::Tensor x = real.to(at::kDouble);
  const at::Tensor g = fake.to(at::kDouble);
  const at::Tensor a =
      mix.to(at::kDouble).view({mix.size(0), mix.size(1), 1, 1, 1});
  const at::Tensor between = (x + a * (g - x)).requires_grad_();
  const at::Tensor slopes = torch::autograd::grad(
      {critic.Forward(leaves, between).sum()}, {between}, {},
      /*retain_graph=*/true, /*create_graph=*/true)[0];
  const at::Tensor norms = (slopes.pow(2).flatten(2).sum(2) + 1e-10).sqrt();
  const at::Tensor rows = critic.Forward(leaves, g).squeeze(-1) -
                          critic.Forward(leaves, x).squeeze(-1) +
                          10 * (norms - 1).pow(2);
  const at::Tensor losses = (rows * weights.to(at::kDouble)).sum(1);
  std::vector<at::Tensor> gradients = torch::autograd::grad(
      {losses.sum()}, leaves, {}, false, false, /*allow_unused=*/true);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (!gradients[i].defined()) gradients[i] = at::zeros_like(leaves[i]);
  }
  return {Flat(gradients), losses.detach()};
}

TEST(CriticStepTest, TheGradientIsThatOfAutogradTwice) {
  at::manual_seed(5);
  constexpr std::int64_t kLanes = 3;
  constexpr std::int64_t kRows = 4;
  for (const at::Device& device : Devices()) {
    for (const Stack& critic : Critics()) {
      const at::Tensor params = RandomParams(critic, kLanes, 9);
      const at::Tensor real = RandomImages(critic, kLanes, kRows);
      const at::Tensor fake = RandomImages(critic, kLanes, kRows);
      const at::Tensor mix = at::rand({kLanes, kRows});
      at::Tensor weights = at::full({kLanes, kRows}, 0.25);
      weights[1] = at::tensor({0.5f, 0.5f, 0.f, 0.f});
      weights[2].zero_();
      const Reference expected =
          ByAutograd(critic, params, real, fake, mix, weights);

      CriticStep step(critic, device, kLanes + 1, kRows + 1, {});
      const at::Tensor there = params.to(device);
      at::Tensor gradient = at::zeros(params.sizes(), device);
      step.Begin();
      step.AddGradient(there, real.to(device), fake.to(device), mix.to(device),
                       weights.to(device), gradient, 1);
      const std::string what = std::to_string(critic.layout().size()) +
                               " parameters on " + device.str();
      EXPECT_LT(Apart(gradient, expected.gradient), 2e-5) << what;
      EXPECT_LT(Apart(step.losses().narrow(0, 0, kLanes), expected.losses),
                2e-5)
          << what;
      EXPECT_EQ(gradient[2].abs().max().item<float>(), 0) << what;

      // A step is the same, taken at once.
      const at::Tensor moved = there.clone();
      step.Step(moved, real.to(device), fake.to(device), mix.to(device),
                weights.to(device));
      EXPECT_LT(Apart(there - moved, 5e-4 * expected.gradient), 2e-3) << what;
    }
  }
}

TEST(CriticStepTest, SuitsPiecewiseLinearCriticsOnly) {
  EXPECT_TRUE(CriticStep::Suits(WganCritic({28, 28, 1})));
  EXPECT_FALSE(CriticStep::Suits(
      ClassifierNamed("emnist_cnn", {28, 28, 1}, 36)));  // pools
  EXPECT_FALSE(CriticStep::Suits(
      Stack({.channels = 5}, {Dense{.outputs = 2}})));  // two outputs
  EXPECT_FALSE(
      CriticStep::Suits(Stack({.channels = 5}, {Dense{.outputs = 1}, Relu{}})));
  EXPECT_FALSE(CriticStep::Suits(Stack(
      {.channels = 5}, {Dense{.outputs = 3}, Dropout{}, Dense{.outputs = 1}})));
}

TEST(CriticStepTest, L2PullsEveryNumberOfALaneThatTrains) {
  const Stack critic({.channels = 3}, {Dense{.outputs = 1}});
  CriticStep step(critic, at::kCPU, 2, 1,
                  {.learning_rate = 0.5, .penalty = 0, .l2 = 0.1});
  const at::Tensor before =
      at::tensor({1.f, -2.f, 4.f, 8.f}).view({1, 4}).repeat({2, 1});
  const at::Tensor params = before.clone();
  const at::Tensor none = at::zeros({2, 1, 1, 1, 3});
  step.Step(params, none, none, at::zeros({2, 1}),
            at::tensor({1.f, 0.f}).view({2, 1}));
  // w - 0.5 · 2 · 0.1 · w; real and drawn images are alike and pull nowhere.
  const at::Tensor expected = at::tensor({0.9f, -1.8f, 3.6f, 7.2f});
  EXPECT_LT(Apart(params[0], expected), 1e-6);
  // A lane that rests stays, however long the others train.
  EXPECT_TRUE(params[1].equal(before[1]));
}

}  // namespace
}  // namespace sfumato::models
