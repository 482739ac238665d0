#include "census/answer/noise_law.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace sfumato::census {
namespace {

// Beyond this many deviations a Gaussian is 0 as a double.
constexpr double kFarthest = 39;

const char* NameOf(NoiseKind kind) {
  return kind == NoiseKind::kLaplace    ? "discrete_laplace"
         : kind == NoiseKind::kGaussian ? "discrete_gaussian"
                                        : "none";
}

double Weight(double deviation, std::int64_t x) {
  const double z = static_cast<double>(x) / deviation;
  return std::exp(-0.5 * z * z);
}

// Sum of the weights of all x from `from` on, smallest first.
double WeightFrom(double deviation, std::int64_t from) {
  const auto last = std::max(
      from, static_cast<std::int64_t>(std::ceil(kFarthest * deviation)));
  double sum = 0;
  for (std::int64_t x = last; x >= from; --x) sum += Weight(deviation, x);
  return sum;
}

double AllWeight(double deviation) { return 1 + 2 * WeightFrom(deviation, 1); }

}  // namespace

double Pmf(const NoiseLaw& law, std::int64_t x) {
  if (law.kind == NoiseKind::kLaplace) {
    // Σ exp(-|x| / s) = (1 + q) / (1 - q) = 1 / tanh(1 / 2s), q = exp(-1 / s).
    return std::tanh(0.5 / law.parameter) *
           std::exp(-std::abs(static_cast<double>(x)) / law.parameter);
  }
  if (law.kind == NoiseKind::kGaussian) {
    return Weight(law.parameter, x) / AllWeight(law.parameter);
  }
  return x == 0 ? 1 : 0;
}

double TailFrom(const NoiseLaw& law, std::int64_t x) {
  if (x <= 0 && law.kind != NoiseKind::kNone) return 1 - TailFrom(law, 1 - x);
  if (law.kind == NoiseKind::kLaplace) {
    return std::exp(-static_cast<double>(x) / law.parameter) /
           (1 + std::exp(-1 / law.parameter));
  }
  if (law.kind == NoiseKind::kGaussian) {
    return WeightFrom(law.parameter, x) / AllWeight(law.parameter);
  }
  return x <= 0 ? 1 : 0;
}

double DeviationOf(const NoiseLaw& law) {
  if (law.kind == NoiseKind::kLaplace) {
    // The variance is 2 q / (1 - q)² = 1 / (2 sinh²(1 / 2s)).
    return std::sqrt(0.5) / std::sinh(0.5 / law.parameter);
  }
  if (law.kind == NoiseKind::kNone) return 0;
  double sum = 0;
  const auto last = static_cast<std::int64_t>(kFarthest * law.parameter) + 1;
  for (std::int64_t x = last; x >= 1; --x) {
    sum += 2 * static_cast<double>(x * x) * Weight(law.parameter, x);
  }
  return std::sqrt(sum / AllWeight(law.parameter));
}

std::int64_t QuantileOf(const NoiseLaw& law, double chance) {
  if (law.kind == NoiseKind::kNone) return 0;
  // P(noise ≤ x) = 1 - P(noise ≥ x + 1) rises with x.
  const auto reaches = [&](std::int64_t x) {
    return 1 - TailFrom(law, x + 1) >= chance;
  };
  std::int64_t high = 1;
  while (!reaches(high)) high *= 2;
  std::int64_t low = -1;
  while (reaches(low)) low *= 2;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (reaches(middle) ? high : low) = middle;
  }
  return high;
}

std::int64_t Draw(const NoiseLaw& law, base::Rng& rng) {
  if (law.kind == NoiseKind::kNone) return 0;
  if (law.kind == NoiseKind::kLaplace) {
    // The difference of two geometric numbers.
    const auto geometric = [&] {
      return static_cast<std::int64_t>(
          std::floor(-law.parameter * std::log(1 - rng.Uniform())));
    };
    const std::int64_t up = geometric();
    return up - geometric();
  }
  // Rejection from a rounded Gaussian that is wider, so that the ratio of the
  // two laws is greatest at 0.
  const double wide = std::max(law.parameter, 0.5) + 0.5;
  for (;;) {
    const auto x = static_cast<std::int64_t>(std::llround(rng.Normal(0, wide)));
    const double middle = static_cast<double>(x);
    const double proposed =
        0.5 * (std::erf((middle + 0.5) / (wide * std::sqrt(2.0))) -
               std::erf((middle - 0.5) / (wide * std::sqrt(2.0))));
    if (!(proposed > 0)) continue;
    const double top = std::erf(0.5 / (wide * std::sqrt(2.0)));
    if (rng.Uniform() < Weight(law.parameter, x) * top / proposed) return x;
  }
}

nlohmann::json ToJson(const NoiseLaw& law) {
  return {{"kind", NameOf(law.kind)}, {"parameter", law.parameter}};
}

NoiseLaw NoiseLawFromJson(const nlohmann::json& json,
                          const std::string& where) {
  for (const NoiseKind kind :
       {NoiseKind::kNone, NoiseKind::kLaplace, NoiseKind::kGaussian}) {
    if (!json.is_object() || !json.contains("kind") ||
        json["kind"] != NameOf(kind) || !json.contains("parameter") ||
        !json["parameter"].is_number()) {
      continue;
    }
    const double parameter = json["parameter"];
    const bool none = kind == NoiseKind::kNone;
    if (!std::isfinite(parameter) || none != (parameter == 0) ||
        parameter < 0 || parameter > 1e9) {
      continue;
    }
    return {.kind = kind, .parameter = parameter};
  }
  throw Corrupt("not a law of noise", where, "the file was changed by hand");
}

}  // namespace sfumato::census
