#include "dp/accounting/sampled_gaussian.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "base/error.h"
#include "dp/accounting/rdp.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Rounding is far below; added so that what is printed is never below.
constexpr double kSlack = 1e-13;

bool IsWhole(double order) { return order == std::floor(order); }

void RequireOrder(double order) {
  if (!(order > 1 && std::isfinite(order))) {
    throw BadInput(fmt::format("order {}", order), "order",
                   "give a finite number above 1");
  }
}
void RequireNoise(double noise_multiplier) {
  if (!(noise_multiplier > 0)) {
    throw BadInput(fmt::format("noise multiplier {}", noise_multiplier),
                   "noise_multiplier", "give a number above 0");
  }
}
void RequireRate(double rate) {
  if (!(rate > 0 && rate <= 1)) {
    throw BadInput(fmt::format("sampling rate {}", rate), "rate",
                   "give a number above 0 and at most 1");
  }
}

// Logarithms are summed in long double: log C(1024, 512) is the difference of
// numbers near 6000, and its error is the term's relative error.
long double LogFactorial(int n) {
  static const auto table = [] {
    std::array<long double, 1025> logs{};
    for (std::size_t i = 1; i < logs.size(); ++i) {
      logs[i] = logs[i - 1] + std::log(static_cast<long double>(i));
    }
    return logs;
  }();
  return n < static_cast<int>(table.size()) ? table[static_cast<std::size_t>(n)]
                                            : std::lgamma(n + 1.0L);
}

// log(e^x - 1) and log(1 + e^x).
long double LogExpm1(long double x) {
  return x > 50 ? x : x + std::log(-std::expm1(-static_cast<double>(x)));
}
double Log1pExp(double x) { return x > 50 ? x : std::log1p(std::exp(x)); }

// log(e^a + e^b).
double LogSum(double a, double b) {
  const double high = std::max(a, b), low = std::min(a, b);
  return std::isinf(high) ? high : high + std::log1p(std::exp(low - high));
}

// j(j-1)/(2 z^2), the logarithm of a normal's j-th moment ratio.
long double MomentExponent(int j, double noise_multiplier) {
  const long double z = noise_multiplier;
  return 0.5L * j * (j - 1) / (z * z);
}

// log(1 + sum over k = 2…n of C(n, k) e^{log_term(k) + offset}) for one n after
// the other, rounded up. Starting from 1 instead of adding it as a term keeps
// the full precision of a sum of 1e-18, as small rates have. Doubles find the
// few terms that count; those are added in full precision.
template <typename LogTerm>
class BinomialSeries {
 public:
  explicit BinomialSeries(LogTerm log_term) : log_term_(std::move(log_term)) {}

  double LogOnePlus(int n, long double offset = 0) {
    Extend(n);
    double largest = -kInfinity;
    for (int k = 2; k <= n; ++k) largest = std::max(largest, Rough(n, k));
    if (!(largest < kInfinity)) return kInfinity;
    if (std::isinf(largest)) return 0;  // all terms are too small for a double
    const long double scale = static_cast<long double>(largest);
    double sum = 0;
    for (int k = 2; k <= n; ++k) {
      if (Rough(n, k) < largest - 45) continue;
      const auto at = static_cast<std::size_t>(k);
      sum += std::exp(
          static_cast<double>(exact_[at] - LogFactorial(n - k) - scale));
    }
    const auto log =
        static_cast<double>(scale + offset + LogFactorial(n) + std::log(sum));
    return Log1pExp(log + kSlack);
  }

 private:
  // The k-th term over n! and its offset.
  double Rough(int n, int k) const {
    return rough_[static_cast<std::size_t>(k)] -
           log_factorial_[static_cast<std::size_t>(n - k)];
  }
  void Extend(int n) {
    for (auto k = static_cast<int>(exact_.size()); k <= n; ++k) {
      exact_.push_back(k < 2 ? 0 : log_term_(k) - LogFactorial(k));
      rough_.push_back(static_cast<double>(exact_.back()));
      log_factorial_.push_back(static_cast<double>(LogFactorial(k)));
    }
  }

