// What the server makes of a released mean.
//
//   ServerOptimizer server({.kind = ServerKind::kNesterov, .momentum = 0.99},
//                          layout.size());
//   server.Step(params, mean.value());     // moves params along the mean
//
// The mean of the updates is a direction to go, not a gradient to go against.
// With d the mean, x the parameters and a the learning rate:
//
//   sgd       x += a d
//   momentum  v = m v + d;  x += a v
//   nesterov  v = m v + d;  x += a (m v + d)
//   adam      u = m u + (1-m) d;  v = b v + (1-b) d²;  x += a u / (√v + e)
//   yogi      the same with v = v - (1-b) d² sign(v - d²)
//
// Adam and Yogi start from v = e² and correct no bias, as in Algorithm 2 of
// Reddi et al. 2021, "Adaptive Federated Optimization". Everything is computed
// from released values alone, so it costs no privacy.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/safetensors.h"
#include "params/layout.h"

namespace sfumato::fed {

enum class ServerKind { kSgd, kMomentum, kNesterov, kAdam, kYogi };

struct ServerOptions {
  ServerKind kind = ServerKind::kSgd;
  double learning_rate = 1;
  double momentum = 0.9;  // m; beta1 of adam and yogi
  double beta2 = 0.99;    // b
  double epsilon = 1e-3;  // e
};

class ServerOptimizer {
 public:
  // Throws BadInput for numbers that cannot be.
  ServerOptimizer(const ServerOptions& options, std::int64_t size);

  // Moves `params` (size floats on the CPU) by `mean`.
  void Step(const at::Tensor& params, std::span<const float> mean);

  // The moments under "prefix/first" and "prefix/second", as far as the kind
  // has them. Restore throws Corrupt when they are not there.
  params::NamedTensors State(const std::string& prefix) const;
  void Restore(const base::SafetensorsFile& file, const std::string& prefix);

 private:
  bool has_first() const { return options_.kind != ServerKind::kSgd; }
  bool has_second() const {
    return options_.kind == ServerKind::kAdam ||
           options_.kind == ServerKind::kYogi;
  }

  ServerOptions options_;
  std::int64_t size_;
  at::Tensor first_;   // [size]: velocity, or mean of the means
  at::Tensor second_;  // [size]: of their squares
};

}  // namespace sfumato::fed
