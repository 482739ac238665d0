#include "train/device.h"

#include <ATen/Parallel.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "base/ascii.h"
#include "base/error.h"
#include "base/worker_pool.h"
#include "fmt/format.h"

#if SFUMATO_HAS_CUDA
#include <ATen/cuda/CUDAContext.h>
#endif

namespace sfumato::train {
namespace {

// The cores that this process may use: a launcher's ranks on one machine share
// them.
int Cores() {
  const char* ranks = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  const int shared =
      ranks == nullptr ? 1 : base::ParseNumber<int>(ranks).value_or(1);
  return std::max(1, base::UsableCores() / std::max(1, shared));
}

// More threads than that are a mistake: each has its own copy of the model.
constexpr std::int64_t kThreadsPerCore = 16;

int ThreadsFor(const config::DeviceConfig& config) {
  const std::int64_t most =
      kThreadsPerCore * std::max<std::int64_t>(4, base::UsableCores());
  if (config.threads > most) {
    throw BadInput(
        fmt::format("{} threads on {} core{}", config.threads,
                    base::UsableCores(), base::UsableCores() == 1 ? "" : "s"),
        "device.threads",
        fmt::format("give at most {}; 0 takes one for each core", most));
  }
  return config.threads > 0 ? static_cast<int>(config.threads) : Cores();
}

}  // namespace

std::string Device::Text() const {
  return torch.is_cpu()
             ? fmt::format("cpu, {} thread{}", threads, threads == 1 ? "" : "s")
             : name;
}

Device DeviceFor(const config::DeviceConfig& config) {
  at::set_num_threads(1);  // clients, not kernels, share the cores
  Device device;
  device.threads = ThreadsFor(config);
#if SFUMATO_HAS_CUDA
  if (config.name != config::DeviceKind::kCpu && at::cuda::is_available()) {
    device.torch = at::Device(at::kCUDA, 0);
    device.name = at::cuda::getDeviceProperties(0)->name;
    at::globalContext().setAllowTF32CuBLAS(config.tf32);
    return device;
  }
#endif
  if (config.name == config::DeviceKind::kCuda) {
    throw Unavailable("no CUDA device", "device.name",
                      "take --device cpu; `sfumato doctor` shows what is here");
  }
  return device;
}

double ResidentBytes() {
  std::ifstream status("/proc/self/statm");
  double total = 0;
  double resident = 0;
  status >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace sfumato::train
