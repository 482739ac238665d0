#include "app/torch_part.h"

#include <dlfcn.h>
#include <malloc.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

constexpr const char* kLibrary = "libsfumato_torch.so";

// Every round takes and frees vectors as long as the model; memory that went
// back to the system between would be mapped and cleared page by page again.
void KeepMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, 2000 << 20);
#endif
}

// OpenBLAS 0.3.21 knows processors by their numbers, and gives one of Intel's
// that is newer than itself kernels from before AVX: a fifth of the speed of
// Emerald Rapids. So every Intel processor gets those for what it can do, which
// are the ones that known processors have. Read once, when it is loaded.
void ChooseKernels() {
#ifdef __x86_64__
  if (!__builtin_cpu_is("intel")) return;
  const bool avx512 =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  const bool avx2 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (!avx512 && !avx2) return;
  setenv("OPENBLAS_CORETYPE", avx512 ? "SKYLAKEX" : "HASWELL", /*overwrite=*/0);
#endif
}

void* OpenLibrary() {
  const auto folder =
      std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const auto beside = folder / kLibrary;
  const auto installed = folder.parent_path() / "lib" / kLibrary;
  const auto path = std::filesystem::exists(beside) ? beside : installed;
  // OpenMP's threads would burn the cores between two parallel loops that the
  // clients' threads want; it reads this once, when it is loaded.
  setenv("OMP_WAIT_POLICY", "passive", /*overwrite=*/0);
  ChooseKernels();
  KeepMemory();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw Unavailable(
        fmt::format("the Torch part cannot be opened: {}", dlerror()), kLibrary,
        "build it with LibTorch installed: ./x setup, then ./x build");
  }
  return library;
}

}  // namespace

void* TorchSymbol(const char* name) {
  static void* const library = OpenLibrary();
  void* symbol = dlsym(library, name);
  if (symbol == nullptr) {
    throw Unavailable(fmt::format("the Torch part has no '{}'", name), kLibrary,
                      "program and library are of different builds: ./x build");
  }
  return symbol;
}

}  // namespace sfumato::app
