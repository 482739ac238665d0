#include "census/answer/count_law.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sfumato::census {
namespace {

constexpr double kNegligible = 1e-15;

// Without its ends, as long as what they hold is negligible.
CountLaw Trimmed(CountLaw law) {
  std::vector<double>& chances = law.chances;
  const auto ends = [](auto from, auto to) {
    double left = 0;
    std::size_t cut = 0;
    for (; from != to; ++from, ++cut) {
      left += *from;
      if (left > kNegligible) break;
    }
    return cut;
  };
  const std::size_t back = ends(chances.rbegin(), chances.rend());
  chances.resize(chances.size() - std::min(back, chances.size() - 1));
  const std::size_t front =
      std::min(ends(chances.begin(), chances.end()), chances.size() - 1);
  chances.erase(chances.begin(),
                chances.begin() + static_cast<std::ptrdiff_t>(front));
  law.first += static_cast<std::int64_t>(front);
  return law;
}

double LogBinomial(double n, double k, double p) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
         k * std::log(p) + (n - k) * std::log1p(-p);
}

// From the mode to both sides, until nothing is left; `ratio` is that of the
// chances of k + 1 and k.
template <typename Ratio>
CountLaw FromMode(double n, double mode, double top, const Ratio& ratio) {
  std::vector<double> down;
  double term = top;
  for (double k = mode; k > 0 && term > 1e-20; --k) {
    term /= ratio(k - 1);
    down.push_back(term);
  }
  CountLaw law{.first = static_cast<std::int64_t>(mode) -
                        static_cast<std::int64_t>(down.size()),
               .chances = {down.rbegin(), down.rend()}};
  term = top;
  law.chances.push_back(term);
  for (double k = mode; k < n && term > 1e-20; ++k) {
    term *= ratio(k);
    law.chances.push_back(term);
  }
  return Trimmed(std::move(law));
}

// P(Binomial(n, p) ≤ k).
double BinomialAtMost(double n, double k, double p) {
  if (k >= n || p <= 0) return 1;
  if (k < 0 || p >= 1) return 0;
  double term = std::exp(LogBinomial(n, k, p));
  double sum = term;
  for (double j = k; j > 0 && term > sum * 1e-17; --j) {
    term *= j / (n - j + 1) * (1 - p) / p;
    sum += term;
  }
  // Above the mean the terms first rise on the way down, from what may be 0.
  if (k > n * p && term == 0) return 1;
  return std::min(1.0, sum);
}

// [i]: P(law ≥ first + i).
std::vector<double> TailsOf(const CountLaw& law) {
  std::vector<double> tails = law.chances;
  for (std::size_t i = tails.size() - 1; i > 0; --i) tails[i - 1] += tails[i];
  return tails;
}

double TailFrom(const CountLaw& a, const CountLaw& b,
                const std::vector<double>& tails, std::int64_t t) {
  double sum = 0;
  for (std::size_t i = a.chances.size(); i-- > 0;) {
    const std::int64_t rest =
        t - a.first - static_cast<std::int64_t>(i) - b.first;
    if (rest >= static_cast<std::int64_t>(tails.size())) break;
    sum += a.chances[i] *
           tails[static_cast<std::size_t>(std::max<std::int64_t>(rest, 0))];
  }
  return sum;
}

// The p in 0 … 1 where a falling function is `chance`.
template <typename Falling>
double WhereFalling(const Falling& function, double chance) {
  double low = 0;
  double high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (function(middle) > chance ? low : high) = middle;
  }
  return high;
}

}  // namespace

CountLaw BinomialLaw(double n, double p) {
  n = std::ceil(std::max(0.0, n));
  if (p <= 0 || n == 0) return {};
  if (p >= 1) return {.first = static_cast<std::int64_t>(n)};
  const double mode = std::floor(std::min(n, (n + 1) * p));
  return FromMode(n, mode, std::exp(LogBinomial(n, mode, p)),
                  [&](double k) { return (n - k) / (k + 1) * p / (1 - p); });
}

CountLaw NextLaw(double n, std::int64_t hits, std::int64_t of) {
  n = std::ceil(std::max(0.0, n));
  if (of <= 0 || n == 0) return {};
  if (hits >= of) return {.first = static_cast<std::int64_t>(n)};
  const auto a = static_cast<double>(hits) + 1;
  const auto b = static_cast<double>(of - hits);
  const double mode = std::clamp(
      std::floor((n + 1) * (a - 1) / std::max(1.0, a + b - 2)), 0.0, n);
  const double top = std::lgamma(n + 1) - std::lgamma(mode + 1) -
                     std::lgamma(n - mode + 1) + std::lgamma(mode + a) +
                     std::lgamma(n - mode + b) - std::lgamma(n + a + b) +
                     std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b);
  return FromMode(n, mode, std::exp(top), [&](double k) {
    return (n - k) / (k + 1) * (k + a) / (n - k - 1 + b);
  });
}

