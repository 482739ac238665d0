#include "dp/accounting/filter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/error.h"
#include "dp/accounting/gaussian.h"
#include "dp/accounting/privacy_loss.h"
#include "dp/accounting/rdp.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kOrders = kFilterOrders.size();
constexpr double kSettledShare = 0.75;
// Orders that share the rest: the eight lowest of these that have room, among
// which Gaussian noise finds a good one, and the last, for pure epsilons.
constexpr std::array<double, 19> kOtherOrders = {
    2,  3,  4,   6,   8,   12,  16,  24,  32,  48,
    64, 96, 128, 192, 256, 384, 512, 768, 1024};
constexpr std::size_t kLowestOrders = 8;

// Bounds are lowered by this share, far above the rounding of a sum of counts
// times costs and far below anything that a person would miss.
constexpr double kRounding = 1e-12;

// The divergence that converts to exactly `epsilon`: the inverse of
// RdpToEpsilon where that is linear, so never with its floor at 0.
double Bound(double order, double epsilon, double delta) {
  return epsilon - std::log1p(-1 / order) +
         (std::log(delta) + std::log(order)) / (order - 1);
}

std::size_t PlaceOf(double order) {
  const auto found =
      std::find(kFilterOrders.begin(), kFilterOrders.end(), order);
  if (found == kFilterOrders.end()) {
    throw BadInput(fmt::format("order {}", order), "filter",
                   "give one of the filter's orders");
  }
  return static_cast<std::size_t>(found - kFilterOrders.begin());
}

}  // namespace

std::string_view Name(FilterKind kind) {
  return kind == FilterKind::kRdp ? "rdp" : "gdp";
}

void CheckBudget(const Budget& budget) {
  if (!(budget.epsilon > 0 && std::isfinite(budget.epsilon))) {
    throw BadInput(fmt::format("epsilon is {}", budget.epsilon), "budget",
                   "give a finite number above 0");
  }
  CheckDelta(budget.delta);
}

// Of all charges, by place in kFilterOrders.
struct Filter::Sums {
  std::array<double, kOrders> divergence = {};
  double delta = 0;

  void Add(const FilterCost& cost, double count) {
    for (std::size_t i = 0; i < kOrders; ++i) {
      // A useless order stays useless; 0 of it is nothing.
      if (count > 0) divergence[i] += count * cost.divergence[i];
    }
    delta += count * cost.delta;
  }
  void Add(const Sums& other) {
    for (std::size_t i = 0; i < kOrders; ++i) {
      divergence[i] += other.divergence[i];
    }
    delta += other.delta;
  }
  void RaiseTo(const Sums& other) {
    for (std::size_t i = 0; i < kOrders; ++i) {
      divergence[i] = std::max(divergence[i], other.divergence[i]);
    }
    delta = std::max(delta, other.delta);
  }
};

Filter::Filter(const Budget& budget) : budget_(budget) {
  CheckBudget(budget);
  if (budget.filter == FilterKind::kGdp) {
    const double mu = GaussianMu(budget.epsilon, budget.delta);
    bound_[0] = mu * mu * (1 - kRounding);
    return;
  }
  own_delta_ = kOwnDeltaShare * budget.delta;
  for (std::size_t i = 0; i < kOrders; ++i) {
    Hold(i, kSettledShare * (budget.delta - own_delta_));
  }
}

Filter::Filter(const Budget& budget, double order) : Filter(budget) {
  if (budget.filter == FilterKind::kGdp) return;
  order_ = order;
  const std::size_t place = PlaceOf(order);
  const double rest = (1 - kSettledShare) * (budget.delta - own_delta_);
  std::vector<std::size_t> others;
  for (const double other : kOtherOrders) {
    const bool last = other == kOtherOrders.back();
    if (other == order || (others.size() >= kLowestOrders && !last)) continue;
    if (Bound(other, budget.epsilon, rest / (kLowestOrders + 1)) > 0) {
      others.push_back(PlaceOf(other));
    }
  }
  for (std::size_t i = 0; i < kOrders; ++i) {
    if (i != place) bound_[i] = delta_[i] = 0;
  }
  for (const std::size_t i : others) {
    Hold(i, rest / static_cast<double>(others.size()));
  }
}

