#include "dp/accounting/pld.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <future>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "dp/accounting/composition.h"
#include "dp/accounting/gaussian.h"
#include "dp/accounting/privacy_loss.h"

namespace sfumato::dp {
namespace {

// Equal events once, all plain Gaussians as one.
using Signature = std::array<double, 8>;

Signature SignatureOf(const Event& event) {
  Signature key{};
  key[0] = static_cast<double>(event.mechanism.index());
  std::visit(
      [&]<typename T>(const T& m) {
        if constexpr (requires { m.noise_multiplier; }) {
          key[1] = m.noise_multiplier;
        }
        if constexpr (requires { m.sensitivity; }) {
          key[2] = static_cast<double>(m.sensitivity);
        }
        if constexpr (requires { m.epsilon; }) key[3] = m.epsilon;
        if constexpr (requires { m.delta; }) key[4] = m.delta;
        if constexpr (std::is_same_v<T, DiscreteGaussian>) {
          key[5] = static_cast<double>(m.dimension);
        }
      },
      event.mechanism);
  key[6] = static_cast<double>(event.sampling.index());
  key[7] = Rate(event.sampling);
  return key;
}

struct Merged {
  double mu = 0;  // of all plain Gaussians together
  std::vector<Event> others;
};

Merged Merge(std::span<const Event> events) {
  Merged merged;
  double squares = 0;
  std::map<Signature, std::size_t> places;
  for (const Event& event : events) {
    const double mu = PlainGaussianMu(event);
    if (mu > 0) {
      squares += static_cast<double>(event.count) * mu * mu;
      continue;
    }
    const auto [place, fresh] =
        places.try_emplace(SignatureOf(event), merged.others.size());
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

// Under add-remove a unit is in one population of each partition, so that the
// worst choice of one population a partition bounds the whole (rule 6). Too
// many choices are simply added up, which is never less.
template <typename F>
double WorstChoice(std::span<const Event> events, const F& answer) {
  constexpr std::size_t kMostChoices = 64;
  std::vector<Event> everywhere;
  std::map<std::string, std::map<std::string, std::vector<Event>>> partitions;
  std::size_t choices = 1;
  for (const Event& event : events) {
    if (event.population.partition.empty()) {
      everywhere.push_back(event);
    } else {
      partitions[event.population.partition][event.population.name].push_back(
          event);
    }
  }
  for (const auto& [name, cells] : partitions) {
    choices = std::min(choices * cells.size(), kMostChoices + 1);
  }
  if (choices == 1 || choices > kMostChoices) return answer(events);
  double worst = 0;
  for (std::size_t choice = 0; choice < choices; ++choice) {
    std::vector<Event> chosen = everywhere;
    std::size_t left = choice;
    for (const auto& [name, cells] : partitions) {
      const auto& cell = *std::next(
          cells.begin(), static_cast<std::ptrdiff_t>(left % cells.size()));
      chosen.insert(chosen.end(), cell.second.begin(), cell.second.end());
      left /= cells.size();
    }
    worst = std::max(worst, answer(std::span<const Event>(chosen)));
  }
  return worst;
}

}  // namespace

double PldEpsilon(std::span<const Event> events, double delta) {
  CheckDelta(delta);
  CheckEvents(events);
  if (events.empty()) return 0;
  return WorstChoice(events, [&](std::span<const Event> chosen) {
    const Merged merged = Merge(chosen);
    if (merged.others.empty()) return GaussianEpsilon(merged.mu, delta);
    return WorseDirection(merged, [&](std::span<const Term> terms) {
      return ComposedEpsilon(terms, delta);
    });
  });
}

double PldDelta(std::span<const Event> events, double epsilon) {
  if (!(epsilon >= 0)) {
    throw BadInput("epsilon must be 0 or more", "epsilon");
  }
  CheckEvents(events);
  if (events.empty()) return 0;
  return WorstChoice(events, [&](std::span<const Event> chosen) {
    const Merged merged = Merge(chosen);
    if (merged.others.empty()) return GaussianDelta(merged.mu, epsilon);
    return WorseDirection(merged, [&](std::span<const Term> terms) {
      return ComposedDelta(terms, epsilon);
    });
  });
}

double GuessedRight(std::span<const Event> events) {
  return 0.5 * (1 + PldDelta(events, 0));
}

}  // namespace sfumato::dp
