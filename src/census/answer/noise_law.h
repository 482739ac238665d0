// The noise that a mechanism adds to a count, as a law that anybody may know.
//
//   const NoiseLaw law{.kind = NoiseKind::kLaplace, .parameter = 2};  // ε 0.5
//   Pmf(law, 3);            // P(noise = 3)
//   TailFrom(law, 16);      // P(noise ≥ 16)
//   QuantileOf(law, 0.975);
//
// Whole numbers, symmetrical about 0: discrete Laplace, P(x) ∝ exp(-|x| / s),
// or discrete Gaussian, P(x) ∝ exp(-x² / 2σ²). Tails of the Laplace are closed
// forms, those of the Gaussian sums over all x that a double can hold.

#pragma once

#include <cstdint>

#include "base/random.h"
#include "nlohmann/json.hpp"

namespace sfumato::census {

enum class NoiseKind { kNone, kLaplace, kGaussian };

struct NoiseLaw {
  NoiseKind kind = NoiseKind::kNone;
  double parameter = 0;  // the scale s, or the deviation σ; 0 without noise
};

// All of these REQUIRE a parameter above 0, unless there is no noise.
double Pmf(const NoiseLaw& law, std::int64_t x);
double TailFrom(const NoiseLaw& law, std::int64_t x);  // P(noise ≥ x)
double DeviationOf(const NoiseLaw& law);
// The least x with P(noise ≤ x) ≥ `chance`. REQUIRES: 0 < chance < 1.
std::int64_t QuantileOf(const NoiseLaw& law, double chance);

// For intervals and simulations, never for privacy.
std::int64_t Draw(const NoiseLaw& law, base::Rng& rng);

// {"kind": "discrete_laplace", "parameter": 2}.
nlohmann::json ToJson(const NoiseLaw& law);
// Throws Corrupt, naming `where`.
NoiseLaw NoiseLawFromJson(const nlohmann::json& json, const std::string& where);

}  // namespace sfumato::census
