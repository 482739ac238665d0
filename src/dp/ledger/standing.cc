#include "dp/ledger/standing.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/json.h"
#include "dp/accounting/partition.h"
#include "dp/accounting/pld.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

constexpr std::int64_t kMostEvents = std::int64_t{1} << 53;

Event KindOf(const Event& event) {
  Event kind = event;
  kind.count = 1;
  kind.cohort.clear();
  if (event.population.partition.empty()) {
    kind.population = {.name = event.population.Root()};
  }
  return kind;
}

std::vector<Event> Counted(std::span<const Tally> tallies,
                           std::int64_t Tally::* count) {
  std::vector<Event> events;
  for (const Tally& tally : tallies) {
    if (tally.*count == 0) continue;
    events.push_back(tally.kind->event);
    events.back().count = tally.*count;
  }
  return events;
}

}  // namespace

std::string_view Name(Stage stage) {
  switch (stage) {
    case Stage::kOpen:
      return "open";
    case Stage::kFilter:
      return "filter";
    case Stage::kPlan:
      return "plan";
  }
  return "open";
}

const Kind& Kinds::Of(const Event& event) {
  Event kind = KindOf(event);
  std::string key = ToJson(kind).dump();
  const auto found = kinds_.find(key);
  if (found != kinds_.end()) return found->second;
  Kind made{.event = kind, .key = key, .cost = std::nullopt};
  try {
    made.cost = open_.Cost(kind);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kUnsupported) throw;
    made.unproven = error.what();
  }
  return kinds_.emplace(std::move(key), std::move(made)).first->second;
}

const Filter& Kinds::FilterFor(const Settlement& settlement) {
  if (settlement.stage != Stage::kFilter ||
      open_.budget().filter == FilterKind::kGdp) {
    return open_;
  }
  // After a release the open filter, which may still choose, proves nothing.
  if (std::find(kFilterOrders.begin(), kFilterOrders.end(), settlement.order) ==
      kFilterOrders.end()) {
    throw Corrupt(
        fmt::format("a filter settled for order {}", settlement.order),
        "populations", "'sfumato ledger verify' says more");
  }
  return settled_
      .try_emplace(settlement.order, open_.budget(), settlement.order)
      .first->second;
}

const Kind& Kinds::At(const std::string& key) {
  const auto found = kinds_.find(key);
  if (found != kinds_.end()) return found->second;
  try {
    return Of(EventFromJson(base::ParseJson(key), "charges"));
  } catch (const Error& error) {
    throw Corrupt(
        fmt::format("an event that cannot be read ({})", error.what()),
        "charges", "'sfumato ledger verify' says more");
  }
}

void Standing::Reserve(const Kind& kind, std::int64_t count) {
  auto at = std::lower_bound(tallies.begin(), tallies.end(), kind.key,
                             [](const Tally& tally, const std::string& key) {
                               return tally.kind->key < key;
                             });
  if (at == tallies.end() || at->kind->key != kind.key) {
    at = tallies.insert(at, Tally{.kind = &kind});
  }
  if (count > kMostEvents - at->reserved - at->released) {
    throw BadInput("more than 2^53 events of one kind", Describe(kind.event),
                   "reserve fewer");
  }
  at->reserved += count;
}

std::optional<std::vector<Charge>> Standing::Charges(bool with_reserved) const {
  std::vector<Charge> charges;
  for (const Tally& tally : tallies) {
    const std::int64_t count =
        tally.released + (with_reserved ? tally.reserved : 0);
    if (count == 0) continue;
    if (!tally.kind->cost) return std::nullopt;
    charges.push_back({.cost = *tally.kind->cost, .count = count});
  }
  return charges;
}

double Standing::Used(bool with_reserved) const {
  const auto charges = Charges(with_reserved);
  return charges ? filter->Used(*charges)
                 : std::numeric_limits<double>::infinity();
}

Verdict Standing::Judge() const {
  if (settlement.stage == Stage::kPlan) {
    const bool within =
        std::all_of(tallies.begin(), tallies.end(), [](const Tally& tally) {
          return tally.reserved + tally.released <= tally.planned;
        });
    return within ? Verdict::kFitsPlan : Verdict::kRefused;
  }
  if (Used() <= 1) return Verdict::kFits;
  return settlement.stage == Stage::kOpen ? Verdict::kAskPlan
                                          : Verdict::kRefused;
}

double Standing::PlanEpsilon() const {
  std::vector<Event> events = Reserved();
  const std::vector<Event> released = Released();
  events.insert(events.end(), released.begin(), released.end());
  return ComposedEpsilon(events, filter->budget().delta);
}

void Standing::FixStage(Kinds& kinds) {
  const auto charges = Charges(true);
  if (charges && filter->Fits(*charges)) {
    settlement = {.stage = Stage::kFilter,
                  .order = filter->Settled(*charges).order()};
    filter = &kinds.FilterFor(settlement);
  } else {
    settlement = {.stage = Stage::kPlan};
  }
  for (Tally& tally : tallies) tally.planned = tally.reserved;
}

std::vector<Event> Standing::Reserved() const {
  return Counted(tallies, &Tally::reserved);
}
std::vector<Event> Standing::Released() const {
  return Counted(tallies, &Tally::released);
}

double ComposedEpsilon(std::span<const Event> events, double delta) {
  try {
    return PldEpsilon(WithoutPartitions(events), delta);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kUnsupported) throw;
    return std::numeric_limits<double>::infinity();
  }
}

double ComposedGuess(std::span<const Event> events) {
  try {
    return GuessedRight(WithoutPartitions(events));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kUnsupported) throw;
    return 1;
  }
}

std::string ShareText(double share) {
  // From here on three digits of a percentage have an exponent.
  if (share < 9.995) return fmt::format("{:.3g} %", 100 * share);
  return share < 1e15 ? fmt::format("{:.0f} times the budget", share)
                      : fmt::format("{:.1e} times the budget", share);
}

}  // namespace sfumato::dp
