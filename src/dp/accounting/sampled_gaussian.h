// Rényi divergences of Gaussian noise on a sampled sum, many orders at once.
//
//   const std::vector<double> divergences =
//       PoissonGaussianCurve(orders, 0.01, 1.0);
//
// One entry for each order: an upper bound that exceeds the formula by less
// than 1e-11 of it where the formula is exact, and +infinity where the number
// does not fit. Noise is relative to the norm S of one contribution. The same
// work done for all orders together is some tens of times faster than asking
// for one after the other.
//
// Sources: Mironov, Talwar and Zhang 2019, "Rényi Differential Privacy of the
// Sampled Gaussian Mechanism"; Wang, Balle and Kasiviswanathan 2019, Theorem 9.

#pragma once

#include <span>
#include <vector>

namespace sfumato::dp {

// A private coin for each unit, add-remove. Exact at every order, except where
// tiny noise would need more than a few hundred thousand points of quadrature:
// there fractional orders are bounded by their whole neighbours.
std::vector<double> PoissonGaussianCurve(std::span<const double> orders,
                                         double rate, double noise_multiplier);

// A private coin for each unit, replace-one: with probability `rate` the
// contribution v becomes v', both of norm at most S.
std::vector<double> PoissonReplaceOneCurve(std::span<const double> orders,
                                           double rate,
                                           double noise_multiplier);

// A cohort of fixed size without replacement, replace-one. Theorem 9 and the
// Gaussian without sampling, whichever is less. Noise relative to S; the
// theorem is asked with the 2S by which a replaced unit moves the sum.
std::vector<double> FixedSizeCurve(std::span<const double> orders, double rate,
                                   double noise_multiplier);

}  // namespace sfumato::dp
