// The device and thread count a run trains with.

#pragma once

#include <ATen/ATen.h>

#include <string>

#include "config/train_config.h"

namespace sfumato::train {

struct Device {
  at::Device torch = at::kCPU;
  std::string name = "";
  int threads = 1;

  std::string Text() const;  // "cpu, 2 threads"
};

// Throws Unavailable if the machine does not have the config's device. Kernels
// of the calling thread are single-threaded from then on.
Device DeviceFor(const config::DeviceConfig& config);

// Resident memory of this process.
double ResidentBytes();

}  // namespace sfumato::train
