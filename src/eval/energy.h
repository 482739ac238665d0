// Energy distance of two sets of images, and the mixture that comes nearest.
//
//   const MixtureFit fit = BestMixture(line);   // affected, gain
//
// E(X, Y) = 2 mean|x − y| − mean|x − x'| − mean|y − y'|, the means over pairs
// of different images, so that it is unbiased and may fall below zero. When a
// share p of X's images passes through T, the distance of the mixture from Y is
// E(X, Y) − p · slope + p² · bend, which has its least value in closed form.
// Images carry weights: resampling counts them, never computes them again.
//
// Source: Székely and Rizzo 2013, "Energy statistics: a class of statistics
// based on distances".

#pragma once

#include <ATen/ATen.h>

#include <cstdint>

#include "runs/contrast.h"

namespace sfumato::eval {

// Mean distances of images of X, TX and Y, [draws] double each: one for every
// resampling of the images.
struct MeanDistances {
  at::Tensor xx;
  at::Tensor xt;
  at::Tensor tt;
  at::Tensor xy;
  at::Tensor ty;
  at::Tensor yy;
};

// The parabola of every draw, [draws] double each.
struct MixtureLine {
  at::Tensor distance;  // E(X, Y)
  at::Tensor slope;
  at::Tensor bend;  // E(X, TX)
};
MixtureLine LineOf(const MeanDistances& means);

struct MixtureFit {
  at::Tensor affected;  // [draws], 0 … 1
  at::Tensor gain;      // E(X, Y) − E(mixture, Y), 0 or more
};
MixtureFit BestMixture(const MixtureLine& line);

// Weights u and v are [draws, n] and [draws, m] double.
// Sum over i ≠ j of u_i v_j d_ij over the sum of u_i v_j, for every draw: the
// mean distance of two different images of one list [n, n]. An image and what a
// change makes of it are one image.
at::Tensor MeanWithin(const at::Tensor& d, const at::Tensor& u,
                      const at::Tensor& v);
// The mean distance of an image of each of two lists.
at::Tensor MeanBetween(const at::Tensor& d, const at::Tensor& u,
                       const at::Tensor& v);

// [draws, n]: row 0 ones, then how often each was drawn in a resample.
at::Tensor ResampleCounts(std::int64_t draws, std::int64_t n,
                          std::uint64_t key);

// The first of `draws` with the 90 % interval of the others.
runs::Estimate EstimateOf(const at::Tensor& draws);

}  // namespace sfumato::eval
