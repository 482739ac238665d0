// How LibTorch is set for a measurement, and back again afterwards.
//
//   const TorchSettings settings(2);  // threads
//
// LibTorch may start with one thread whatever the machine has; on a GPU it may
// round products to TF32 and choose its convolutions by trying them.

#pragma once

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

namespace sfumato {

class TorchSettings {
 public:
  explicit TorchSettings(int threads) {
    at::set_num_threads(threads);
    Set({.products = true, .convolutions = true, .tries = true});
  }
  ~TorchSettings() {
    at::set_num_threads(threads_);
    Set(before_);
  }
  TorchSettings(const TorchSettings&) = delete;
  TorchSettings& operator=(const TorchSettings&) = delete;

 private:
  struct Gpu {
    bool products = false;      // in TF32
    bool convolutions = false;  // in TF32
    bool tries = false;         // cuDNN measures and keeps the fastest
    bool repeats = false;       // the same bits every time
  };
  static Gpu Now() {
    const at::Context& context = at::globalContext();
    return {.products = context.allowTF32CuBLAS(),
            .convolutions = context.allowTF32CuDNN(),
            .tries = context.benchmarkCuDNN(),
            .repeats = context.deterministicCuDNN()};
  }
  static void Set(const Gpu& gpu) {
    at::Context& context = at::globalContext();
    context.setAllowTF32CuBLAS(gpu.products);
    context.setAllowTF32CuDNN(gpu.convolutions);
    context.setBenchmarkCuDNN(gpu.tries);
    context.setDeterministicCuDNN(gpu.repeats);
  }

  int threads_ = at::get_num_threads();
  Gpu before_ = Now();
  at::AutoGradMode recording_{true};
};

}  // namespace sfumato
