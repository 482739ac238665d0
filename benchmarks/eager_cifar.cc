#include "eager_cifar.h"

#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "table.h"
#include "torch_settings.h"

namespace sfumato {
namespace {

using at::Tensor;

constexpr int kUsers = 1000;
constexpr int kExamples = 50;
constexpr int kCohort = 50;
constexpr int kBatch = 10;
constexpr double kLearningRate = 0.1;
constexpr double kClipNorm = 0.4;
constexpr double kNoiseStddev = 0.0143;

struct Cnn {
  Tensor conv1, bias1;   // [32, 3, 3, 3]
  Tensor conv2, bias2;   // [64, 32, 3, 3]
  Tensor dense1, bias3;  // [128, 12544]
  Tensor dense2, bias4;  // [10, 128]

  std::vector<Tensor> Parameters() const {
    return {conv1, bias1, conv2, bias2, dense1, bias3, dense2, bias4};
  }

  // [batch, 3, 32, 32] to logits [batch, 10], with dropout.
  Tensor Logits(const Tensor& images) const {
    Tensor x = at::relu(at::conv2d(images, conv1, bias1));
    x = at::relu(at::conv2d(x, conv2, bias2));
    x = at::dropout(at::max_pool2d(x, 2), 0.25, /*train=*/true);
    x = at::relu(at::linear(x.flatten(1), dense1, bias3));
    x = at::dropout(x, 0.5, /*train=*/true);
    return at::linear(x, dense2, bias4);
  }
};

// Uniform, as torch.nn begins its layers.
Tensor Weights(at::IntArrayRef shape, std::int64_t fan_in, at::Device device) {
  const double bound = 1 / std::sqrt(static_cast<double>(fan_in));
  return ((at::rand(shape, at::device(device)) * 2 - 1) * bound)
      .requires_grad_(true);
}

Cnn NewCnn(at::Device device) {
  return {.conv1 = Weights({32, 3, 3, 3}, 27, device),
          .bias1 = Weights({32}, 27, device),
          .conv2 = Weights({64, 32, 3, 3}, 288, device),
          .bias2 = Weights({64}, 288, device),
          .dense1 = Weights({128, 12544}, 12544, device),
          .bias3 = Weights({128}, 12544, device),
          .dense2 = Weights({10, 128}, 128, device),
          .bias4 = Weights({10}, 128, device)};
}

struct Users {
  Tensor images;  // [user, example, 3, 32, 32]
  Tensor labels;  // [user, example]
};

Users RandomUsers(at::Device device) {
  return {
      .images = at::rand({kUsers, kExamples, 3, 32, 32}, at::device(device)),
      .labels = at::randint(10, {kUsers, kExamples},
                            at::device(device).dtype(at::kLong))};
}

// One epoch of `params` on one user.
void TrainUser(const Cnn& cnn, const std::vector<Tensor>& params,
               const Tensor& images, const Tensor& labels) {
  for (int begin = 0; begin < kExamples; begin += kBatch) {
    at::cross_entropy_loss(cnn.Logits(images.narrow(0, begin, kBatch)),
                           labels.narrow(0, begin, kBatch))
        .backward();
    const at::NoGradGuard off;
    for (Tensor p : params) {
      p.sub_(p.grad(), kLearningRate);
      p.mutable_grad().reset();
    }
  }
}

void Clip(const std::vector<Tensor>& update) {
  std::vector<Tensor> norms;
  for (const Tensor& u : update) norms.push_back(u.norm());
  const Tensor scale = (kClipNorm / at::stack(norms).norm()).clamp_max(1);
  for (Tensor u : update) u.mul_(scale);
}

// `server` has the parameters between rounds.
void TrainRound(const Cnn& cnn, const std::vector<Tensor>& server,
                const Users& users, bool is_private) {
  const std::vector<Tensor> params = cnn.Parameters();
  const Tensor chosen = at::randperm(kUsers, at::kLong);
  std::vector<Tensor> total;
  for (const Tensor& s : server) total.push_back(at::zeros_like(s));
  for (int k = 0; k < kCohort; ++k) {
    {
      const at::NoGradGuard off;
      for (std::size_t i = 0; i < params.size(); ++i) {
        params[i].copy_(server[i]);
      }
    }
    const std::int64_t user = chosen[k].item<std::int64_t>();
    TrainUser(cnn, params, users.images[user], users.labels[user]);
    const at::NoGradGuard off;
    std::vector<Tensor> update;
    for (std::size_t i = 0; i < params.size(); ++i) {
      update.push_back(params[i] - server[i]);
    }
    if (is_private) Clip(update);
    for (std::size_t i = 0; i < total.size(); ++i) total[i].add_(update[i]);
  }
  for (std::size_t i = 0; i < total.size(); ++i) {
    if (is_private) total[i].add_(at::randn_like(total[i]), kNoiseStddev);
    Tensor(server[i]).add_(total[i], 1.0 / kCohort);
  }
}

}  // namespace

double EagerCifarSeconds(const EagerCifarOptions& options) {
  const TorchSettings settings(options.threads);
  const Cnn cnn = NewCnn(options.device);
  const Users users = RandomUsers(options.device);
  std::vector<Tensor> server;
  for (const Tensor& p : cnn.Parameters()) server.push_back(p.detach().clone());

  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round <= options.rounds; ++round) {
    const double seconds = Seconds([&] {
      TrainRound(cnn, server, users, options.is_private);
      // Reading a number waits for the device.
      TORCH_CHECK(std::isfinite(server.back().sum().item<double>()));
    });
    if (round > 0) best = std::min(best, seconds);
  }
  return best;
}

}  // namespace sfumato
