// What LibTorch finds on this machine; filled by the Torch part for `doctor`.

#pragma once

#include <string>
#include <vector>

namespace sfumato::train {

struct CudaDevice {
  std::string name;
  double memory_gib = 0;
  double tflops_tf32 = 0;  // measured matrix product, 8192³
};

struct TorchFacts {
  std::string version;
  std::string blas;             // the library that multiplies matrices
  bool reference_blas = false;  // the slow one: fifty times slower
  int threads = 0;
  double cpu_gflops = 0;  // measured float32 matrix product, 1024³
  std::vector<CudaDevice> cuda;
};

// Measures for about `seconds`.
extern "C" void SfumatoTorchFacts(double seconds, TorchFacts* facts);

}  // namespace sfumato::train
