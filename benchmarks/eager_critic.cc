#include "eager_critic.h"

#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <vector>

#include "table.h"
#include "torch_settings.h"

namespace sfumato {
namespace {

using at::Tensor;

constexpr int kStepsPerClient = 6;
constexpr int kBatch = 32;
constexpr double kLearningRate = 5e-4;
constexpr double kPenalty = 10;
constexpr double kSlope = 0.01;

struct Critic {
  Tensor conv1, bias1;   // [64, 1, 4, 4]
  Tensor conv2, bias2;   // [128, 64, 4, 4]
  Tensor dense1;         // [1024, 6272]
  Tensor dense2, bias3;  // [1, 1024]

  std::vector<Tensor> Parameters() const {
    return {conv1, bias1, conv2, bias2, dense1, dense2, bias3};
  }

  // [batch, 1, 28, 28] to [batch, 1].
  Tensor Judge(const Tensor& images) const {
    Tensor x = at::leaky_relu(at::conv2d(images, conv1, bias1, 2, 1), kSlope);
    x = at::leaky_relu(at::conv2d(x, conv2, bias2, 2, 1), kSlope);
    x = at::leaky_relu(at::linear(x.flatten(1), dense1), kSlope);
    return at::linear(x, dense2, bias3);
  }
};

// Uniform with the spread of Glorot and Bengio.
Tensor Weights(at::IntArrayRef shape, at::Device device) {
  const Tensor w = at::rand(shape, at::device(device)) * 2 - 1;
  const double fan =
      static_cast<double>(w[0].numel()) +
      static_cast<double>(w.numel()) / static_cast<double>(shape[1]);
  return (w * std::sqrt(6 / fan)).requires_grad_(true);
}

Tensor Bias(std::int64_t size, at::Device device) {
  return at::zeros({size}, at::device(device)).requires_grad_(true);
}

Critic NewCritic(at::Device device) {
  return {.conv1 = Weights({64, 1, 4, 4}, device),
          .bias1 = Bias(64, device),
          .conv2 = Weights({128, 64, 4, 4}, device),
          .bias2 = Bias(128, device),
          .dense1 = Weights({1024, 6272}, device),
          .dense2 = Weights({1, 1024}, device),
          .bias3 = Bias(1, device)};
}

struct Images {
  Tensor real, fake;  // [step, batch, 1, 28, 28]
  Tensor mix;         // [step, batch, 1, 1, 1]
};

Images RandomImages(at::Device device) {
  const auto pixels = [&] {
    return at::rand({kStepsPerClient, kBatch, 1, 28, 28}, at::device(device)) *
               2 -
           1;
  };
  return {
      .real = pixels(),
      .fake = pixels(),
      .mix = at::rand({kStepsPerClient, kBatch, 1, 1, 1}, at::device(device))};
}

Tensor Loss(const Critic& critic, const Tensor& real, const Tensor& fake,
            const Tensor& mix) {
  const Tensor between = (real + mix * (fake - real)).requires_grad_(true);
  const Tensor slope = torch::autograd::grad(
      {critic.Judge(between).sum()}, {between}, /*grad_outputs=*/{},
      /*retain_graph=*/true, /*create_graph=*/true)[0];
  const Tensor norm = (slope.flatten(1).square().sum(1) + 1e-10).sqrt();
  return critic.Judge(fake).mean() - critic.Judge(real).mean() +
         kPenalty * (norm - 1).square().mean();
}

void Descend(const std::vector<Tensor>& params) {
  const at::NoGradGuard off;
  for (Tensor p : params) {
    p.sub_(p.grad(), kLearningRate);
    p.mutable_grad().reset();
  }
}

void CopyTo(const std::vector<Tensor>& params,
            const std::vector<Tensor>& from) {
  const at::NoGradGuard off;
  for (std::size_t i = 0; i < params.size(); ++i) params[i].copy_(from[i]);
}

std::vector<Tensor> Clones(const std::vector<Tensor>& params) {
  std::vector<Tensor> clones;
  for (const Tensor& p : params) clones.push_back(p.detach().clone());
  return clones;
}

}  // namespace

double EagerCriticSeconds(at::Device device, int threads, int steps) {
  const TorchSettings settings(threads);
  const Critic critic = NewCritic(device);
  const Images images = RandomImages(device);
  const std::vector<Tensor> params = critic.Parameters();
  const std::vector<Tensor> server = Clones(params);

  const auto train = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const int step = i % kStepsPerClient;
      if (step == 0) CopyTo(params, server);
      Loss(critic, images.real[step], images.fake[step], images.mix[step])
          .backward();
      Descend(params);
    }
    // Reading a number waits for the device.
    TORCH_CHECK(std::isfinite(critic.dense2.sum().item<double>()));
  };
  train(kStepsPerClient);
  return Seconds([&] { train(steps); }) / steps;
}

}  // namespace sfumato
