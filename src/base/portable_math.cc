#include "base/portable_math.h"

#include <cmath>

namespace sfumato::base {
namespace {

// ln 2 and pi/2 in two parts: the first has trailing zero bits, so that its
// product with a small integer is exact.
constexpr double kLn2High = 0x1.62e42fee00000p-1;
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
constexpr double kHalfPiHigh = 0x1.921fb54400000p+0;
constexpr double kHalfPiLow = 0x1.0b4611a626331p-34;

// Taylor series for |r| <= pi/4.
double SinSeries(double r) {
  const double r2 = r * r;
  double term = r;
  double sum = r;
  for (int k = 1; k <= 9; ++k) {
    term *= -r2 / ((2 * k) * (2 * k + 1));
    sum += term;
  }
  return sum;
}

double CosSeries(double r) {
  const double r2 = r * r;
  double term = 1.0;
  double sum = 1.0;
  for (int k = 1; k <= 9; ++k) {
    term *= -r2 / ((2 * k - 1) * (2 * k));
    sum += term;
  }
  return sum;
}

// sin(x + quarter_turns * pi/2)
double SinTurned(double x, int quarter_turns) {
  const double turns = std::floor(x / (kHalfPiHigh + kHalfPiLow) + 0.5);
  const double r = (x - turns * kHalfPiHigh) - turns * kHalfPiLow;
  const long long quadrant = static_cast<long long>(turns) + quarter_turns;
  const double value = (quadrant & 1) ? CosSeries(r) : SinSeries(r);
  return (quadrant & 2) ? -value : value;
}

}  // namespace

double PortableExp(double x) {
  if (x < -700.0) return 0.0;
  // x = k ln 2 + r with |r| <= ln(2)/2, and e^x = 2^k e^r.
  const double k = std::floor(x / (kLn2High + kLn2Low) + 0.5);
  const double r = (x - k * kLn2High) - k * kLn2Low;
  double sum = 1.0;
  for (int n = 14; n >= 1; --n) sum = 1.0 + sum * r / n;
  return std::ldexp(sum, static_cast<int>(k));
}

double PortableLog(double x) {
  // x = m 2^k with m in [1/√2, √2), and log m = 2 atanh((m-1)/(m+1)).
  int k = 0;
  double m = std::frexp(x, &k);
  if (m < 0x1.6a09e667f3bcdp-1) {
    m *= 2.0;
    --k;
  }
  const double s = (m - 1.0) / (m + 1.0);
  const double s2 = s * s;
  double sum = 0.0;
  for (int n = 23; n >= 1; n -= 2) sum = 1.0 / n + s2 * sum;
  return k * kLn2High + (2.0 * s * sum + k * kLn2Low);
}

double PortableSin(double x) { return SinTurned(x, 0); }
double PortableCos(double x) { return SinTurned(x, 1); }

}  // namespace sfumato::base