void Filter::Hold(std::size_t place, double delta) {
  delta_[place] = delta;
  bound_[place] =
      std::max(0.0, Bound(kFilterOrders[place], budget_.epsilon, delta) *
                        (1 - kRounding));
}

Filter Filter::Settled(std::span<const Charge> reserved) const {
  const Sums sums = Add(reserved);
  std::size_t best = 0;
  for (std::size_t i = 1; i < kOrders; ++i) {
    if (bound_[i] > 0 && !(sums.divergence[best] / bound_[best] <=
                           sums.divergence[i] / bound_[i])) {
      best = i;
    }
  }
  return Filter(budget_, kFilterOrders[best]);
}

FilterCost Filter::Cost(const Event& event) const {
  CheckEvent(event);
  if (event.adjacency != budget_.adjacency || event.unit != budget_.unit) {
    throw BadInput(
        fmt::format("an event of {} and {} where the budget is of {} and {}",
                    Name(event.adjacency), Name(event.unit),
                    Name(budget_.adjacency), Name(budget_.unit)),
        "event", "account each adjacency and unit by a budget of its own");
  }
  FilterCost cost{
      .partition = event.population.partition,
      .cell = event.population.partition.empty() ? "" : event.population.name};
  if (budget_.filter == FilterKind::kGdp) {
    const double mu = PlainGaussianMu(event);
    if (!(mu > 0)) {
      throw Unsupported(
          fmt::format("a {} event with sampling {} under a GDP filter",
                      Name(event.mechanism), Name(event.sampling)),
          "event",
          "the budget was made for Gaussian noise without sampling; give other "
          "releases a population with the filter rdp");
    }
    cost.divergence[0] = mu * mu;
    return cost;
  }
  const std::vector<RdpCost> curve = RdpCurve(event, kFilterOrders);
  for (std::size_t i = 0; i < kOrders; ++i) {
    cost.divergence[i] = curve[i].divergence;
    cost.delta = std::max(cost.delta, curve[i].delta);
  }
  return cost;
}

Filter::Sums Filter::Add(std::span<const Charge> charges) const {
  Sums everybody;
  std::map<std::string, std::map<std::string, Sums>> partitions;
  for (const auto& [cost, count] : charges) {
    if (count < 0) throw BadInput("a negative count", "charge");
    Sums& sums = cost.partition.empty() ? everybody
                                        : partitions[cost.partition][cost.cell];
    sums.Add(cost, static_cast<double>(count));
  }
  for (const auto& [partition, cells] : partitions) {
    Sums most;
    for (const auto& [cell, sums] : cells) most.RaiseTo(sums);
    everybody.Add(most);
  }
  return everybody;
}

double Filter::Used(std::span<const Charge> charges) const {
  const Sums sums = Add(charges);
  double used = kInfinity;
  for (std::size_t i = 0; i < kOrders; ++i) {
    if (bound_[i] > 0) used = std::min(used, sums.divergence[i] / bound_[i]);
  }
  if (charges.empty()) used = 0;
  if (sums.delta > 0) used = std::max(used, sums.delta / own_delta_);
  return used;  // infinite for a budget that is too small for every order
}

bool Filter::Fits(std::span<const Charge> charges) const {
  return Used(charges) <= 1;
}

double Filter::Epsilon(std::span<const Charge> charges) const {
  if (charges.empty()) return 0;
  const Sums sums = Add(charges);
  if (budget_.filter == FilterKind::kGdp) {
    return sums.divergence[0] > 0
               ? GaussianEpsilon(std::sqrt(sums.divergence[0]), budget_.delta)
               : 0;
  }
  if (sums.delta > own_delta_) return kInfinity;
  double epsilon = kInfinity;
  for (std::size_t i = 0; i < kOrders; ++i) {
    if (!(bound_[i] > 0)) continue;
    epsilon = std::min(
        epsilon, RdpToEpsilon(kFilterOrders[i], sums.divergence[i], delta_[i],
                              Conversion::kCanonneKamathSteinke));
  }
  return epsilon;
}

}  // namespace sfumato::dp
