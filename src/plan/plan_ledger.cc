#include "plan/plan_ledger.h"

#include <algorithm>

#include "base/error.h"
#include "dp/accounting/partition.h"
#include "dp/ledger/standing.h"
#include "fmt/format.h"
#include "plan/budget_text.h"
#include "report/number_text.h"

namespace sfumato::plan {
namespace {

void AddPopulation(dp::Ledger& ledger, const PlannedRun& run) {
  const dp::Population& population = run.population;
  if (population.Root() == population.name) return;  // is there, or is refused
  const std::vector<std::string> there = ledger.Populations();
  if (std::ranges::find(there, population.name) == there.end()) {
    ledger.AddPopulation({.name = population.name,
                          .root = population.root,
                          .partition = population.partition,
                          .selected = population.selected,
                          .owner = run.name});
  } else if (ledger.TotalsOf(population.name).population != population) {
    throw BadInput(
        fmt::format("the ledger has another population '{}'", population.name),
        "ledger", "choose another folder for the inspection");
  }
}

Error NotGranted(dp::Ledger& ledger, const Plan& plan) {
  const dp::Totals totals = ledger.TotalsOf(plan.root);
  return Error(ErrorKind::kBudgetSpent,
               fmt::format("the plan (ε {} by itself) does not fit into what "
                           "is left of '{}': of ε {:g} granted {} is used",
                           report::BoundText(plan.epsilon), plan.root,
                           totals.budget.epsilon,
                           dp::ShareText(dp::SharesOf(totals).taken)),
               "ledger", "more noise or fewer rounds cost less");
}

// True when it was not there before.
bool ReserveRun(dp::Ledger& ledger, const Plan& plan, const PlannedRun& run) {
  const auto before = ledger.FindRun(run.name);
  if (before && before->finished) {
    // Given back by a refusal: nothing may be asked on the rest of a plan.
    if (before->released.empty()) throw NotGranted(ledger, plan);
    return false;
  }
  ledger.Reserve(run.name, run.population.name, run.events);
  return !before;
}

}  // namespace

LedgerPrice PriceIn(dp::Ledger& ledger, const Plan& plan) {
  ledger.CheckBound(plan.root, plan.dataset_ids);
  const dp::Totals totals = ledger.TotalsOf(plan.root);
  RequireGrantedDelta(plan.delta, totals);
  return {
      .granted_epsilon = totals.budget.epsilon,
      .granted_delta = totals.budget.delta,
      .used_before = dp::SharesOf(totals).taken,
      .price = ledger.PriceOf(plan.root, dp::WithoutPartitions(plan.Events()))};
}

void Reserve(dp::Ledger& ledger, const Plan& plan) {
  if (!plan.simulation) ledger.BindFirst(plan.root, plan.dataset_ids);
  for (const PlannedRun& run : plan.runs) AddPopulation(ledger, run);
  std::vector<std::string> reserved;
  try {
    for (const PlannedRun& run : plan.runs) {
      if (ReserveRun(ledger, plan, run)) reserved.push_back(run.name);
    }
  } catch (const Error&) {
    for (const std::string& run : reserved) ledger.Finish(run);
    throw;
  }
}

bool IsReserved(dp::Ledger& ledger, const Plan& plan) {
  return std::ranges::all_of(plan.runs, [&](const PlannedRun& run) {
    return ledger.FindRun(run.name).has_value();
  });
}

std::vector<dp::Event> Repeated(dp::Ledger& ledger, const Plan& plan) {
  std::vector<dp::Event> repeated;
  for (const PlannedRun& run : plan.runs) {
    std::vector<dp::RunPart> parts = ledger.PartsOf(run.name);
    if (!parts.empty()) parts.erase(parts.begin());  // what was planned
    for (const dp::RunPart& part : parts) {
      for (const auto* events : {&part.run.released, &part.run.reserved}) {
        repeated.insert(repeated.end(), events->begin(), events->end());
      }
    }
  }
  return repeated;
}

std::vector<dp::Event> ReleasedBy(dp::Ledger& ledger, const std::string& run) {
  std::vector<dp::Event> released;
  for (const dp::RunPart& part : ledger.PartsOf(run)) {
    released.insert(released.end(), part.run.released.begin(),
                    part.run.released.end());
  }
  return released;
}

void GiveBack(dp::Ledger& ledger, const Plan& plan) {
  for (const PlannedRun& run : plan.runs) ledger.FinishParts(run.name);
}

}  // namespace sfumato::plan
