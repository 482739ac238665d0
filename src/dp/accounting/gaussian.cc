#include "dp/accounting/gaussian.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

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

}  // namespace sfumato::dp
