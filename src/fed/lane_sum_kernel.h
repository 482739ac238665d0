// sum[i] += Σ over lanes of (int64) (updates[lane, i] * steps_per_unit[lane]),
// rounded towards zero; lanes whose factor is 0 are not looked at.

#pragma once

#include <cstdint>

namespace sfumato::fed {

struct LaneSumCall {
  const float* updates = nullptr;
  std::int64_t lanes = 0;
  std::int64_t dimension = 0;
  std::int64_t lane_stride = 0;
  const double* steps_per_unit = nullptr;
  std::int64_t* sum = nullptr;
};

void SumLanesCpu(const LaneSumCall& call);
// `stream` is a cudaStream_t. Returns false when the launch failed.
bool SumLanesCuda(const LaneSumCall& call, void* stream);

}  // namespace sfumato::fed
