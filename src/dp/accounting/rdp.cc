#include "dp/accounting/rdp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "base/error.h"
#include "dp/accounting/sampled_gaussian.h"
#include "dp/accounting/sensitivity.h"
#include "dp/accounting/votes.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What one occurrence costs when everyone takes part, as a function of the
// order, and the chance outside of it.
struct Unsampled {
  std::function<double(double order)> divergence;
  double delta = 0;
};

// e^x - 1 - x.
double ExpExcess(double x) {
  if (std::abs(x) > 0.3) return std::expm1(x) - x;
  double term = x * x / 2, sum = 0;
  for (int k = 3; std::abs(term) > 1e-18 * sum; ++k) {
    sum += term;
    term *= x / k;
  }
  return sum;
}

// Mironov 2017, Proposition 6, t = sensitivity over scale:
//   log((a e^{(a-1)t} + (a-1) e^{-at}) / (2a-1)) / (a-1).
// It is convex in t and 0 at 0, so of all vectors of one L1 norm the worst has
// a single entry.
double LaplaceRdp(double order, double t) {
  const double a = order;
  const double up = (a - 1) * t;
  if (up > 50) {
    return (up + std::log(a / (2 * a - 1)) +
            std::log1p((a - 1) / a * std::exp(-(2 * a - 1) * t))) /
           (a - 1);
  }
  const double excess = a * ExpExcess(up) + (a - 1) * ExpExcess(-a * t);
  return std::log1p(excess / (2 * a - 1)) / (a - 1);
}

// Randomised response, which every epsilon-DP mechanism is a post-processing
// of (Kairouz, Oh and Viswanath 2015), with e^epsilon to 1 odds:
//   log((e^{a epsilon} + e^{(1-a) epsilon}) / (1 + e^epsilon)) / (a-1).
double PureRdp(double order, double epsilon) {
  const double a = order;
  if (a * epsilon > 50) {
    return (a * epsilon - epsilon - std::log1p(std::exp(-epsilon)) +
            std::log1p(std::exp((1 - 2 * a) * epsilon))) /
           (a - 1);
  }
  const double excess =
      std::expm1(a * epsilon) * -std::expm1((1 - a) * epsilon);
  return std::log1p(excess / (1 + std::exp(epsilon))) / (a - 1);
}

// Agarwal, Kairouz and Liu 2021, Theorem 3.5, `variance` that of the noise:
// whole orders; between them the convex cumulant (order - 1) D lies below the
// chord.
double SkellamWholeRdp(double order, double l1, double l2, double variance) {
  const double square = l2 * l2;
  return order * square / (2 * variance) +
         std::min(
             ((2 * order - 1) * square + 6 * l1) / (4 * variance * variance),
             3 * l1 / (2 * variance));
}
double SkellamRdp(double order, double l1, double l2, double variance) {
  const double below = std::floor(order), share = order - below;
  const auto cumulant = [&](double whole) {
    return (whole - 1) * SkellamWholeRdp(whole, l1, l2, variance);
  };
  if (share == 0) return SkellamWholeRdp(order, l1, l2, variance);
  return ((1 - share) * cumulant(below) + share * cumulant(below + 1)) /
         (order - 1);
}

struct UnsampledCost {
  Adjacency adjacency;

  Unsampled Normal(double noise_multiplier) const {
    return {[=](double order) { return GaussianRdp(order, noise_multiplier); }};
  }

