// What this machine does, measured, in the part that needs Torch.

#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "config/train_config.h"

namespace sfumato::bench {

struct BenchJob {
  // all; critic, cifar, cohort, population, memory; of lm: word, char, draw
  std::string figure = "all";
  config::DeviceConfig device = {};
  bool quick = false;  // fewer repetitions
  int steps = 0;  // of lm: that the model drawn from trains; 0: chosen here
};

// One measured figure; in the races of benchmarks/ beside a rival, which was
// measured in the same run.
struct BenchRow {
  std::string figure;
  double ours = 0;
  std::string unit;
  double rival = 0;  // 0: none
  std::string rival_name = "";
  double ratio = 0;  // how many times faster; of scaling rows: cost growth
};

// Calls `row` for each figure as it is measured.
extern "C" void SfumatoBench(const BenchJob* job,
                             const std::function<void(const BenchRow&)>* row);

}  // namespace sfumato::bench
