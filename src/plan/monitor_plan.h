// Several inspections of one population, one after another: what they cost
// together, before the first.
//
//   const MonitorPlan plan = PlanMonitor(config, facts, {.name = "watch",
//                                                        .repeat = 12});
//   plan.epsilon;                        // of all twelve, at plan.delta
//   ReserveMonitor(ledger, plan);        // all of it, or nothing
//
// Thresholds that are private quantiles are asked in the first inspection and
// kept. Everything else is asked and trained again each time; people may have
// changed sides, so the inspections compose (rule 6). Stopping early looks only
// at what was released, so the price of all still holds.

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

struct MonitorPlan {
  bool simulation = false;
  std::vector<InspectPlan> inspections = {};
  double noise_multiplier = 0;
  double delta = 0;
  double epsilon = 0;  // of everything
  double guessed_right = 0;
  std::string against = "";

  std::vector<dp::Event> Events() const;
};

// "01", "02", …
std::string NumberName(std::int64_t number);

// What inspection `number` (from 1) is told, but for thresholds that the first
// one releases: its config is for PlanInspection under "NAME/NUMBER".
config::TrainConfig ConfigOfRepetition(const config::TrainConfig& config,
                                       const MonitorPlan& plan,
                                       std::int64_t number);

// With privacy.epsilon and no noise multiplier the noise is found so that all
// inspections cost that much together. Throws as PlanInspection.
MonitorPlan PlanMonitor(const config::TrainConfig& config,
                        const DataFacts& data, const MonitorOptions& options);

// Throws budget_spent when the ledger cannot pay, with how many it could.
LedgerPrice PriceIn(dp::Ledger& ledger, const MonitorPlan& plan);
// Sets everything aside but what the first `over` inspections cost: those were
// held, or given back. The same call again changes nothing.
void ReserveMonitor(dp::Ledger& ledger, const MonitorPlan& plan,
                    std::size_t over = 0);

// Whether all of that was reserved, also if it was given back since.
bool IsReserved(dp::Ledger& ledger, const MonitorPlan& plan,
                std::size_t over = 0);

// What all inspections cost with whatever was repeated after stops and paid
// again; nothing where nothing was.
std::optional<double> EpsilonWithRepeated(dp::Ledger& ledger,
                                          const MonitorPlan& plan);

// The lines Plan, Costs and Means.
std::string PriceLines(const MonitorPlan& plan,
                       const LedgerPrice* price = nullptr);

}  // namespace sfumato::plan
