// Settings of memory, OpenBLAS and OpenMP before LibTorch is loaded. Header
// only: benchmarks/races.cc needs the same and links no command.

#pragma once

#include <malloc.h>

#include <cstdlib>

namespace sfumato::app {

// Every round takes and frees vectors as long as the model; memory that went
// back to the system between would be mapped and cleared page by page again.
inline void KeepMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, 2000 << 20);
#endif
}

// OpenBLAS 0.3.21 knows processors by their numbers, and gives one of Intel's
// that is newer than itself kernels from before AVX: a fifth of the speed of
// Emerald Rapids. So every Intel processor gets those for what it can do, which
// are the ones that known processors have. Read once, when it is loaded.
inline void ChooseKernels() {
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

// REQUIRES: LibTorch is not loaded yet; it reads these once.
inline void PrepareForTorch() {
  // OpenMP's threads would burn the cores between two parallel loops that the
  // clients' threads want.
  setenv("OMP_WAIT_POLICY", "passive", /*overwrite=*/0);
  ChooseKernels();
  KeepMemory();
}

}  // namespace sfumato::app
