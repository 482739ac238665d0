// The exact privacy of Gaussian noise without sampling.
//
// `mu` is sensitivity over deviation; n releases have mu = sqrt(sum of squares)
// (Dong, Roth and Su 2022). Source: Balle and Wang 2018, "Improving the
// Gaussian Mechanism", Theorem 8.

#pragma once

namespace sfumato::dp {

// The smallest delta at `epsilon` >= 0, and the smallest epsilon at `delta`.
// Neither overflows: mu from 1e-6 to 1e6, delta down to 1e-300.
double GaussianDelta(double mu, double epsilon);
double GaussianEpsilon(double mu, double delta);

// The largest mu that is (epsilon, delta)-DP.
double GaussianMu(double epsilon, double delta);

}  // namespace sfumato::dp
