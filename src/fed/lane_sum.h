// Clipping and summing the updates of many lanes where they are.
//
//   LaneSum lane_sum(device, dimension, clip_norm);
//   at::Tensor norms = lane_sum.Add(updates, weights);   // [lane], double
//   lane_sum.AddTo(sum);                          // waits for the device
//
// A lane's norm is summed in double. The lane is scaled to the clip norm, less
// dp::RoundingRoom for every rounding on the way, times its weight, and rounded
// towards zero to whole steps of clip_norm / 2^36: what dp::ClippedSum does on
// a CPU. Rounding towards zero only shortens, so one lane moves the sum by at
// most the clip norm. A lane that is not finite adds zero.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>

#include "dp/mechanisms/clip.h"

namespace sfumato::fed {

class LaneSum {
 public:
  LaneSum(at::Device device, std::int64_t dimension, double clip_norm);

  // Adds every lane of `updates` [lane, dimension]; `weights` [lane] double, on
  // the device, each 0 … 1. Returns the norms, [lane] double, before clipping;
  // not finite where the lane was not.
  at::Tensor Add(const at::Tensor& updates, const at::Tensor& weights);
  // Hands everything to `sum`.
  void AddTo(dp::ClippedSum& sum) const;

 private:
  double clip_norm_;
  std::int64_t lanes_ = 0;
  at::Tensor steps_;  // [dimension] int64
  at::Tensor below_;  // [] int64
};

}  // namespace sfumato::fed
