#include "fed/server_optimizer.h"

#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/parallel.h"
#include "fmt/format.h"

namespace sfumato::fed {
namespace {

void Require(bool right, double value, const char* name, const char* todo) {
  if (!right) {
    throw BadInput(fmt::format("the server's {} is {}", name, value), name,
                   todo);
  }
}

void Check(const ServerOptions& o) {
  Require(o.learning_rate > 0 && std::isfinite(o.learning_rate),
          o.learning_rate, "learning_rate", "give a finite number above 0");
  Require(o.momentum >= 0 && o.momentum < 1, o.momentum, "momentum",
          "give a number from 0 up to, not including, 1");
  Require(o.beta2 >= 0 && o.beta2 < 1, o.beta2, "beta2",
          "give a number from 0 up to, not including, 1");
  Require(o.epsilon > 0 && std::isfinite(o.epsilon), o.epsilon, "epsilon",
          "give a finite number above 0, such as 0.001");
}

void Read(const base::SafetensorsFile& file, const std::string& name,
          const at::Tensor& to) {
  const std::span<const float> values = file.Get<float>(name);
  if (static_cast<std::int64_t>(values.size()) != to.numel()) {
    throw Corrupt(
        fmt::format("tensor '{}' has {} numbers where {} were expected", name,
                    values.size(), to.numel()),
        "checkpoint", "use the checkpoint with the config of its own run");
  }
  std::memcpy(to.data_ptr<float>(), values.data(), values.size_bytes());
}

}  // namespace

ServerOptimizer::ServerOptimizer(const ServerOptions& options,
                                 std::int64_t size)
    : options_(options), size_(size) {
  Check(options);
  if (has_first()) first_ = at::zeros({size});
  if (has_second()) {
    second_ = at::full({size}, options.epsilon * options.epsilon);
  }
}

void ServerOptimizer::Step(const at::Tensor& params,
                           std::span<const float> mean) {
  TORCH_CHECK(params.is_contiguous() && params.numel() == size_ &&
              mean.size() == static_cast<std::size_t>(size_));
  const auto a = static_cast<float>(options_.learning_rate);
  const auto m = static_cast<float>(options_.momentum);
  const auto b = static_cast<float>(options_.beta2);
  const auto e = static_cast<float>(options_.epsilon);
  auto* x = params.data_ptr<float>();
  float* u = has_first() ? first_.data_ptr<float>() : nullptr;
  float* v = has_second() ? second_.data_ptr<float>() : nullptr;
  const auto each = [&](auto&& step) {
    base::ForEachPart(mean.size(), [&](const base::Part& part) {
      for (std::size_t i = part.begin; i < part.end; ++i) step(i, mean[i]);
    });
  };
  switch (options_.kind) {
    case ServerKind::kSgd:
      return each([&](std::size_t i, float d) { x[i] += a * d; });
    case ServerKind::kMomentum:
      return each([&](std::size_t i, float d) {
        u[i] = m * u[i] + d;
        x[i] += a * u[i];
      });
    case ServerKind::kNesterov:
      return each([&](std::size_t i, float d) {
        u[i] = m * u[i] + d;
        x[i] += a * (m * u[i] + d);
      });
    case ServerKind::kAdam:
      return each([&](std::size_t i, float d) {
        u[i] = m * u[i] + (1 - m) * d;
        v[i] = b * v[i] + (1 - b) * d * d;
        x[i] += a * u[i] / (std::sqrt(v[i]) + e);
      });
    case ServerKind::kYogi:
      return each([&](std::size_t i, float d) {
        u[i] = m * u[i] + (1 - m) * d;
        const float change = (1 - b) * d * d;
        // v never falls below 0: where d² < v it loses less than itself.
        v[i] += v[i] > d * d ? -change : v[i] < d * d ? change : 0;
        x[i] += a * u[i] / (std::sqrt(v[i]) + e);
      });
  }
}

params::NamedTensors ServerOptimizer::State(const std::string& prefix) const {
  params::NamedTensors state;
  if (has_first()) state.emplace_back(prefix + "/first", first_.clone());
  if (has_second()) state.emplace_back(prefix + "/second", second_.clone());
  return state;
}

void ServerOptimizer::Restore(const base::SafetensorsFile& file,
                              const std::string& prefix) {
  if (has_first()) Read(file, prefix + "/first", first_);
  if (has_second()) Read(file, prefix + "/second", second_);
}

}  // namespace sfumato::fed
