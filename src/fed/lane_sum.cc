#include "fed/lane_sum.h"

#include <cmath>

#include "dp/mechanisms/noise.h"
#include "fed/lane_sum_kernel.h"

#if SFUMATO_HAS_CUDA
#include <ATen/cuda/CUDAContext.h>
#endif

namespace sfumato::fed {
namespace {

// Steps a unit of each lane; 0 for a lane that is not finite or did not move.
at::Tensor Factors(const at::Tensor& norms, const at::Tensor& weights,
                   double clip_norm, std::int64_t dimension) {
  constexpr auto kSteps =
      static_cast<double>(dp::ClippedSum::kStepsPerClipNorm);
  const double room = dp::RoundingRoom(static_cast<std::size_t>(dimension));
  const at::Tensor factors =
      (kSteps * room / norms).clamp_max(kSteps / clip_norm) * weights;
  return at::where(norms.gt(0).logical_and(at::isfinite(norms)), factors,
                   at::zeros_like(factors));
}

}  // namespace

void SumLanesCpu(const LaneSumCall& call) {
  for (std::int64_t lane = 0; lane < call.lanes; ++lane) {
    const double factor = call.steps_per_unit[lane];
    if (factor == 0) continue;
    const float* update = call.updates + lane * call.lane_stride;
    for (std::int64_t i = 0; i < call.dimension; ++i) {
      call.sum[i] = dp::WrappingAdd(
          call.sum[i], static_cast<std::int64_t>(update[i] * factor));
    }
  }
}

LaneSum::LaneSum(at::Device device, std::int64_t dimension, double clip_norm)
    : clip_norm_(clip_norm) {
  const auto whole = at::TensorOptions().device(device).dtype(at::kLong);
  steps_ = at::zeros({dimension}, whole);
  below_ = at::zeros({}, whole);
}

at::Tensor LaneSum::Add(const at::Tensor& updates, const at::Tensor& weights) {
  TORCH_CHECK(updates.dim() == 2 && updates.stride(1) == 1 &&
              updates.size(1) == steps_.size(0));
  lanes_ += updates.size(0);
  const at::Tensor norms =
      at::linalg_vector_norm(updates, 2, {1}, false, at::kDouble);
  // A norm that is not finite counts as zero: within the clip norm.
  const at::Tensor above =
      norms.gt(clip_norm_).logical_and(at::isfinite(norms));
  below_.add_(updates.size(0)).sub_(above.sum(), 2);
  const at::Tensor factors =
      Factors(norms, weights, clip_norm_, updates.size(1)).contiguous();
  const LaneSumCall call{.updates = updates.data_ptr<float>(),
                         .lanes = updates.size(0),
                         .dimension = updates.size(1),
                         .lane_stride = updates.stride(0),
                         .steps_per_unit = factors.data_ptr<double>(),
                         .sum = steps_.data_ptr<std::int64_t>()};
#if SFUMATO_HAS_CUDA
  if (updates.is_cuda()) {
    TORCH_CHECK(SumLanesCuda(call, at::cuda::getCurrentCUDAStream().stream()));
    return norms;
  }
#endif
  SumLanesCpu(call);
  return norms;
}

void LaneSum::AddTo(dp::ClippedSum& sum) const {
  // Pinned memory: three times as fast, and its allocator keeps it for the next
  // round.
  const at::Tensor steps = at::empty(
      steps_.sizes(),
      at::TensorOptions().dtype(at::kLong).pinned_memory(steps_.is_cuda()));
  steps.copy_(steps_);
  sum.Add(dp::ClippedBlock{.clip_norm = clip_norm_,
                           .contributions = lanes_,
                           .below = below_.item<std::int64_t>(),
                           .steps = {steps.data_ptr<std::int64_t>(),
                                     static_cast<std::size_t>(steps.numel())}});
}

}  // namespace sfumato::fed
