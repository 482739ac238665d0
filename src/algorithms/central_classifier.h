// A classifier trained in one place, on data that may be there: the primary
// model of an inspection, on public or generated examples.
//
//   at::Tensor params = TrainCentrally(model, examples, {.epochs = 3});
//
// Adam over shuffled batches. On CPUs a batch is shared by the threads, and its
// gradient is the sum of theirs in a fixed order: the same threads, the same
// bits.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>

#include "models/adam.h"
#include "models/batch.h"
#include "models/stack.h"

namespace sfumato::algorithms {

struct CentralOptions {
  std::int64_t epochs = 3;
  std::int64_t batch_size = 32;
  models::AdamOptions adam = {};
  std::uint64_t seed = 1;
  at::Device device = at::kCPU;
  int threads = 1;  // on CPUs
  std::function<void(std::int64_t steps)> progress = {};
};

// How many steps it takes.
std::int64_t CentralSteps(const models::Examples& examples,
                          const CentralOptions& options);

// [1, size]. Throws BadInput without examples.
at::Tensor TrainCentrally(const models::Stack& model,
                          const models::Examples& examples,
                          const CentralOptions& options);

}  // namespace sfumato::algorithms
