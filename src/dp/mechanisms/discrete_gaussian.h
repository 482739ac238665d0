// Exact noise of whole numbers: discrete Gaussian and discrete Laplace.
//
//   const DiscreteGaussianSampler gaussian({.numerator = 5, .denominator = 2});
//   std::int64_t noise = gaussian(bits);   // P(x) ~ exp(-x^2 / (2 * 5/2))
//
// Only whole numbers are computed with, and probabilities are never rounded: a
// value has exactly the probability of the formula, as far as the bits are
// random. How long a draw takes depends on the value drawn.
//
// Source: Canonne, Kamath and Steinke 2020, "The Discrete Gaussian for
// Differential Privacy", Algorithms 1 to 3.

#pragma once

#include <cstdint>

#include "dp/mechanisms/noise.h"

namespace sfumato::dp {

struct Rational {
  std::uint64_t numerator = 0;
  std::uint64_t denominator = 1;
};

// A double is a fraction over a power of two: that one. Throws BadInput unless
// `value` is positive, finite and needs no denominator above 2^63 and no
// numerator above 2^63.
Rational ExactRational(double value);

// True with probability exp(-numerator / denominator).
// REQUIRES: denominator > 0.
bool SampleBernoulliExp(Rational gamma, BitStream& bits);

// P(x) proportional to exp(-|x| / scale), x any whole number. Throws BadInput
// unless 0 < scale, both of its parts below 2^31.
std::int64_t SampleDiscreteLaplace(Rational scale, BitStream& bits);

class DiscreteGaussianSampler {
 public:
  // Throws BadInput when the variance is zero, or has too many digits for 128
  // bits (a double from 0.01 to 2^52 always fits).
  explicit DiscreteGaussianSampler(Rational variance);

  std::int64_t operator()(BitStream& bits) const;

 private:
  Rational variance_;
  std::uint64_t scale_;  // of the Laplace proposals: floor(sigma) + 1
  std::uint64_t farthest_;
};

}  // namespace sfumato::dp
