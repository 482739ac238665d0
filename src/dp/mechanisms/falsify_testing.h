// What tests of random mechanisms share: p-values, confidence bounds, and the
// attempt to falsify a privacy claim from samples. Included by tests only.
//
//   EXPECT_GT(ChiSquarePValue(counts, probabilities), kFalseAlarm);
//   const Tries with{.hits = 700, .misses = 300};
//   const Tries without{.hits = 300, .misses = 700};
//   EXPECT_FALSE(Falsified(with, without, /*epsilon=*/1, /*delta=*/0));
//
// A right mechanism fails one such check with probability kFalseAlarm at most;
// with seeded noise it then fails always or never.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/error.h"
#include "gtest/gtest.h"

namespace sfumato::dp {

inline constexpr double kFalseAlarm = 1e-9;

// The upper incomplete gamma function over gamma(a): series below a + 1,
// continued fraction above.
inline double UpperGamma(double a, double x) {
  if (x <= 0) return 1;
  const double front = std::exp(a * std::log(x) - x - std::lgamma(a));
  if (x < a + 1) {
    double term = 1 / a;
    double sum = term;
    for (int n = 1; n < 100'000 && term > 1e-17 * sum; ++n) {
      sum += term *= x / (a + n);
    }
    return 1 - front * sum;
  }
  double rest = 0;
  for (int k = 2000; k >= 1; --k)
    rest = k * (a - k) / (x + 2 * k + 1 - a + rest);
  return front / (x + 1 - a + rest);
}

// The incomplete beta function I_x(a, b), by its continued fraction (Lentz).
inline double IncompleteBeta(double x, double a, double b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - IncompleteBeta(1 - x, b, a);
  const double front =
      std::exp(a * std::log(x) + b * std::log1p(-x) - std::log(a) +
               std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b));
  double c = 1;
  double d = 1 / (1 - (a + b) * x / (a + 1));
  double product = d;
  for (int m = 1; m < 100'000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    product *= c * d;
    const double odd =
        -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    product *= c * d;
    if (std::abs(c * d - 1) < 1e-15) break;
  }
  return front * product;
}

inline double NormalTail(double x) {
  return 0.5 * std::erfc(x / std::sqrt(2.0));
}

// How likely counts at least this odd are when value i has probability
// `probabilities[i]`; a last bin takes what those leave of one. Bins that
// expect fewer than ten are merged with their neighbours.
inline double ChiSquarePValue(std::span<const double> counts,
                              std::span<const double> probabilities) {
  double n = 0;
  for (const double count : counts) n += count;
  double statistic = 0;
  int bins = 0;
  double seen = 0;
  double expected = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    seen += counts[i];
    expected += n * probabilities[i];
    const bool last = i + 1 == probabilities.size();
    if (expected < 10 && !last) continue;
    if (expected > 0) {
      statistic += (seen - expected) * (seen - expected) / expected;
      ++bins;
    }
    seen = expected = 0;
  }
  return UpperGamma(0.5 * (bins - 1), 0.5 * statistic);
}

// Kolmogorov's distribution for n values whose greatest distance from the
// distribution function is `distance`.
inline double KolmogorovPValue(double distance, double n) {
  double sum = 0;
  for (int k = 1; k < 100; ++k) {
    sum += (k % 2 == 1 ? 2 : -2) *
           std::exp(-2.0 * k * k * distance * distance * n);
  }
  return std::min(1.0, sum);
}

struct Tries {
  double hits = 0;
  double misses = 0;
};

// Clopper and Pearson's bounds: the true probability is above the upper one, or
// below the lower one, with probability `alarm` at most each.
inline double Bisect(const std::function<bool(double)>& too_low) {
  double low = 0;
  double high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (too_low(middle) ? low : high) = middle;
  }
  return 0.5 * (low + high);
}
inline double LowerBound(Tries t, double alarm) {
  if (t.hits == 0) return 0;
  return Bisect([&](double p) {
    return IncompleteBeta(p, t.hits, t.misses + 1) < alarm;
  });
}
inline double UpperBound(Tries t, double alarm) {
  if (t.misses == 0) return 1;
  return Bisect([&](double p) {
    return IncompleteBeta(1 - p, t.misses, t.hits + 1) > alarm;
  });
}

// Whether the samples contradict P(hit with) <= e^epsilon P(hit without) +
// delta.
inline bool Falsified(Tries with, Tries without, double epsilon, double delta) {
  return LowerBound(with, kFalseAlarm / 2) >
         std::exp(epsilon) * UpperBound(without, kFalseAlarm / 2) + delta;
}

// The exact delta of a Gaussian whose mean moves by mu deviations (Balle and
// Wang 2018, Theorem 8).
inline double ExactGaussianDelta(double mu, double epsilon) {
  return NormalTail(epsilon / mu - mu / 2) -
         std::exp(epsilon) * NormalTail(epsilon / mu + mu / 2);
}

// That `action` throws an error of kind bad_input which says what to do.
inline void ExpectBadInput(const std::function<void()>& action,
                           const char* what) {
  try {
    action();
    ADD_FAILURE() << "accepted: " << what;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput) << what;
    EXPECT_FALSE(error.todo().empty()) << what;
  }
}

}  // namespace sfumato::dp
