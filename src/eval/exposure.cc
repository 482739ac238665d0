#include "eval/exposure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::eval {
namespace {

using std::numbers::ln2;
using std::numbers::pi;

const double kLogRootTwoPi = 0.5 * std::log(2 * pi);

// ln Φ(u). Below -30, where erfc comes near the end of doubles, by its
// asymptotic series, which is right to 1e-8 there.
double LogNormalCdf(double u) {
  if (u > -30) return std::log(0.5 * std::erfc(-u / std::numbers::sqrt2));
  const double square = u * u;
  return -0.5 * square - std::log(-u) - kLogRootTwoPi +
         std::log1p(-1 / square + 3 / (square * square));
}

double LogDensity(double u, double shape) {
  return ln2 - 0.5 * u * u - kLogRootTwoPi + LogNormalCdf(shape * u);
}

// Where to begin an integral up to `end`: the density is concave in its
// logarithm and has fallen by e^-40 there.
double BeginBelow(double end, double shape) {
  const double anchor = std::min(end, 0.0);
  const double top = LogDensity(anchor, shape);
  double length = 11;
  while (top - LogDensity(anchor - length / 2, shape) > 40) length /= 2;
  return anchor - length;
}

void CheckScores(std::span<const double> scores, const char* what) {
  if (scores.empty()) {
    throw BadInput(fmt::format("no {} to rank", what), "exposure",
                   "give at least one");
  }
  for (const double score : scores) {
    if (std::isfinite(score)) continue;
    throw BadInput(fmt::format("a log-perplexity of {}", score), "exposure",
                   "the model diverged: train with smaller steps");
  }
}

// Mean of log2(n / rank) over ranks 1 … n.
double MeanByChance(double n) {
  return std::log2(n) - std::lgamma(n + 1) / (n * ln2);
}

}  // namespace

// Simpson's rule on the density, its logarithm at the highest point taken out.
double SkewNormal::LogCdf(double x) const {
  constexpr int kSteps = 256;
  const double u = (x - location) / scale;
  if (u > 12) return 0;
  const double begin = BeginBelow(u, shape);
  const double step = (u - begin) / kSteps;
  const double top = LogDensity(std::clamp(0.0, begin, u), shape);
  double sum = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const double weight = i == 0 || i == kSteps ? 1 : (i % 2 == 1 ? 4 : 2);
    sum += weight * std::exp(LogDensity(begin + i * step, shape) - top);
  }
  return std::min(0.0, top + std::log(sum * step / 3));
}

SkewNormal FitSkewNormal(std::span<const double> sample) {
  const auto n = static_cast<double>(sample.size());
  double mean = 0;
  for (const double x : sample) mean += x / n;
  double square = 0;
  double cube = 0;
  for (const double x : sample) {
    square += (x - mean) * (x - mean) / n;
    cube += (x - mean) * (x - mean) * (x - mean) / n;
  }
  const double skewness = std::clamp(cube / std::pow(square, 1.5), -0.99, 0.99);
  // Skewness is (4 - π)/2 (d √(2/π))³ / (1 - 2d²/π)^(3/2), d =
  // shape/√(1+shape²)
  const double part = std::cbrt(skewness * skewness);
  const double d = std::copysign(
      std::sqrt(pi / 2 * part / (part + std::cbrt(std::pow((4 - pi) / 2, 2)))),
      skewness);
  const double scale = std::sqrt(square / (1 - 2 * d * d / pi));
  return {.location = mean - scale * d * std::sqrt(2 / pi),
          .scale = scale,
          .shape = d / std::sqrt(1 - d * d)};
}

double DistanceFrom(const SkewNormal& fit, std::span<const double> sample) {
  std::vector<double> sorted(sample.begin(), sample.end());
  std::ranges::sort(sorted);
  const auto n = static_cast<double>(sorted.size());
  double distance = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double model = std::exp(fit.LogCdf(sorted[i]));
    distance = std::max({distance, model - static_cast<double>(i) / n,
                         static_cast<double>(i + 1) / n - model});
  }
  return distance;
}

ExposureTable Exposures(std::span<const double> canaries,
                        std::span<const double> alternatives) {
  CheckScores(canaries, "canary");
  CheckScores(alternatives, "alternative");
  std::vector<double> sorted(alternatives.begin(), alternatives.end());
  std::ranges::sort(sorted);
  const auto n = static_cast<double>(sorted.size());
  ExposureTable table{
      .alternatives = static_cast<std::int64_t>(sorted.size()),
      .most = std::log2(n + 1),
      .by_chance = MeanByChance(n + 1),
      .fitted = sorted.size() > 2 && sorted.front() < sorted.back()};
  if (table.fitted) {
    table.fit = FitSkewNormal(sorted);
    table.fit_distance = DistanceFrom(table.fit, sorted);
    // Of a curve fitted to the same sample (Lilliefors 1967), by simulation:
    // 0.85 for a normal, 0.79 for a shape of 1.5. A known one would have 1.358.
    table.fit_limit = 0.85 / std::sqrt(n);
  }
  for (const double score : canaries) {
    const auto before = std::ranges::upper_bound(sorted, score);
    const std::int64_t rank = before - sorted.begin() + 1;
    const double exposure = table.most - std::log2(static_cast<double>(rank));
    table.canaries.push_back(
        {.log_perplexity = score,
         .rank = rank,
         .exposure = exposure,
         .extrapolated = table.fitted
                             ? -table.fit.LogCdf(score) / ln2
                             : std::numeric_limits<double>::quiet_NaN()});
    table.mean += exposure / static_cast<double>(canaries.size());
    table.largest = std::max(table.largest, exposure);
  }
  return table;
}

double ChanceOfExposure(std::span<const PrivacyPoint> points, double bits) {
  double least = 1;
  for (const PrivacyPoint& point : points) {
    const double chance = std::exp(point.epsilon - bits * ln2) + point.delta;
    if (chance < least) least = chance;  // never for NaN
  }
  return least;
}

// The integral of the chances from 0 to `most`. They only fall, so that a sum
// with the chance at the beginning of each step is never below it.
double ExpectedExposure(std::span<const PrivacyPoint> points, double most) {
  constexpr int kSteps = 20'000;
  const double step = most / kSteps;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) sum += ChanceOfExposure(points, i * step);
  return most * (sum / kSteps);
}

}  // namespace sfumato::eval