  LogTerm log_term_;
  std::vector<long double> exact_;
  std::vector<double> rough_;
  std::vector<double> log_factorial_;
};

// (order - 1) D is a cumulant generating function of the privacy loss, so it is
// convex in the order, and 0 at order 1: the chord between whole orders lies
// above it.
template <typename WholeDivergence>
double Interpolated(double order, WholeDivergence& divergence) {
  const double below = std::floor(order);
  if (below > 1e6) return kInfinity;  // more terms than are worth it
  if (below == order) return divergence(static_cast<int>(order));
  const double above_cumulant = below * divergence(static_cast<int>(below) + 1);
  const double below_cumulant =
      below == 1 ? 0 : (below - 1) * divergence(static_cast<int>(below));
  const double share = order - below;
  return ((1 - share) * below_cumulant + share * above_cumulant) / (order - 1);
}

// The curve of a bound that has whole orders only. Sampling never costs more
// than asking everyone: a Gaussian with noise z/2 under replace-one.
template <typename WholeDivergence>
std::vector<double> ReplaceOneCurve(std::span<const double> orders,
                                    double noise_multiplier,
                                    WholeDivergence divergence) {
  std::map<int, double> known;
  auto remembered = [&](int order) {
    const auto [place, is_new] = known.try_emplace(order, 0.0);
    if (is_new) place->second = divergence(order);
    return place->second;
  };
  std::vector<double> curve;
  for (const double order : orders) {
    RequireOrder(order);
    curve.push_back(std::min(Interpolated(order, remembered),
                             GaussianRdp(order, noise_multiplier / 2)));
  }
  return curve;
}

// Whole orders, Mironov et al., section 3.3:
//   A = sum over k of C(n,k) (1-q)^(n-k) q^k e^{k(k-1)/(2 z^2)},
// less the same sum without the exponential, which is 1.
auto PoissonWhole(double rate, double noise_multiplier) {
  const long double log_rest = std::log1p(-static_cast<long double>(rate));
  const long double log_odds =
      std::log(static_cast<long double>(rate)) - log_rest;
  return [log_rest, series = BinomialSeries([=](int k) {
                      return k * log_odds +
                             LogExpm1(MomentExponent(k, noise_multiplier));
                    })](int order) mutable {
    return series.LogOnePlus(order, order * log_rest) / (order - 1);
  };
}

// Fractional orders. With x normal, y = x/z - 1/(2 z^2) and u = q (e^y - 1),
// A - 1 = E[(1+u)^a - 1 - a u], since E[u] = 0: an integral of a positive
// function, analytic but for Im x = pi z. The trapezoid rule with step h errs
// by about e^{-2 pi s / h + s^2/2}, s < pi z the strip's half width; h is
// chosen to make that e^-42. The paper's series cancel instead.
class PoissonQuadrature {
 public:
  PoissonQuadrature(double largest_order, double rate, double noise_multiplier);

  // Whether the points are too many to be worth it.
  bool TooFine() const { return too_fine_; }
  // REQUIRES: 1 < order <= largest_order, not TooFine().
  double Divergence(double order) const;

 private:
  double LogAbove(double order, double largest) const;
  double Excess(double order) const;

  bool too_fine_ = false;
  double weight_ = 0;                // step / sqrt(2 pi)
  std::vector<double> half_square_;  // x^2 / 2
  std::vector<double> density_;      // e^{-x^2/2}
  std::vector<double> u_;
  std::vector<double> log_w_;  // log(1 + u)
};

PoissonQuadrature::PoissonQuadrature(double largest_order, double rate,
                                     double noise_multiplier) {
  constexpr double kReach = 9.5;  // the normal beyond is 1e-21
  const double mu = 1 / noise_multiplier;
  const double strip =
      std::min(0.95 * std::numbers::pi * noise_multiplier, std::sqrt(84.0));
  const double step = 2 * std::numbers::pi * strip / (42 + strip * strip / 2);
  // The k-th power of e^y moves the normal to k mu.
  const double high = std::max(2.0, largest_order) * mu + kReach;
  const double points = (high + kReach) / step;
  too_fine_ = !(points < 200000);
  if (too_fine_) return;
  weight_ = step * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  const double log_rate = std::log(rate);
  const auto count = static_cast<int>(points) + 2;
  for (int i = 0; i < count; ++i) {
    const double x = -kReach + i * step;
    const double y = mu * (x - mu / 2);
    const double u =
        y < 700 ? rate * std::expm1(y) : std::exp(log_rate + y) - rate;
    half_square_.push_back(x * x / 2);
    density_.push_back(std::exp(-x * x / 2));
    u_.push_back(u);
    log_w_.push_back(log_rate + y > 40 ? log_rate + y + kSlack : std::log1p(u));
  }
}

