#include "dp/accounting/gaussian.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "base/error.h"
#include "dp/accounting/event.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

// With x = epsilon/mu - mu/2 and y = x + mu, Theorem 8 reads
//   delta = Q(x) - e^epsilon Q(y) = phi(x) (m(x) - m(y)),
// Q the normal tail, phi the density and m = Q/phi Mills' ratio, because
// e^epsilon phi(y) = phi(x). In this form nothing overflows. For small mu the
// difference is the integral of -m' over [x, y], which has no cancellation.

constexpr double kUlp = std::numeric_limits<double>::epsilon();

double Density(double x) {
  return std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
}
double Tail(double x) { return std::erfc(x / std::numbers::sqrt2) / 2; }

// r of m(x) = 1/(x + r): Laplace's continued fraction 1/(x + 2/(x + 3/…)),
// exact to rounding for x >= 3.
double MillsRemainder(double x) {
  double r = 0;
  for (int k = x > 8 ? 24 : 80; k >= 1; --k) r = k / (x + r);
  return r;
}

// m(x) and -m'(x) = 1 - x m(x). REQUIRES: x > -30.
double Mills(double x) {
  return x < 3 ? Tail(x) / Density(x) : 1 / (x + MillsRemainder(x));
}
double MillsSlope(double x) {
  if (x < 3) return 1 - x * Mills(x);
  const double r = MillsRemainder(x);
  return r / (x + r);
}

// m(x) - m(x + mu) for mu <= 1 by Gauss-Legendre with ten points.
double MillsDifference(double x, double mu) {
  constexpr std::array<double, 5> kNodes = {
      0.14887433898163121, 0.43339539412924719, 0.67940956829902441,
      0.86506336668898451, 0.97390652851717172};
  constexpr std::array<double, 5> kWeights = {
      0.29552422471475287, 0.26926671930999636, 0.21908636251598204,
      0.14945134915058059, 0.06667134430868814};
  const double middle = x + mu / 2;
  double sum = 0;
  for (std::size_t i = 0; i < kNodes.size(); ++i) {
    sum += kWeights[i] * (MillsSlope(middle - mu / 2 * kNodes[i]) +
                          MillsSlope(middle + mu / 2 * kNodes[i]));
  }
  return mu / 2 * sum;
}

// delta as a function of x, at most a few roundings too large and never too
// small. REQUIRES: x >= -mu/2 up to rounding.
double DeltaAt(double mu, double x) {
  double delta;
  if (mu <= 1) {
    delta = Density(x) * MillsDifference(x, mu);
  } else if (x < 0) {
    delta = Tail(x) - Density(x) * Mills(x + mu);
  } else {
    delta = Density(x) * (Mills(x) - Mills(x + mu));
  }
  // Rounding x^2 moves the exponential by x^2/2 units in the last place.
  const double slack = 1 + kUlp * (64 + x * x);
  return std::clamp(delta * slack, 0.0, 1.0);
}

void RequireMu(double mu) {
  if (!(mu >= 0)) {
    throw BadInput(fmt::format("mu is {}", mu), "mu",
                   "give the sensitivity over the deviation, 0 or more");
  }
}
void RequireEpsilon(double epsilon) {
  if (!(epsilon >= 0)) {
    throw BadInput(fmt::format("epsilon is {}", epsilon), "epsilon",
                   "give a number, 0 or more");
  }
}

// How many of the releases concern the record. Chances below `negligible` are
// left out and add up to `lost` at most.
struct Binomial {
  struct Term {
    double n, chance;
  };
  std::vector<Term> terms;
  double lost = 0;
};

