#include "census/answer/difference.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace sfumato::census {
namespace {

// What is computed for some rates holds for those between them with this much
// to spare; difference_test.cc tries them.
constexpr double kToSpare = 0.97;
// Steps of the rate, in half deviations of a count; far from 0 wider ones, in
// parts of the angle whose sine's square is the rate.
constexpr double kStep = 0.25;
constexpr double kWidestStep = 1.0 / 40;
constexpr int kHalvings = 20;
constexpr double kMostMultiple = 64;
// What is expected less exactly than that moves no whole count.
constexpr double kMovesNothing = 0.25;

double VarianceOf(const CountLaw& law) {
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < law.chances.size(); ++i) {
    const auto x = static_cast<double>(law.first) + static_cast<double>(i);
    sum += law.chances[i] * x;
    squares += law.chances[i] * x * x;
  }
  return squares - sum * sum;
}

// x with P(normal ≥ x) = chance.
double NormalAbove(double chance) {
  double low = 0;
  double high = 40;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    const double above = 0.5 * std::erfc(middle / std::numbers::sqrt2);
    (above > chance ? low : high) = middle;
  }
  return high;
}

std::vector<double> Rates(double users) {
  std::vector<double> rates;
  for (double angle = 0; angle < std::numbers::pi / 2;
       angle += std::max(kStep / std::sqrt(users), kWidestStep * angle)) {
    const double sine = std::sin(angle);
    rates.push_back(sine * sine);
  }
  rates.push_back(1);
  return rates;
}

}  // namespace

Difference::Difference(const DifferenceQuestion& question)
    : question_(question),
      ratio_(question.many / question.few),
      noise_(LawOf(question.noise)),
      noise_variance_(VarianceOf(noise_) * (1 + ratio_ * ratio_)),
      users_variance_(VarianceOf(question.users_noise) * (1 + ratio_ * ratio_)),
      deviations_(NormalAbove(question.chance)),
      least_scatter_(static_cast<double>(
          ThresholdOf(noise_, ScaledUp(noise_, ratio_), question.chance))) {
  std::vector<Laws> laws;
  for (const double rate : Rates(std::max(question.few, question.many))) {
    laws.push_back(LawsAt(rate));
  }
  const auto holds = [&](double multiple) {
    const Leasts leasts = LeastsOf(laws, multiple);
    return std::ranges::all_of(laws, [&](const Laws& at) {
      return ChanceOf(at, leasts) <= kToSpare * question_.chance;
    });
  };
  double low = 0;
  double high = 1;
  while (!holds(high) && high < kMostMultiple) {
    low = high;
    high *= 2;
  }
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (holds(middle) ? high : low) = middle;
  }
  multiple_ = high;
}

// Where neither group has anything but the same rate: how far they may lie
// apart. It grows with both counts, so that more marks never make less of a
// difference enough.
double Difference::Scatter(double count_of_few, double count_of_many) const {
  const double rate = std::clamp(
      (count_of_few + count_of_many) / (question_.few + question_.many), 0.0,
      1.0);
  const double half = std::min(rate, 0.5);
  const double variance = question_.many * half * (1 - half) * (1 + ratio_) +
                          noise_variance_ + rate * rate * users_variance_;
  return std::max(least_scatter_, deviations_ * std::sqrt(variance));
}

double Difference::Least(double count_of_few, double more,
                         double multiple) const {
  const double expected = ratio_ * count_of_few + more;
  const auto reached = [&](double count) {
    const double by = count - expected;
    return by > 0 && by >= multiple * Scatter(count_of_few, count);
  };
  double low = std::floor(expected);
  double step = 16;
  while (!reached(low + step) && step < 1e15) step *= 2;
  double high = low + step;
  while (high - low > 1) {
    const double middle = std::floor(0.5 * (low + high));
    (reached(middle) ? high : low) = middle;
  }
  return high;
}

double Difference::LeastCount(double count_of_few, double more) const {
  return Least(count_of_few, more, multiple_);
}

Difference::Laws Difference::LawsAt(double rate) const {
  Laws laws{.few = Sum(BinomialLaw(question_.few, rate), noise_),
            .many = Sum(BinomialLaw(question_.many, rate), noise_),
            .tails = {}};
  const double moved = rate * std::max(1.0, ratio_);
  if (moved * std::sqrt(VarianceOf(question_.users_noise)) > kMovesNothing) {
    const CountLaw both = Sum(question_.users_noise, question_.users_noise);
    laws.many = Sum(laws.many, ScaledUp(both, moved));
  }
  laws.tails = laws.many.chances;
  for (std::size_t i = laws.tails.size() - 1; i > 0; --i) {
    laws.tails[i - 1] += laws.tails[i];
  }
  return laws;
}

// For every count that one of the laws has.
Difference::Leasts Difference::LeastsOf(const std::vector<Laws>& laws,
                                        double multiple) const {
  std::int64_t first = laws[0].few.first;
  std::int64_t last = first;
  for (const Laws& at : laws) {
    first = std::min(first, at.few.first);
    last = std::max(last, at.few.first + std::ssize(at.few.chances) - 1);
  }
  Leasts leasts{.first = first};
  for (std::int64_t count = first; count <= last; ++count) {
    leasts.counts.push_back(static_cast<std::int64_t>(
        Least(static_cast<double>(count), 0, multiple)));
  }
  return leasts;
}

double Difference::ChanceOf(const Laws& laws, const Leasts& leasts) {
  double sum = 0;
  for (std::size_t i = 0; i < laws.few.chances.size(); ++i) {
    const auto place = static_cast<std::size_t>(laws.few.first - leasts.first);
    const std::int64_t at = leasts.counts[place + i] - laws.many.first;
    if (at >= std::ssize(laws.tails)) continue;
    sum += laws.few.chances[i] *
           laws.tails[static_cast<std::size_t>(std::max<std::int64_t>(at, 0))];
  }
  return sum;
}

double Difference::ChanceAt(double rate) const {
  const std::vector<Laws> laws = {LawsAt(rate)};
  return ChanceOf(laws[0], LeastsOf(laws, multiple_));
}

}  // namespace sfumato::census
