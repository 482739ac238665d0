// Several inspections of one population, one after another: what they cost
// together, before the first.
//
//   const MonitorPlan plan = PlanMonitor(config, facts, {.name = "watch",
//                                                        .repeat = 12});
//   plan.epsilon;                        // of all twelve, at plan.delta
//   Reserve(ledger, plan);               // all of it, or nothing
//
// Thresholds that are private quantiles are asked in the first inspection and
// kept. Everything else is asked and trained again each time; people may have
// changed sides, so the inspections compose (rule 6 of docs/privacy_proofs.md).
// Stopping early depends only on what was released, so the price of all still
// holds.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dp/ledger/ledger.h"
#include "plan/inspect_plan_text.h"

namespace sfumato::plan {

struct MonitorOptions {
  std::string name = "monitor";  // unique in the ledger
  std::int64_t repeat = 1;
};

// The runs of all inspections, one after another.
struct MonitorPlan : Plan {
  std::vector<InspectPlan> inspections = {};

  // The plan without the first `done` inspections, which ran or were given
  // back.
  Plan Remaining(std::size_t done) const;
};

// "01", "02", …
std::string NumberName(std::int64_t number);

// The config of inspection `number` (from 1), except for thresholds that the
// first one releases: its config is for PlanInspection under "NAME/NUMBER".
config::TrainConfig ConfigOfRepetition(const config::TrainConfig& config,
                                       const MonitorPlan& plan,
                                       std::int64_t number);

// With privacy.epsilon and no noise multiplier the noise is found so that all
// inspections cost that much together. Throws as PlanInspection.
MonitorPlan PlanMonitor(const config::TrainConfig& config,
                        const DataFacts& data, const MonitorOptions& options);

// Throws budget_spent if the ledger cannot pay, with how many it could pay for.
LedgerPrice GrantedIn(dp::Ledger& ledger, const MonitorPlan& plan);

// The cost of all inspections including what was repeated after a stop and paid
// again; nothing if nothing was repeated.
std::optional<double> EpsilonWithRepeated(dp::Ledger& ledger,
                                          const MonitorPlan& plan);

// The lines Plan, Costs and Means.
std::string PriceLines(const MonitorPlan& plan,
                       const LedgerPrice* price = nullptr);

}  // namespace sfumato::plan