CountLaw LawOf(const NoiseLaw& noise) {
  if (noise.kind == NoiseKind::kNone) return {};
  std::int64_t last = 1;
  while (TailFrom(noise, last) > 0.5 * kNegligible) last *= 2;
  CountLaw law{.first = -last, .chances = {}};
  // Not by Pmf, which would sum a Gaussian's weights for each of them.
  double all = 0;
  for (std::int64_t x = -last; x <= last; ++x) {
    const double z = static_cast<double>(x) / noise.parameter;
    law.chances.push_back(std::exp(
        noise.kind == NoiseKind::kLaplace ? -std::abs(z) : -0.5 * z * z));
    all += law.chances.back();
  }
  for (double& chance : law.chances) chance /= all;
  return Trimmed(std::move(law));
}

CountLaw Sum(const CountLaw& a, const CountLaw& b) {
  if (a.chances.size() < b.chances.size()) return Sum(b, a);
  CountLaw law{.first = a.first + b.first,
               .chances = std::vector<double>(
                   a.chances.size() + b.chances.size() - 1, 0.0)};
  for (std::size_t j = 0; j < b.chances.size(); ++j) {
    const double chance = b.chances[j];
    for (std::size_t i = 0; i < a.chances.size(); ++i) {
      law.chances[i + j] += chance * a.chances[i];
    }
  }
  return Trimmed(std::move(law));
}

CountLaw SumOf(const CountLaw& law, std::int64_t times) {
  CountLaw sum;
  CountLaw doubled = law;
  for (; times > 0; times /= 2) {
    if (times % 2 == 1) sum = Sum(sum, doubled);
    if (times > 1) doubled = Sum(doubled, doubled);
  }
  return sum;
}

CountLaw ScaledUp(const CountLaw& law, double factor) {
  const auto to = [&](std::size_t i) {
    const double exact =
        factor * static_cast<double>(law.first + static_cast<std::int64_t>(i));
    // A product that is whole but for rounding stays what it is.
    const double near = std::round(exact);
    return static_cast<std::int64_t>(
        std::abs(exact - near) < 1e-9 * std::max(1.0, std::abs(exact))
            ? near
            : std::ceil(exact));
  };
  const std::size_t last = law.chances.size() - 1;
  const std::int64_t low = std::min(to(0), to(last));
  const std::int64_t high = std::max(to(0), to(last));
  CountLaw scaled{
      .first = low,
      .chances = std::vector<double>(static_cast<std::size_t>(high - low + 1))};
  for (std::size_t i = 0; i <= last; ++i) {
    scaled.chances[static_cast<std::size_t>(to(i) - low)] += law.chances[i];
  }
  return scaled;
}

double TailFrom(const CountLaw& a, const CountLaw& b, double t) {
  return TailFrom(a, b, TailsOf(b), static_cast<std::int64_t>(std::ceil(t)));
}

std::int64_t ThresholdOf(const CountLaw& a, const CountLaw& b, double chance) {
  const std::vector<double> tails = TailsOf(b);
  std::int64_t low = a.first + b.first;  // everything reaches it
  std::int64_t high =
      low + static_cast<std::int64_t>(a.chances.size() + b.chances.size()) - 1;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (TailFrom(a, b, tails, middle) <= chance ? high : low) = middle;
  }
  return high;
}

double UpperBound(std::int64_t hits, std::int64_t of, double chance) {
  if (of <= 0 || hits >= of) return 1;
  return WhereFalling(
      [&](double p) {
        return BinomialAtMost(static_cast<double>(of),
                              static_cast<double>(hits), p);
      },
      chance);
}

double LowerBound(std::int64_t hits, std::int64_t of, double chance) {
  if (of <= 0 || hits <= 0) return 0;
  // At least `hits` hits are at most the others' misses.
  return 1 - UpperBound(of - hits, of, chance);
}

double UpperBound(double count, double n, const CountLaw& noise,
                  double chance) {
  if (!(n > 0)) return 1;
  const auto t = static_cast<std::int64_t>(std::floor(count)) + 1;
  return WhereFalling(
      [&](double p) {
        const CountLaw hits = BinomialLaw(n, p);
        // P(≤ count), not 1 - P(> count), which would lose small chances.
        std::vector<double> at_most(hits.chances.size());
        std::partial_sum(hits.chances.begin(), hits.chances.end(),
                         at_most.begin());
        double below = 0;
        for (std::size_t i = 0; i < noise.chances.size(); ++i) {
          const std::int64_t most =
              t - 1 - noise.first - static_cast<std::int64_t>(i) - hits.first;
          if (most < 0) break;
          below += noise.chances[i] *
                   at_most[std::min(at_most.size() - 1,
                                    static_cast<std::size_t>(most))];
        }
        return below;
      },
      chance);
}

}  // namespace sfumato::census
