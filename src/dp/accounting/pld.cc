#include "dp/accounting/pld.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <map>
#include <vector>

#include "base/error.h"
#include "dp/accounting/composition.h"
#include "dp/accounting/gaussian.h"
#include "dp/accounting/partition.h"
#include "dp/accounting/privacy_loss.h"

namespace sfumato::dp {
namespace {

// Equal events once, all plain Gaussians as one.
struct Merged {
  double mu = 0;  // of all plain Gaussians together
  std::vector<Event> others;
};

Merged Merge(std::span<const Event> events) {
  Merged merged;
  double squares = 0;
  std::map<CostKey, std::size_t> places;
  for (const Event& event : events) {
    const double mu = PlainGaussianMu(event);
    if (mu > 0) {
      squares += static_cast<double>(event.count) * mu * mu;
      continue;
    }
    const auto [place, fresh] =
        places.try_emplace(CostKeyOf(event), merged.others.size());
    if (fresh) {
      merged.others.push_back(event);
    } else {
      merged.others[place->second].count += event.count;
    }
  }
  merged.mu = std::sqrt(squares);
  return merged;
}

std::vector<Term> Terms(const Merged& merged, Direction direction) {
  std::vector<Term> terms;
  for (const Event& event : merged.others) {
    terms.push_back(
        {PrivacyLoss(event, direction), static_cast<double>(event.count)});
  }
  if (merged.mu > 0) {
    const Event plain{.mechanism = Gaussian{1 / merged.mu}};
    terms.push_back({PrivacyLoss(plain, direction), 1});
  }
  return terms;
}

// Both directions where they differ, side by side; the larger answer.
template <typename F>
double WorseDirection(const Merged& merged, const F& answer) {
  const bool one_way = std::none_of(
      merged.others.begin(), merged.others.end(), [](const Event& event) {
        return event.adjacency == Adjacency::kAddRemove &&
               std::holds_alternative<Poisson>(event.sampling);
      });
  const std::vector<Term> remove = Terms(merged, Direction::kRemove);
  if (one_way) return answer(remove);
  const std::vector<Term> add = Terms(merged, Direction::kAdd);
  std::future<double> other =
      std::async(std::launch::async, [&] { return answer(add); });
  const double here = answer(remove);
  return std::max(here, other.get());
}

double DeltaOf(std::span<const Event> events, double epsilon,
               double coarseness) {
  if (!(epsilon >= 0)) {
    throw BadInput("epsilon must be 0 or more", "epsilon");
  }
  CheckEvents(events);
  if (events.empty()) return 0;
  const std::vector<Event> flat = WithoutPartitions(events);
  const Merged merged = Merge(flat);
  if (merged.others.empty()) return GaussianDelta(merged.mu, epsilon);
  return WorseDirection(merged, [&](std::span<const Term> terms) {
    return ComposedDelta(terms, epsilon, coarseness);
  });
}

}  // namespace

double PldEpsilon(std::span<const Event> events, double delta) {
  CheckDelta(delta);
  CheckEvents(events);
  if (events.empty()) return 0;
  const std::vector<Event> flat = WithoutPartitions(events);
  const Merged merged = Merge(flat);
  if (merged.others.empty()) return GaussianEpsilon(merged.mu, delta);
  return WorseDirection(merged, [&](std::span<const Term> terms) {
    return ComposedEpsilon(terms, delta);
  });
}

double PldDelta(std::span<const Event> events, double epsilon) {
  return DeltaOf(events, epsilon, 1);
}

// An epsilon of 0 that is off by 0.003 moves delta there by as much at most,
// and the odds, which are read in hundredths, by half of it.
double GuessedRight(std::span<const Event> events) {
  constexpr double kCoarseness = 100;
  return 0.5 * (1 + DeltaOf(events, 0, kCoarseness));
}

}  // namespace sfumato::dp
