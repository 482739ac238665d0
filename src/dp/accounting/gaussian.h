// The exact privacy of Gaussian noise without sampling.
//
//   GaussianEpsilon(1 / noise_multiplier, 1e-6);
//   GaussianEpsilon(std::sqrt(rounds) / noise_multiplier, 1e-6);
//
// `mu` is sensitivity over deviation; n releases have mu = sqrt(sum of squares)
// (Dong, Roth and Su 2022). What comes back is rounded against us: an epsilon
// or delta never below the true one, a mu never above. Throws BadInput for NaN
// and for numbers out of range.
//
// Source: Balle and Wang 2018, "Improving the Gaussian Mechanism", Theorem 8.

#pragma once

#include <cstdint>

namespace sfumato::dp {

// The smallest delta at `epsilon` >= 0, and the smallest epsilon at `delta`.
// Neither overflows: mu from 1e-6 to 1e6, delta down to 1e-300.
double GaussianDelta(double mu, double epsilon);
double GaussianEpsilon(double mu, double delta);

// The largest mu that is (epsilon, delta)-DP.
double GaussianMu(double epsilon, double delta);

// `count` releases of which each concerns the record with chance `rate`, and
// everybody sees which do. If n do, they are one release of mu sqrt(n); so
// delta is the mean over a binomial n. REQUIRES: 0 < rate <= 1, count >= 1.
struct RevealedGaussians {
  double mu = 1;  // of one release
  double rate = 1;
  std::int64_t count = 1;
};
double RevealedGaussianEpsilon(const RevealedGaussians& releases, double delta);

}  // namespace sfumato::dp