// By ratios of neighbours from the mode on, which needs no large logarithms.
Binomial Likely(std::int64_t count, double rate, double negligible) {
  const auto trials = static_cast<double>(count);
  const double mode = std::min(std::floor((trials + 1) * rate), trials);
  const double odds = rate / (1 - rate);
  Binomial result;
  double total = 0;
  const auto walk = [&](double from, double step) {
    double chance = 1;
    for (double n = from; n >= 0 && n <= trials; n += step) {
      if (n != mode || step > 0) {
        result.terms.push_back({n, chance});
        total += chance;
      }
      const double ratio = step > 0 ? (trials - n) / (n + 1) * odds
                                    : n / (trials - n + 1) / odds;
      chance *= ratio;
      // The ratios fall with the distance from the mode.
      if (chance < negligible) {
        result.lost += ratio < 1 ? chance / (1 - ratio) : 0;
        return;
      }
    }
  };
  walk(mode, 1);
  walk(mode, -1);
  for (Binomial::Term& term : result.terms) term.chance /= total;
  return result;
}

}  // namespace

double GaussianDelta(double mu, double epsilon) {
  RequireMu(mu);
  RequireEpsilon(epsilon);
  if (mu == 0 || std::isinf(epsilon)) return 0;
  if (std::isinf(mu)) return 1;
  // x rounded down, so delta is rounded up.
  const double size = epsilon / mu + mu / 2;
  const double x = epsilon / mu - mu / 2 - 2 * kUlp * size;
  return DeltaAt(mu, std::max(x, -mu / 2));
}

double GaussianEpsilon(double mu, double delta) {
  RequireMu(mu);
  CheckDelta(delta);
  if (mu == 0) return 0;
  if (std::isinf(mu)) return mu;
  double low = -mu / 2;
  if (DeltaAt(mu, low) <= delta) return 0;
  // Solved for x, where the problem is well conditioned for every mu.
  // delta <= Q(x) <= exp(-x^2/2)/2 bounds it from above.
  double high = std::max(std::sqrt(-2 * std::log(delta)), 0.0) + 1e-9;
  while (true) {
    const double middle = low + (high - low) / 2;
    if (!(middle > low && middle < high)) break;
    (DeltaAt(mu, middle) <= delta ? high : low) = middle;
  }
  const double epsilon = mu * (high + mu / 2);
  return epsilon + 4 * kUlp * mu * (std::abs(high) + mu / 2);
}

double GaussianMu(double epsilon, double delta) {
  RequireEpsilon(epsilon);
  CheckDelta(delta);
  if (std::isinf(epsilon)) return epsilon;
  // Two values that are surely small enough: delta <= Q(x) <= exp(-x^2/2), and
  // delta <= delta(0) <= mu / sqrt(2 pi).
  const double x = std::sqrt(-2 * std::log(delta));
  double low = std::max(2 * epsilon / (x + std::sqrt(x * x + 2 * epsilon)),
                        delta * 2.5) *
               (1 - 1e-12);
  double high = 2 * low;
  while (GaussianDelta(high, epsilon) <= delta) high *= 2;
  while (true) {
    const double middle = low + (high - low) / 2;
    if (!(middle > low && middle < high)) break;
    (GaussianDelta(middle, epsilon) <= delta ? low : high) = middle;
  }
  return low;
}

double RevealedGaussianEpsilon(const RevealedGaussians& releases,
                               double delta) {
  RequireMu(releases.mu);
  CheckDelta(delta);
  if (!(releases.rate > 0 && releases.rate <= 1) || releases.count < 1) {
    throw BadInput(
        fmt::format("{} releases with rate {}", releases.count, releases.rate),
        "releases", "give a rate in (0, 1] and a count of 1 or more");
  }
  const auto most = std::sqrt(static_cast<double>(releases.count));
  if (releases.rate == 1) return GaussianEpsilon(releases.mu * most, delta);
  const Binomial often = Likely(releases.count, releases.rate, 1e-15 * delta);
  const auto delta_at = [&](double epsilon) {
    double sum = often.lost;
    for (const auto& [n, chance] : often.terms) {
      sum += chance * GaussianDelta(releases.mu * std::sqrt(n), epsilon);
    }
    return sum * (1 + 1e-12);
  };
  if (delta_at(0) <= delta) return 0;
  double low = 0, high = GaussianEpsilon(releases.mu * most, delta);
  while (high - low > 1e-12 * high) {
    const double middle = low + (high - low) / 2;
    (delta_at(middle) <= delta ? high : low) = middle;
  }
  return high;
}

}  // namespace sfumato::dp