  Unsampled operator()(const Gaussian& m) const {
    return Normal(m.noise_multiplier / Moves(adjacency));
  }
  // Canonne, Kamath and Steinke 2020, Theorem 4: no more than the continuous.
  Unsampled operator()(const DiscreteGaussian& m) const {
    return Normal(m.noise_multiplier / Moves(adjacency));
  }
  // Bins of one unit alone stay hidden except with probability delta; the
  // others are a Gaussian's, whose noise does not depend on what is hidden.
  Unsampled operator()(const ThresholdedHistogram& m) const {
    Unsampled cost = Normal(m.noise_multiplier / Moves(adjacency));
    cost.delta = m.delta;
    return cost;
  }
  Unsampled operator()(const Vote& m) const {
    return Normal(m.sigma / std::sqrt(VoteSensitivitySquared(m, adjacency)));
  }
  Unsampled operator()(const Laplace& m) const {
    const double t = Moves(adjacency) / m.noise_multiplier;
    return {[=](double order) { return LaplaceRdp(order, t); }};
  }
  Unsampled operator()(const Skellam& m) const {
    const double deviation =
        m.noise_multiplier * static_cast<double>(m.sensitivity);
    const double l2 = Moves(adjacency) * static_cast<double>(m.sensitivity);
    const double l1 = Moves(adjacency) * static_cast<double>(m.l1_sensitivity);
    return {[=](double order) {
      return SkellamRdp(order, l1, l2, deviation * deviation);
    }};
  }
  Unsampled operator()(const Pure& m) const {
    return {[e = m.epsilon](double order) { return PureRdp(order, e); }};
  }
  // Murtagh and Vadhan 2016: everything is shown with chance delta, else
  // randomised response.
  Unsampled operator()(const Approximate& m) const {
    return {[e = m.epsilon](double order) { return PureRdp(order, e); },
            m.delta};
  }
  Unsampled operator()(const Unprotected&) const {
    return {[](double) { return std::numeric_limits<double>::infinity(); }};
  }
};

// A coin that the outsider sees: log(1 - q + q e^{(a-1) D}) / (a-1).
double RevealedRdp(double order, double rate, double divergence) {
  const double exponent = (order - 1) * divergence;
  if (exponent > 50) {
    const double shown = std::log(rate) + exponent;
    return std::max(shown, 0.0) / (order - 1) +
           std::log1p(std::exp(-std::abs(shown))) / (order - 1);
  }
  return std::log1p(rate * std::expm1(exponent)) / (order - 1);
}

std::vector<RdpCost> UnsampledCurve(const Event& event,
                                    std::span<const double> orders) {
  const Unsampled cost =
      std::visit(UnsampledCost{event.adjacency}, event.mechanism);
  std::vector<RdpCost> curve;
  for (const double order : orders) {
    curve.push_back({cost.divergence(order), cost.delta});
  }
  return curve;
}

std::vector<RdpCost> RevealedCurve(const Event& event, double rate,
                                   std::span<const double> orders) {
  std::vector<RdpCost> curve = UnsampledCurve(event, orders);
  for (std::size_t i = 0; i < orders.size(); ++i) {
    curve[i].divergence = RevealedRdp(orders[i], rate, curve[i].divergence);
    curve[i].delta *= rate;
  }
  return curve;
}

// The noise of a sampled Gaussian; the only mechanism with a theorem here for
// a secret sample.
double SampledNoise(const Event& event) {
  if (const auto* gaussian = std::get_if<Gaussian>(&event.mechanism)) {
    return gaussian->noise_multiplier;
  }
  throw Unsupported(
      fmt::format("Rényi divergence of the mechanism '{}' with sampling '{}'",
                  Name(event.mechanism), Name(event.sampling)),
      "event",
      "use the PLD accountant, or sampling 'revealed' or 'all', which cost "
      "more and are proven");
}

std::vector<RdpCost> Costs(const std::vector<double>& divergences) {
  std::vector<RdpCost> costs;
  for (const double divergence : divergences) costs.push_back({divergence, 0});
  return costs;
}

struct CurveOf {
  const Event& event;
  std::span<const double> orders;

  std::vector<RdpCost> operator()(const All&) const {
    return UnsampledCurve(event, orders);
  }
  std::vector<RdpCost> operator()(const Revealed& s) const {
    return RevealedCurve(event, s.rate, orders);
  }
  std::vector<RdpCost> operator()(const Poisson& s) const {
    if (s.rate == 1) return UnsampledCurve(event, orders);
    const double noise = SampledNoise(event);
    return Costs(event.adjacency == Adjacency::kAddRemove
                     ? PoissonGaussianCurve(orders, s.rate, noise)
                     : PoissonReplaceOneCurve(orders, s.rate, noise));
  }
  std::vector<RdpCost> operator()(const FixedSize& s) const {
    if (s.cohort == s.population) return UnsampledCurve(event, orders);
    return Costs(FixedSizeCurve(orders, Rate(s), SampledNoise(event)));
  }
};

