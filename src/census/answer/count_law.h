// Laws of whole numbers as vectors of chances, added by convolution.
//
//   const CountLaw healthy = BinomialLaw(600, 0.003);
//   ThresholdOf(healthy, LawOf(noise), 1e-4);  // least t: P(sum ≥ t) ≤ 1e-4
//
// What is left out at either end has a chance below 1e-15 (of a sum: for each
// convolution), far below any level here.

#pragma once

#include <cstdint>
#include <vector>

#include "census/answer/noise_law.h"

namespace sfumato::census {

struct CountLaw {
  std::int64_t first = 0;
  std::vector<double> chances = {1};  // of first, first + 1, …
};

// Of `n` trials; what is not whole is rounded up. REQUIRES: 0 ≤ p ≤ 1.
CountLaw BinomialLaw(double n, double p);
// Of `n` more trials, after `hits` of `of` were seen: beta-binomial, with
// Beta(hits + 1, of - hits). Without noise its tail is the p-value of Fisher's
// exact test of two samples, so it never promises too much; that this holds
// with noise, too, is computed in count_law_test.cc. Of none: always 0.
CountLaw NextLaw(double n, std::int64_t hits, std::int64_t of);
CountLaw LawOf(const NoiseLaw& noise);

// Of independent numbers.
CountLaw Sum(const CountLaw& a, const CountLaw& b);
// Of `times` of them with the same law. REQUIRES: times ≥ 0.
CountLaw SumOf(const CountLaw& law, std::int64_t times);
// Of factor · x, rounded up.
CountLaw ScaledUp(const CountLaw& law, double factor);

// P(a + b ≥ t), and the least t where it is at most `chance`.
double TailFrom(const CountLaw& a, const CountLaw& b, double t);
std::int64_t ThresholdOf(const CountLaw& a, const CountLaw& b, double chance);

// Clopper and Pearson 1934: the p for which at most (at least) `hits` of `of`
// have the chance `chance`. Of none: 1 (0).
double UpperBound(std::int64_t hits, std::int64_t of, double chance);
double LowerBound(std::int64_t hits, std::int64_t of, double chance);

// The p for which Binomial(n, p) and noise give at most `count` with `chance`.
double UpperBound(double count, double n, const CountLaw& noise, double chance);

}  // namespace sfumato::census
