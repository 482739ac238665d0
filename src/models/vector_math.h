// Functions of many numbers on one core, written so that the compiler makes
// vectors of them; for the .cc files that CMakeLists.txt compiles with -O3.
//
//   SFUMATO_VECTORS void Squash(float* x, std::int64_t n) {
//     for (std::int64_t i = 0; i < n; ++i) x[i] = Tanh(x[i]);
//   }

#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

// Each loop is compiled for several generations of processors, and the right
// one is chosen when the program starts. No sum is reordered, and where the
// file allows no fused multiply-adds all compute the same.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SFUMATO_VECTORS \
  __attribute__((target_clones("arch=x86-64-v4", "avx2", "default"), flatten))
#else
#define SFUMATO_VECTORS
#endif

namespace sfumato::models::cpu {

// eˣ to about one unit in the last place, in operations that the compiler makes
// vectors of: 2ⁿ times the series of the rest, which lies within ± ln(2) / 2.
// Below -87 it stays at e⁻⁸⁷; NaN stays NaN.
inline float Exp(float x) {
  constexpr float kRounder = 12582912.0f;   // 1.5 · 2²³: sums have no fraction
  constexpr float kLn2High = 0.693359375f;  // exact times small integers
  constexpr float kLn2Low = -2.12194440e-4f;
  x = x < -87.0f ? -87.0f : x;
  x = x > 88.0f ? 88.0f : x;
  const float shifted = x * 1.44269504f + kRounder;
  const float n = shifted - kRounder;
  const float r = x - n * kLn2High - n * kLn2Low;
  float sum = 1.0f / 5040;
  sum = sum * r + 1.0f / 720;
  sum = sum * r + 1.0f / 120;
  sum = sum * r + 1.0f / 24;
  sum = sum * r + 1.0f / 6;
  sum = sum * r + 0.5f;
  sum = sum * r + 1.0f;
  sum = sum * r + 1.0f;
  const std::uint32_t power = std::bit_cast<std::uint32_t>(shifted) -
                              std::bit_cast<std::uint32_t>(kRounder) + 127;
  return sum * std::bit_cast<float>(power << 23);
}

inline float Sigmoid(float x) { return 1.0f / (1.0f + Exp(-x)); }
inline float Tanh(float x) { return 1.0f - 2.0f / (1.0f + Exp(2.0f * x)); }

// y = e^(x - most) and the sum of y, in sixteen running sums.
inline float ExpAndSum(const float* x, float most, std::int64_t n, float* y) {
  constexpr std::int64_t kSums = 16;
  float sums[kSums] = {};
  std::int64_t i = 0;
  for (; i + kSums <= n; i += kSums) {
    for (std::int64_t j = 0; j < kSums; ++j) {
      y[i + j] = Exp(x[i + j] - most);
      sums[j] += y[i + j];
    }
  }
  float total = 0;
  for (; i < n; ++i) {
    y[i] = Exp(x[i] - most);
    total += y[i];
  }
  for (const float sum : sums) total += sum;
  return total;
}

inline float Largest(const float* x, std::int64_t n) {
  constexpr std::int64_t kParts = 16;
  float parts[kParts];
  std::fill_n(parts, kParts, x[0]);
  std::int64_t i = 0;
  for (; i + kParts <= n; i += kParts) {
    for (std::int64_t j = 0; j < kParts; ++j) {
      parts[j] = x[i + j] > parts[j] ? x[i + j] : parts[j];
    }
  }
  float most = *std::max_element(parts, parts + kParts);
  for (; i < n; ++i) most = x[i] > most ? x[i] : most;
  return most;
}

}  // namespace sfumato::models::cpu