double PoissonQuadrature::Divergence(double order) const {
  double largest = -kInfinity;
  for (std::size_t i = 0; i < u_.size(); ++i) {
    largest = std::max(largest, order * log_w_[i] - half_square_[i]);
  }
  const double log_a = largest > 300 ? LogAbove(order, largest)
                                     : std::log1p(Excess(order) * (1 + kSlack));
  return log_a / (order - 1);
}

// log A where A is so large that the 1 + a u taken off does not count.
double PoissonQuadrature::LogAbove(double order, double largest) const {
  double sum = 0;
  for (std::size_t i = 0; i < u_.size(); ++i) {
    const double below = order * log_w_[i] - half_square_[i] - largest;
    if (below > -45) sum += std::exp(below);
  }
  return largest * (1 + 1e-15) + std::log(weight_ * sum) + kSlack;
}

// A - 1. (1+u)^a - 1 - a u is taken as its series where it is small and as
// w (w^(a-1) - 1) - (a-1) u elsewhere, which keeps its digits for a near 1.
double PoissonQuadrature::Excess(double order) const {
  double sum = 0;
  for (std::size_t i = 0; i < u_.size(); ++i) {
    const double u = u_[i];
    if (order * log_w_[i] > 40) {
      const double log = order * log_w_[i] - half_square_[i];
      if (log > -745) sum += std::exp(log);
      continue;
    }
    double excess;
    if (order * std::abs(u) < 0.1) {
      double term = order * (order - 1) / 2 * u * u;
      excess = 0;
      for (int k = 2; std::abs(term) > 1e-18 * excess; ++k) {
        excess += term;
        term *= (order - k) / (k + 1) * u;
      }
    } else {
      excess = (1 + u) * std::expm1((order - 1) * log_w_[i]) - (order - 1) * u;
    }
    sum += excess * density_[i];
  }
  return weight_ * sum;
}

// Poisson sampling with replace-one. Given everybody else's coins the two
// outputs are P = (1-q) r + q p and Q = (1-q) r + q p', where r, p and p' are
// normal around 0, v and v', |v|, |v'| <= S. As P - Q = q (p - p'),
//   E_Q (P/Q)^n = 1 + sum over j = 2…n of C(n,j) q^j E_Q[((p-p')/Q)^j].
// |p-p'|^j / Q^(j-1) is convex in Q, so its integral is at most (1-q) times the
// one with r in Q's place plus q times the one with p'; and as Q >= (1-q) r, it
// is at most (1-q)^(1-j) times the one with r alone. The integrals are
//   with r,  j = 2:  at most e^{1/z^2} + e^{1/z^2} - 2 e^{-1/z^2},
//   with r,  j > 2:  |p-p'|^j <= p^j + p'^j, so 2 e^{j(j-1)/(2 z^2)},
//   with p', j = 2:  at most e^{4/z^2} - 1,
//   with p', j > 2:  1 + e^{4 j(j-1)/(2 z^2)},
// and mixing over the others' coins adds nothing (joint quasi-convexity). It is
// the argument of Wang et al. 2019 for the fixed cohort.
double LogReplacedTerm(int j, double rate, double noise_multiplier) {
  const double precision = 1 / (noise_multiplier * noise_multiplier);
  const auto exponent =
      static_cast<double>(MomentExponent(j, noise_multiplier));
  const double log_rest = std::log1p(-rate), log_rate = std::log(rate);
  double with_empty, with_other;
  if (j == 2) {
    // 2 (e^x - e^-x) = 2 e^-x (e^2x - 1).
    with_empty = static_cast<double>(std::numbers::ln2 - precision +
                                     LogExpm1(2 * precision));
    with_other = static_cast<double>(LogExpm1(4 * precision));
  } else {
    with_empty = std::numbers::ln2 + exponent;
    with_other = Log1pExp(4 * exponent);
  }
  const double mixed = LogSum(log_rest + with_empty, log_rate + with_other);
  return std::min(mixed, (1 - j) * log_rest + with_empty);
}