void RequireOrder(double order) {
  if (!(order > 1 && std::isfinite(order))) {
    throw BadInput(fmt::format("order {}", order), "order",
                   "give a finite number above 1");
  }
}

// Sums over events, one entry for each order.
using Totals = std::vector<RdpCost>;

void AddTo(Totals& totals, const Totals& costs, double count) {
  if (totals.empty()) totals.resize(costs.size());
  for (std::size_t i = 0; i < costs.size(); ++i) {
    totals[i].divergence += count * costs[i].divergence;
    totals[i].delta += count * costs[i].delta;
  }
}

// Each user is in one population of a partition and pays for that one alone:
// the dearest, at every order.
Totals DearestOf(const std::map<std::string, Totals>& cells) {
  Totals dearest = cells.begin()->second;
  for (const auto& [name, cell] : cells) {
    for (std::size_t i = 0; i < cell.size(); ++i) {
      dearest[i].divergence =
          std::max(dearest[i].divergence, cell[i].divergence);
      dearest[i].delta = std::max(dearest[i].delta, cell[i].delta);
    }
  }
  return dearest;
}

Totals Compose(std::span<const Event> events, std::span<const double> orders) {
  std::map<CostKey, Totals> known;
  // Partition, then population; whatever is in no partition is alone in "".
  std::map<std::string, std::map<std::string, Totals>> sums;
  for (const Event& event : events) {
    const auto [place, is_new] = known.try_emplace(CostKeyOf(event));
    if (is_new) place->second = RdpCurve(event, orders);
    const std::string& partition = event.population.partition;
    const std::string cell = partition.empty() ? "" : event.population.name;
    AddTo(sums[partition][cell], place->second,
          static_cast<double>(event.count));
  }
  Totals totals;
  for (const auto& [partition, cells] : sums) {
    AddTo(totals, DearestOf(cells), 1);
  }
  return totals;
}

}  // namespace

RdpCost Rdp(const Event& event, double order) {
  return RdpCurve(event, {&order, 1}).front();
}

std::vector<RdpCost> RdpCurve(const Event& event,
                              std::span<const double> orders) {
  CheckEvent(event);
  RequireProtection(event);
  for (const double order : orders) RequireOrder(order);
  return std::visit(CurveOf{event, orders}, event.sampling);
}

std::span<const double> DefaultOrders() {
  static const std::vector<double> orders = [] {
    std::vector<double> list;
    for (int tenth = 11; tenth < 110; ++tenth) list.push_back(tenth / 10.0);
    for (int order = 11; order < 64; ++order) list.push_back(order);
    for (int order = 128; order <= 1024; order *= 2) list.push_back(order);
    return list;
  }();
  return orders;
}

double RdpToEpsilon(double order, double divergence, double delta,
                    Conversion conversion) {
  RequireOrder(order);
  CheckDelta(delta);
  if (!(divergence >= 0)) {
    throw BadInput(fmt::format("Rényi divergence {}", divergence), "divergence",
                   "give a number, 0 or more");
  }
  if (conversion == Conversion::kMironov) {
    return divergence - std::log(delta) / (order - 1);
  }
  // A divergence of order above 1 bounds Kullback and Leibler's, and that the
  // total variation by sqrt(1 - e^-KL) (Bretagnolle and Huber 1979).
  if (delta * delta >= -std::expm1(-divergence)) return 0;
  return std::max(0.0, divergence + std::log1p(-1 / order) -
                           (std::log(delta) + std::log(order)) / (order - 1));
}

RdpResult RdpEpsilon(std::span<const Event> events, double delta) {
  CheckDelta(delta);
  CheckEvents(events);
  if (events.empty()) return {};
  const std::span<const double> orders = DefaultOrders();
  const Totals totals = Compose(events, orders);
  RdpResult best{.epsilon = kInfinity};
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const double left = delta - totals[i].delta;
    if (!(left > 0)) continue;
    const double epsilon = RdpToEpsilon(orders[i], totals[i].divergence, left,
                                        Conversion::kCanonneKamathSteinke);
    if (epsilon < best.epsilon) best = {epsilon, orders[i]};
  }
  return best;
}

}  // namespace sfumato::dp
