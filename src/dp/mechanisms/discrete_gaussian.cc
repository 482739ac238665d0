#include "dp/mechanisms/discrete_gaussian.h"

#include <bit>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

// True with probability exp(-x/y) for x <= y: the first failure among coins of
// x/y, x/2y, x/3y, … falls on an odd one. REQUIRES: y < 2^120.
bool SurvivesUpToOne(Wide x, Wide y, BitStream& bits) {
  std::uint64_t k = 1;
  while (UniformBelow(y * k, bits) < x) ++k;
  return k % 2 == 1;
}

// True with probability exp(-x/y).
bool Survives(Wide x, Wide y, BitStream& bits) {
  for (; x >= y; x -= y) {
    if (!SurvivesUpToOne(1, 1, bits)) return false;
  }
  return SurvivesUpToOne(x, y, bits);
}

// The magnitude and sign of Algorithm 2 with s = scale.denominator.
std::int64_t Laplace(std::uint64_t t, std::uint64_t s, BitStream& bits) {
  while (true) {
    const auto low = static_cast<std::uint64_t>(UniformBelow(t, bits));
    if (!Survives(low, t, bits)) continue;
    std::uint64_t blocks = 0;
    while (SurvivesUpToOne(1, 1, bits)) ++blocks;
    const auto magnitude = static_cast<std::int64_t>((low + t * blocks) / s);
    const bool negative = (bits() & 1) != 0;
    if (negative && magnitude == 0) continue;  // zero has one sign only
    return negative ? -magnitude : magnitude;
  }
}

Error BadVariance(Rational variance) {
  return BadInput(
      fmt::format("variance {}/{}", variance.numerator, variance.denominator),
      "variance", "give one from 0.01 to 2^52, in lowest terms");
}

}  // namespace

Rational ExactRational(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  if (value > 0 && std::isfinite(value)) {
    auto numerator = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    exponent -= 53;
    const int zeros = std::countr_zero(numerator);
    numerator >>= zeros;
    exponent += zeros;
    if (exponent >= 0 && std::bit_width(numerator) + exponent <= 63) {
      return {.numerator = numerator << exponent, .denominator = 1};
    }
    if (exponent < 0 && exponent >= -63) {
      return {.numerator = numerator,
              .denominator = std::uint64_t{1} << -exponent};
    }
  }
  throw BadInput(fmt::format("{} as an exact fraction", value), "noise",
                 "give a positive number that is neither tiny nor huge");
}

bool SampleBernoulliExp(Rational gamma, BitStream& bits) {
  return Survives(gamma.numerator, gamma.denominator, bits);
}

std::int64_t SampleDiscreteLaplace(Rational scale, BitStream& bits) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 31;
  if (scale.numerator == 0 || scale.denominator == 0 ||
      scale.numerator >= kMost || scale.denominator >= kMost) {
    throw BadInput(
        fmt::format("scale {}/{}", scale.numerator, scale.denominator), "scale",
        "give a positive fraction with parts below 2^31");
  }
  return Laplace(scale.numerator, scale.denominator, bits);
}

DiscreteGaussianSampler::DiscreteGaussianSampler(Rational variance)
    : variance_(variance) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 62;
  if (variance.numerator == 0 || variance.denominator == 0 ||
      variance.numerator >= kMost || variance.denominator >= kMost) {
    throw BadVariance(variance);
  }
  const std::uint64_t common =
      std::gcd(variance.numerator, variance.denominator);
  const std::uint64_t a = variance_.numerator /= common;
  const std::uint64_t b = variance_.denominator /= common;
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(a / b)));
  while (root * root > a / b) --root;
  while ((root + 1) * (root + 1) <= a / b) ++root;
  scale_ = root + 1;

  // Every product of operator() must fit 128 bits, up to a distance that the
  // coin passes less often than once in e^100.
  const bool fits =
      std::bit_width(a) + std::bit_width(b) + 2 * std::bit_width(scale_) <
          119 &&
      std::bit_width(scale_) + std::bit_width(b) <= 62;
  if (!fits) throw BadVariance(variance);
  farthest_ = kMost / (scale_ * b);
  const double deviation =
      std::sqrt(static_cast<double>(a) / static_cast<double>(b));
  if (static_cast<double>(farthest_) < 16 * deviation) {
    throw BadVariance(variance);
  }
}

// Algorithm 3: |x| from a Laplace of scale t passes a coin of
// exp(-(|x| - v/t)^2 / (2v)); with v = a/b the exponent is
// (|x| t b - a)^2 / (2 a b t^2).
std::int64_t DiscreteGaussianSampler::operator()(BitStream& bits) const {
  const std::uint64_t a = variance_.numerator;
  const std::uint64_t b = variance_.denominator;
  const std::uint64_t t = scale_;
  while (true) {
    const std::int64_t x = Laplace(t, 1, bits);
    const auto magnitude = static_cast<std::uint64_t>(std::abs(x));
    if (magnitude > farthest_) continue;
    const std::uint64_t left = magnitude * t * b;
    const Wide distance = left > a ? left - a : a - left;
    if (Survives(distance * distance, 2 * static_cast<Wide>(a) * b * t * t,
                 bits)) {
      return x;
    }
  }
}

}  // namespace sfumato::dp
