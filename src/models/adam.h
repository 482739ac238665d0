// Adam, for what is trained in one place: a generator on the server, a
// classifier on public data.
//
//   Adam adam({.learning_rate = 2e-4, .beta1 = 0.5}, params);
//   adam.Step(params, gradient);          // [1, size], in place
//
// Source: Kingma and Ba 2015, with its correction of the first steps. All state
// is in tensors, so that a step can be recorded as a CUDA graph.

#pragma once

#include <ATen/ATen.h>

#include <string>

#include "base/safetensors.h"
#include "params/layout.h"

namespace sfumato::models {

struct AdamOptions {
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
};

class Adam {
 public:
  Adam(const AdamOptions& options, const at::Tensor& params);

  void Step(const at::Tensor& params, const at::Tensor& gradient);
  void SetLearningRate(double rate) { options_.learning_rate = rate; }

  // Under "prefix/first", "prefix/second" and "prefix/powers". Restore throws
  // Corrupt when they are not there.
  params::NamedTensors State(const std::string& prefix) const;
  void Restore(const base::SafetensorsFile& file, const std::string& prefix);

 private:
  AdamOptions options_;
  at::Tensor first_;   // [1, size]
  at::Tensor second_;  // [1, size]
  at::Tensor powers_;  // [2]: beta1 and beta2 to the number of steps
};

}  // namespace sfumato::models