auto PoissonReplaceOneWhole(double rate, double noise_multiplier) {
  const long double log_rate = std::log(static_cast<long double>(rate));
  return [series = BinomialSeries([=](int j) {
            return j * log_rate + LogReplacedTerm(j, rate, noise_multiplier);
          })](int order) mutable {
    return series.LogOnePlus(order) / (order - 1);
  };
}

// Theorem 9 of Wang et al. with epsilon(j) = j/(2 z^2) and epsilon(infinity)
// infinite. With x = 1/z^2 the second term takes min{4 (e^x - 1), 2 e^x}, the
// others 2 e^{(j-1) epsilon(j)}.
auto FixedSizeWhole(double rate, double noise_multiplier) {
  const long double log_rate = std::log(static_cast<long double>(rate));
  return [series = BinomialSeries([=](int j) {
            constexpr auto kLog2 = std::numbers::ln2_v<long double>;
            const long double exponent = MomentExponent(j, noise_multiplier);
            long double moment = kLog2 + exponent;
            if (j == 2)
              moment = std::min(moment, 2 * kLog2 + LogExpm1(exponent));
            return j * log_rate + moment;
          })](int order) mutable {
    return series.LogOnePlus(order) / (order - 1);
  };
}

}  // namespace

double GaussianRdp(double order, double noise_multiplier) {
  RequireOrder(order);
  RequireNoise(noise_multiplier);
  return order / (2 * noise_multiplier * noise_multiplier);
}

double FixedSizeGaussianRdp(int order, double rate, double noise_multiplier) {
  RequireNoise(noise_multiplier);
  RequireRate(rate);
  if (order < 2) {
    throw BadInput(fmt::format("order {}", order), "order",
                   "give a whole number, 2 or more");
  }
  return FixedSizeWhole(rate, noise_multiplier)(order);
}

double PoissonGaussianRdp(double order, double rate, double noise_multiplier) {
  return PoissonGaussianCurve({&order, 1}, rate, noise_multiplier).front();
}

std::vector<double> PoissonGaussianCurve(std::span<const double> orders,
                                         double rate, double noise_multiplier) {
  RequireRate(rate);
  RequireNoise(noise_multiplier);
  double largest_fraction = 1;
  for (const double order : orders) {
    RequireOrder(order);
    if (!IsWhole(order)) largest_fraction = std::max(largest_fraction, order);
  }
  std::vector<double> curve;
  if (rate == 1) {
    for (const double order : orders) {
      curve.push_back(GaussianRdp(order, noise_multiplier));
    }
    return curve;
  }
  auto whole = PoissonWhole(rate, noise_multiplier);
  const PoissonQuadrature quadrature(largest_fraction, rate, noise_multiplier);
  for (const double order : orders) {
    const double sampled = IsWhole(order) || quadrature.TooFine()
                               ? Interpolated(order, whole)
                               : quadrature.Divergence(order);
    curve.push_back(std::min(sampled, GaussianRdp(order, noise_multiplier)));
  }
  return curve;
}

std::vector<double> PoissonReplaceOneCurve(std::span<const double> orders,
                                           double rate,
                                           double noise_multiplier) {
  RequireRate(rate);
  RequireNoise(noise_multiplier);
  return ReplaceOneCurve(orders, noise_multiplier,
                         PoissonReplaceOneWhole(rate, noise_multiplier));
}

std::vector<double> FixedSizeCurve(std::span<const double> orders, double rate,
                                   double noise_multiplier) {
  RequireRate(rate);
  RequireNoise(noise_multiplier);
  return ReplaceOneCurve(orders, noise_multiplier,
                         FixedSizeWhole(rate, noise_multiplier / 2));
}

}  // namespace sfumato::dp
