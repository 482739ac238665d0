#include "dp/accounting/loss_sketch.h"

#include <algorithm>
#include <cmath>

namespace sfumato::dp {
namespace {

// 0, the atoms, and points whose distance grows with the loss.
std::vector<double> Points(const PrivacyLoss& loss, double lost_mass) {
  constexpr double kGrowth = 0.12;
  constexpr double kFinest = 1e-7;  // relative to the largest
  const double high = loss.High(lost_mass);
  const double low = loss.Low();
  const double widest = (high - low) / 256;
  const double finest = kFinest * std::max(high, -low);
  std::vector<double> points = loss.Atoms();
  points.push_back(0);
  for (double x = -low; x > finest; x -= std::min(kGrowth * x, widest)) {
    points.push_back(-x);
  }
  for (double x = high; x > finest; x -= std::min(kGrowth * x, widest)) {
    points.push_back(x);
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

}  // namespace

double ConnectTheDots(const PrivacyLoss& loss, std::span<const double> points,
                      std::span<double> masses) {
  Tails below = loss.Above(points[0]);
  masses[0] = std::max(0.0, 1 - below.p);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Tails above = loss.Above(points[i]);
    const double error = 2 * kTailError * below.p;
    const double p = std::max(0.0, below.p - above.p);
    const double q = std::max(0.0, below.q - above.q);
    const double gap = points[i] - points[i - 1];
    // Solves low + high = p and low + high e^-gap = q e^(lower point); what
    // rounding leaves open goes up.
    double high = p;
    if (points[i - 1] < 600) {
      high = (p - q * std::exp(points[i - 1]) + error) / -std::expm1(-gap);
      high = std::clamp(high, 0.0, p);
    }
    masses[i - 1] += p - high;
    masses[i] = high + error;
    below = above;
  }
  return below.p * (1 + kTailError);
}

double Ever(double p, double count) {
  return p >= 1 ? 1 : -std::expm1(count * std::log1p(-p)) * (1 + 1e-12);
}

Sketch::Sketch(std::span<const Term> terms, double lost_mass) {
  for (const Term& term : terms) {
    Part part{.points = Points(term.loss, lost_mass),
              .masses = {},
              .count = term.count};
    part.masses.assign(part.points.size(), 0.0);
    infinite_ +=
        Ever(ConnectTheDots(term.loss, part.points, part.masses), term.count);
    std::size_t last = part.masses.size() - 1;
    while (last > 0 && part.masses[last] == 0) --last;
    part.top = part.points[last];
    parts_.push_back(std::move(part));
  }
}

double Sketch::Cumulant(double theta) const {
  double sum = 0;
  for (const Part& part : parts_) {
    const double top = theta >= 0 ? part.top : part.points.front();
    double moment = 0;
    for (std::size_t i = 0; i < part.points.size(); ++i) {
      moment += part.masses[i] * std::exp(theta * (part.points[i] - top));
    }
    sum += part.count * (theta * top + std::log(moment));
  }
  return sum;
}

}  // namespace sfumato::dp
