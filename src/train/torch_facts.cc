#include "train/torch_facts.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <torch/csrc/autograd/generated/variable_factories.h>
#include <torch/version.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "base/interrupt.h"
#include "fmt/format.h"

#if SFUMATO_HAS_CUDA
#include <ATen/cuda/CUDAContext.h>
#endif

namespace sfumato::train {
namespace {

constexpr const char* kReferenceBlas = "reference BLAS";
using Clock = std::chrono::steady_clock;

double Since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Floating-point operations a second of size³ matrix products on `device`,
// repeated for about `seconds`. `wait` returns when the device is done.
template <typename Wait>
double MatrixSpeed(int size, at::Device device, double seconds, Wait wait) {
  const at::NoGradGuard no_grad;
  const auto options = at::TensorOptions().device(device);
  const at::Tensor a = at::rand({size, size}, options);
  const at::Tensor b = at::rand({size, size}, options);
  at::Tensor c = at::mm(a, b);
  wait();
  int products = 0;
  const auto start = Clock::now();
  do {
    base::CheckInterrupted();
    at::mm_out(c, a, b);
    wait();
    ++products;
  } while (Since(start) < seconds);
  return 2.0 * size * size * size * products / Since(start);
}

// The file that holds the function at `address`.
std::string FileOf(const void* address) {
  Dl_info info;
  if (dladdr(address, &info) == 0) return "";
  std::error_code ignored;
  return std::filesystem::canonical(info.dli_fname, ignored).string();
}

// "OpenBLAS, SkylakeX": which of its kernels it chose for this processor.
std::string WithKernels(void* library, const char* name) {
  const auto kernels = reinterpret_cast<char* (*)()>(
      library ? dlsym(library, "openblas_get_corename") : nullptr);
  return kernels ? fmt::format("{}, {}", name, kernels()) : name;
}

// The library whose matrix product LibTorch calls. More than one may be loaded
// (LAPACK can bring another), so the answer is where LibTorch's own search for
// the function ends.
std::string BlasName() {
  const std::string torch =
      FileOf(reinterpret_cast<const void*>(&at::get_num_threads));
  void* const library = dlopen(torch.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  const void* product = library ? dlsym(library, "sgemm_") : nullptr;
  const std::string path = product ? FileOf(product) : torch;
  const std::string openblas = WithKernels(library, "OpenBLAS");
  if (library != nullptr) dlclose(library);
  for (const auto& [part, name] : {std::pair{"openblas", openblas.c_str()},
                                   {"mkl", "MKL"},
                                   {"blis", "BLIS"},
                                   {"atlas", "ATLAS"},
                                   {"libblas.so", kReferenceBlas}}) {
    if (path.find(part) != std::string::npos) return name;
  }
  return at::hasMKL() ? "MKL (inside LibTorch)" : "inside LibTorch";
}

void MeasureCuda([[maybe_unused]] double seconds,
                 [[maybe_unused]] TorchFacts* facts) {
#if SFUMATO_HAS_CUDA
  at::globalContext().setAllowTF32CuBLAS(true);
  for (int i = 0; i < at::cuda::device_count(); ++i) {
    const auto* properties = at::cuda::getDeviceProperties(i);
    const double flops =
        MatrixSpeed(8192, at::Device(at::kCUDA, i), seconds,
                    [] { AT_CUDA_CHECK(cudaDeviceSynchronize()); });
    facts->cuda.push_back(
        {properties->name,
         static_cast<double>(properties->totalGlobalMem) / (1ull << 30),
         flops / 1e12});
  }
#endif
}

}  // namespace

extern "C" void SfumatoTorchFacts(double seconds, TorchFacts* facts) {
  facts->version = TORCH_VERSION;
  // LibTorch 1.13 sees a single core in some virtual machines.
  if (std::getenv("OMP_NUM_THREADS") == nullptr) {
    at::set_num_threads(static_cast<int>(std::thread::hardware_concurrency()));
  }
  facts->threads = at::get_num_threads();
  facts->cpu_gflops = MatrixSpeed(1024, at::kCPU, seconds, [] {}) / 1e9;
  facts->blas = BlasName();
  facts->reference_blas = facts->blas == kReferenceBlas;
  MeasureCuda(seconds, facts);
}

}  // namespace sfumato::train
