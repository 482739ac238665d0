#include "dp/accounting/partition.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace sfumato::dp {
namespace {

using Cells = std::map<std::string, std::int64_t>;  // a count for each

std::int64_t Most(const Cells& cells) {
  std::int64_t most = 0;
  for (const auto& [cell, count] : cells) most = std::max(most, count);
  return most;
}

// The squared signal of Gaussian rounds, about proportional to their cost.
double Signal(const Event& event, double noise) {
  const double mu = Rate(event.sampling) / noise;
  return static_cast<double>(event.count) * mu * mu;
}

// Of every kind, as many as the cell that has most. `partition` has events
// without their cells' names, each with the counts of the cells.
struct Kind {
  Event event;
  Cells cells;
};

std::vector<Event> ByKind(std::span<const Kind> partition) {
  std::vector<Event> out;
  for (const Kind& kind : partition) {
    out.push_back(kind.event);
    out.back().count = Most(kind.cells);
  }
  return out;
}

// One event dearer than all, if all are Gaussian rounds drawn in one way. More
// noise, and a lower rate, never cost more.
std::optional<Event> Dearest(std::span<const Kind> partition) {
  Event dearest = partition.front().event;
  Cells cells;
  for (const Kind& kind : partition) {
    const auto* noise = std::get_if<Gaussian>(&kind.event.mechanism);
    if (noise == nullptr ||
        kind.event.sampling.index() != dearest.sampling.index()) {
      return std::nullopt;
    }
    auto& least = std::get<Gaussian>(dearest.mechanism).noise_multiplier;
    least = std::min(least, noise->noise_multiplier);
    if (Rate(kind.event.sampling) > Rate(dearest.sampling)) {
      dearest.sampling = kind.event.sampling;
    }
    for (const auto& [cell, count] : kind.cells) cells[cell] += count;
  }
  dearest.count = Most(cells);
  return dearest;
}

std::vector<Event> Flatten(std::span<const Kind> partition) {
  std::vector<Event> by_kind = ByKind(partition);
  const std::optional<Event> dearest = Dearest(partition);
  if (!dearest || by_kind.size() == 1) return by_kind;
  double apart = 0;
  for (const Event& event : by_kind) {
    apart +=
        Signal(event, std::get<Gaussian>(event.mechanism).noise_multiplier);
  }
  const double together =
      Signal(*dearest, std::get<Gaussian>(dearest->mechanism).noise_multiplier);
  if (together < apart) return {*dearest};
  return by_kind;
}

}  // namespace

std::vector<Event> WithoutPartitions(std::span<const Event> events) {
  std::vector<Event> out;
  std::map<std::string, std::vector<Kind>> partitions;
  for (const Event& event : events) {
    Event common = event;
    common.population = {.name = event.population.Root()};
    common.cohort.clear();
    if (event.population.partition.empty()) {
      out.push_back(std::move(common));
      continue;
    }
    common.count = 1;
    std::vector<Kind>& kinds = partitions[event.population.partition];
    auto kind = std::find_if(kinds.begin(), kinds.end(),
                             [&](const Kind& k) { return k.event == common; });
    if (kind == kinds.end()) kind = kinds.insert(kind, {common, {}});
    kind->cells[event.population.name] += event.count;
  }
  for (const auto& [name, kinds] : partitions) {
    const std::vector<Event> flat = Flatten(kinds);
    out.insert(out.end(), flat.begin(), flat.end());
  }
  return out;
}

}  // namespace sfumato::dp
