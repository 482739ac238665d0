// What was reserved and released on one root population, and whether more fits.
//
//   Standing standing{.filter = &kinds.FilterFor({})};
//   standing.Reserve(kinds.Of(event), event.count);
//   const bool fits = standing.Judge() == Verdict::kFits;
//
// Two proofs meet here. Together they hold for any spender:
//
// kOpen    Nothing was released yet, so whatever is reserved was chosen without
//          seeing anything: a plan. A reservation may enter when the filter
//          (filter.h) holds everything, or when the whole plan composes to the
//          budget by privacy loss distributions, which asks for less.
// kFilter  From the first release on, if the filter held the plan then: only
//          the filter admits, settled for the order that suits the plan best.
//          Everything that was ever released is below its bounds, so its
//          theorem covers the whole history.
// kPlan    From the first release on, if the plan held by the composition
//          alone: only what the plan has. Runs may stop, what they give back
//          may be reserved again, in any order and by other runs, but never
//          more of any kind of event than was planned. Each history is then an
//          interaction with the planned mechanisms, none asked twice, and
//          those compose as if asked in a row (Vadhan and Zhang 2023,
//          "Concurrent composition theorems for differential privacy").
//
// The stage is settled by reservations made before any release, so each
// population lives under one proof from beginning to end. Letting a half-used
// plan continue under the filter would put some histories under one proof and
// some under the other, and cost delta twice.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dp/accounting/event.h"
#include "dp/accounting/filter.h"

namespace sfumato::dp {

enum class Stage { kOpen, kFilter, kPlan };
std::string_view Name(Stage stage);  // "open", "filter", "plan"

// What the first release on a root population settled.
struct Settlement {
  Stage stage = Stage::kOpen;
  double order = 0;  // of the filter; 0 where it has none
  bool operator==(const Settlement&) const = default;
};

// Events that cost the same: count and cohort are gone, and of the population
// only the root, or the cell of a partition, is left.
struct Kind {
  Event event;
  std::string key;                 // its JSON
  std::optional<FilterCost> cost;  // nothing where the filter has no proof
  std::string unproven = "";       // then, why
};

// The kinds of one root population's events; costs are computed once.
class Kinds {
 public:
  explicit Kinds(const Budget& budget) : open_(budget) {}
  // Throws as Filter::Cost, except Unsupported.
  const Kind& Of(const Event& event);
  // The kind that was written as `key`. Throws Corrupt for any other text.
  const Kind& At(const std::string& key);
  const Budget& budget() const { return open_.budget(); }
  // The open filter, or in stage kFilter the settled one. Throws Corrupt for an
  // order that is not in kFilterOrders.
  const Filter& FilterFor(const Settlement& settlement);

 private:
  Filter open_;
  std::map<double, Filter> settled_;  // by order
  std::map<std::string, Kind> kinds_;
};

struct Tally {
  const Kind* kind = nullptr;
  std::int64_t planned = 0;   // reserved when the first value was released
  std::int64_t reserved = 0;  // and not yet released
  std::int64_t released = 0;
};

enum class Verdict {
  kFits,
  kFitsPlan,
  kAskPlan,  // it fits if PlanEpsilon is within the budget
  kRefused,
};

struct Standing {
  const Filter* filter = nullptr;  // of its settlement
  Settlement settlement = {};
  std::vector<Tally> tallies = {};  // sorted by key

  // Throws BadInput when counts pass 2^53, above which sums are not exact.
  void Reserve(const Kind& kind, std::int64_t count);
  Verdict Judge() const;
  // ComposedEpsilon of all that was reserved or released.
  double PlanEpsilon() const;
  // The first release: fixes plan, stage and the filter's order.
  void FixStage(Kinds& kinds);

  // For the filter; nothing where it has no proof for one of them.
  std::optional<std::vector<Charge>> Charges(bool with_reserved) const;
  // The share of the filter that is used; infinite without a proof.
  double Used(bool with_reserved = true) const;
  std::vector<Event> Reserved() const;
  std::vector<Event> Released() const;
};

// By privacy loss distributions, if the list was fixed in advance; infinite
// (or 1) where they have no proof. Partitions as in WithoutPartitions.
double ComposedEpsilon(std::span<const Event> events, double delta);
double ComposedGuess(std::span<const Event> events);

// A finite share of a budget in words: "12.3 %", "12 times the budget".
std::string ShareText(double share);

}  // namespace sfumato::dp
