// Where a run trains: the device and how much of the machine.

#pragma once

#include <ATen/ATen.h>

#include <string>

#include "config/train_config.h"

namespace sfumato::train {

// Where a run trains.
struct Device {
  at::Device torch = at::kCPU;
  std::string name = "";
  int threads = 1;

  std::string Text() const;  // "cpu, 2 threads"
};

// Throws Unavailable when the config asks for a device that is not here.
// Kernels of the calling thread are single-threaded from here on.
Device DeviceFor(const config::DeviceConfig& config);

// Of this process, now.
double ResidentBytes();

}  // namespace sfumato::train
