#include <cuda_runtime.h>

#include "fed/lane_sum_kernel.h"

namespace sfumato::fed {
namespace {

__global__ void SumLanes(LaneSumCall call) {
  const std::int64_t i =
      static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= call.dimension) return;
  // Unsigned, so that an overflow wraps as dp::WrappingAdd does.
  auto total = static_cast<std::uint64_t>(call.sum[i]);
  for (std::int64_t lane = 0; lane < call.lanes; ++lane) {
    const double factor = call.steps_per_unit[lane];
    if (factor == 0) continue;
    const double x = call.updates[lane * call.lane_stride + i];
    total += static_cast<std::uint64_t>(__double2ll_rz(__dmul_rn(x, factor)));
  }
  call.sum[i] = static_cast<std::int64_t>(total);
}

}  // namespace

bool SumLanesCuda(const LaneSumCall& call, void* stream) {
  constexpr int kThreads = 256;
  const auto blocks =
      static_cast<unsigned>((call.dimension + kThreads - 1) / kThreads);
  SumLanes<<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(call);
  return cudaGetLastError() == cudaSuccess;
}

}  // namespace sfumato::fed
