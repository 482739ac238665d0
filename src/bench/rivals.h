// What a benchmark may be raced against, measured in the same process. The
// program has no rivals; those of the project are in benchmarks/races.cc.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/bench.h"
#include "models/lstm.h"
#include "train/device.h"

namespace sfumato::bench {

// One client's sequences; those of other clients cost the same.
struct Text {
  at::Tensor sequences;  // [batch, row, width] int64
  at::Tensor lengths;    // [batch, row] int64: predictions
  double tokens() const { return lengths.sum().item<double>(); }
};

template <typename Measure>
struct Rival {
  std::string name = "";
  std::function<Measure> measure = {};
};

struct Rivals {
  // Client-steps per second of the first paper's critic.
  std::vector<Rival<double(const train::Device&, int steps)>> critic = {};
  // Seconds per round of 50 clients of cifar_cnn.
  std::vector<Rival<double(const train::Device&, int rounds, bool is_private)>>
      cifar = {};
  // Predictions per second of training a language model.
  std::vector<Rival<double(const models::LstmShape&, const Text&,
                           const train::Device&, int clients)>>
      lstm = {};
};

using Report = std::function<void(const BenchRow&)>;

// Calls `row` once for each figure and rival.
void MeasureCohort(const BenchJob& job, const Rivals& rivals,
                   const Report& row);
void MeasureLanguage(const BenchJob& job, const Rivals& rivals,
                     const Report& row);

}  // namespace sfumato::bench
