#include "models/stack_pass.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "models/classifier.h"
#include "models/model_testing.h"

namespace sfumato::models {
namespace {

struct Case {
  const char* name;
  Shape input;
  std::vector<Layer> layers;
};

// Every kind of layer, in the places where it is treated apart: first, last,
// with and without an activation behind it, with a rest at the border.
std::vector<Case> Cases() {
  return {
      {"dense", {.channels = 7}, {Dense{.outputs = 5}}},
      {"leaky",
       {.channels = 7},
       {Dense{.outputs = 6, .bias = false}, Relu{.slope = 0.2},
        Dense{.outputs = 5}}},
      {"convolutions",
       {9, 8, 2},
       {Conv{.channels = 4, .kernel = 3, .pad_before = 1, .pad_after = 1},
        Relu{},
        Conv{.channels = 3,
             .kernel = 4,
             .stride = 2,
             .pad_before = 1,
             .pad_after = 2},
        Dense{.outputs = 4}}},
      {"pool with a rest",
       {9, 11, 3},
       {Conv{.channels = 4, .kernel = 2}, Relu{}, MaxPool{.size = 3},
        Dense{.outputs = 3}}},
      {"pool and activation first",
       {8, 8, 2},
       {MaxPool{}, Relu{.slope = 0.1}, Dense{.outputs = 4}}},
      {"the paper's classifier",
       {28, 28, 1},
       ClassifierNamed("emnist_cnn", {28, 28, 1}, 6).layers()},
  };
}

// Uneven batches: lane 1 has one example less, lane 2 none.
at::Tensor Weights(std::int64_t lanes, std::int64_t rows) {
  at::Tensor weights = at::full({lanes, rows}, 1.0 / static_cast<double>(rows));
  if (lanes > 1) {
    weights[1].fill_(1.0 / static_cast<double>(rows - 1));
    weights[1][rows - 1] = 0;
  }
  if (lanes > 2) weights[2].fill_(0);
  return weights;
}

TEST(StackPassTest, GradientsAreThoseOfAutograd) {
  at::manual_seed(1);
  constexpr std::int64_t kLanes = 3;
  constexpr std::int64_t kRows = 4;
  for (const at::Device& device : Devices()) {
    for (const Case& c : Cases()) {
      const Stack stack(c.input, c.layers);
      const at::Tensor params = RandomParams(stack, kLanes, 3);
      const at::Tensor inputs = RandomImages(stack, kLanes, kRows);
      const at::Tensor labels =
          at::randint(stack.output().size(), {kLanes, kRows},
                      at::TensorOptions().dtype(at::kLong));
      const at::Tensor weights = Weights(kLanes, kRows);

      const std::vector<at::Tensor> leaves = Leaves(stack, params);
      const at::Tensor scores =
          at::log_softmax(stack.Forward(leaves, inputs.to(at::kDouble)), -1);
      const at::Tensor loss =
          -(scores.gather(-1, labels.unsqueeze(-1)).squeeze(-1) * weights);
      const at::Tensor expected =
          Flat(torch::autograd::grad({loss.sum()}, leaves));

      // More room than is used: the buffers are trimmed.
      StackPass pass(stack, device, kLanes + 1, kRows + 2);
      const at::Tensor on_device = params.to(device);
      const at::Tensor logits = pass.Forward(on_device, inputs.to(device));
      at::Tensor losses = at::zeros({kLanes}, device);
      SoftmaxBackward(logits, labels.to(device), weights.to(device),
                      pass.output_gradient(), losses);
      at::Tensor gradient = at::zeros(params.sizes(), device);
      pass.Backward(on_device, gradient, 1);

      EXPECT_LT(Apart(at::log_softmax(logits, -1), scores.detach()), 1e-5)
          << c.name << " on " << device;
      EXPECT_LT(Apart(gradient, expected), 1e-5) << c.name << " on " << device;
      EXPECT_LT(Apart(losses, loss.sum(1).detach()), 1e-5) << c.name;
      EXPECT_EQ(gradient[2].abs().max().item<float>(), 0) << c.name;
    }
  }
}

TEST(DropoutTest, IsAFunctionOfKeyStepAndLayerAlone) {
  const at::Tensor ones = at::ones({2, 8, 500});
  const at::Tensor keys = at::tensor({11L, 12L});
  const auto drop = [&](const at::Tensor& which, std::int64_t step,
                        std::int64_t layer, const at::Device& device) {
    const at::Tensor y = at::ones({which.size(0), 8, 500}, device);
    const at::Tensor kept = at::empty(
        y.sizes(), at::TensorOptions().dtype(at::kByte).device(device));
    DropoutForward(y, which.to(device),
                   {.rate = 0.25, .step = step, .layer = layer}, kept);
    EXPECT_TRUE(kept.to(at::kBool).equal(y.gt(0)));
    return y.to(at::kCPU);
  };
  const at::Tensor both = drop(keys, 3, 1, at::kCPU);
  for (const at::Device& device : Devices()) {
    // A lane alone draws what it drew beside another, on either device.
    EXPECT_TRUE(drop(keys.narrow(0, 1, 1), 3, 1, device)[0].equal(both[1]));
    EXPECT_FALSE(drop(keys, 4, 1, device).equal(both));
    EXPECT_FALSE(drop(keys, 3, 2, device).equal(both));
  }
  EXPECT_FALSE(both[0].equal(both[1]));
  // 8,000 coins of 3/4: six deviations are 0.029 (two false alarms in 10^9).
  EXPECT_NEAR(both.gt(0).to(at::kFloat).mean().item<double>(), 0.75, 0.029);
  EXPECT_FLOAT_EQ(both.max().item<float>(), 4.0f / 3);
}

TEST(DropoutTest, DrawsThePublishedGenerator) {
  // 21 numbers are three blocks of Philox, the last in part.
  const at::Tensor y = at::ones({1, 3, 7});
  const at::Tensor kept = at::empty({1, 3, 7}, at::kByte);
  const std::uint64_t key = 0x123456789abcdef0;
  DropoutForward(y, at::full({1}, static_cast<std::int64_t>(key), at::kLong),
                 {.rate = 0.25, .step = 5, .layer = 3}, kept);
  for (std::uint32_t i = 0; i < 21; ++i) {
    const auto words =
        base::Philox({i / 8, 3, 5, 0}, {static_cast<std::uint32_t>(key),
                                        static_cast<std::uint32_t>(key >> 32)});
    const std::uint32_t bits = words[i % 8 / 2] >> (16 * (i % 2)) & 0xffff;
    EXPECT_EQ(kept.flatten()[i].item<int>(), bits >= 65536 / 4) << i;
  }
}

TEST(DropoutTest, GoesBackThroughWhatWasKept) {
  // With one dropout and no other non-linearity the pass is linear in the
  // first layer's weights, so a difference is exact.
  at::manual_seed(4);
  const Stack stack({.channels = 6},
                    {Dense{.outputs = 40, .bias = false}, Dropout{.rate = 0.5},
                     Dense{.outputs = 1, .bias = false}});
  for (const at::Device& device : Devices()) {
    const at::Tensor params = RandomParams(stack, 2, 1).to(device);
    const at::Tensor inputs = RandomImages(stack, 2, 3).to(device);
    const at::Tensor keys = at::tensor({5L, 6L}).to(device);
    StackPass pass(stack, device, 2, 3);
    const at::Tensor before = pass.Forward(params, inputs, keys, 2).clone();
    pass.output_gradient().fill_(1);
    const at::Tensor gradient = at::zeros(params.sizes(), device);
    pass.Backward(params, gradient, 1);
    at::Tensor direction = at::randn(params.sizes()).to(device);
    stack.layout().View(direction, 1).zero_();
    const at::Tensor after = pass.Forward(params + direction, inputs, keys, 2);
    const at::Tensor change = (after - before).sum({1, 2});
    EXPECT_LT(Apart((gradient * direction).sum(1), change), 1e-4) << device;
  }
}

}  // namespace
}  // namespace sfumato::models
