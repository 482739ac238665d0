#include "plan/inspect_ledger.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "dp/accounting/partition.h"
#include "fmt/format.h"
#include "plan/budget_text.h"
#include "plan/consent.h"
#include "plan/dataset_ledger.h"
#include "plan/guarantee_text.h"
#include "plan/plan_fits.h"
#include "report/number_text.h"
#include "runs/run.h"

namespace sfumato::plan {
namespace {

Error NotGranted(dp::Ledger& ledger, const InspectPlan& plan) {
  const dp::Totals totals = ledger.TotalsOf(plan.root);
  const std::string ways = WhatFits(plan, [&](const InspectPlan& smaller) {
    return PriceIn(ledger, smaller).fits();
  });
  return Error(
      ErrorKind::kBudgetSpent,
      fmt::format("the inspection (ε {} by itself) does not fit into what is "
                  "left of '{}': of ε {:g} granted {} is used",
                  report::BoundText(plan.epsilon), plan.root,
                  totals.budget.epsilon,
                  dp::ShareText(dp::SharesOf(totals).taken)),
      "ledger",
      ways.empty()
          ? HintFor(PriceIn(ledger, plan).price,
                    "nothing of this kind fits any more; a larger budget has "
                    "to be granted, or fewer questions asked")
          : ways + " would fit");
}

// A simulation's run has a ledger of its own, if it was trained with noise.
std::vector<dp::Event> ReleasedInSimulation(const runs::RunRecord& made,
                                            const base::Path& folder) {
  const base::Path path = LedgerPath(made.config, /*simulation=*/true, folder);
  if (!std::filesystem::exists(path)) return {};
  dp::Ledger own = dp::Ledger::Open(path, "", dp::Ledger::Mode::kRead);
  return ReleasedBy(own, made.facts.ledger_run);
}

std::string Described(const std::vector<dp::Event>& events) {
  std::string text;
  for (const dp::Event& event : events) {
    text += (text.empty() ? "" : "; ") + dp::Describe(event);
  }
  return text;
}

std::vector<runs::LedgerEntry> EntriesOf(dp::Ledger& ledger, const Plan& plan) {
  std::vector<runs::LedgerEntry> entries;
  for (const PlannedRun& run : plan.runs) {
    for (const dp::RunPart& part : ledger.PartsOf(run.name)) {
      entries.push_back({.run = part.name,
                         .population = part.run.population.name,
                         .released = Described(part.run.released),
                         .reserved = Described(part.run.reserved),
                         .finished = part.run.finished});
    }
  }
  return entries;
}

}  // namespace

dp::Ledger InspectionLedger(const config::TrainConfig& config,
                            const InspectPlan& plan, const base::Path& folder,
                            const std::string& key) {
  const base::Path path = LedgerPath(config, plan.simulation, folder);
  if (!plan.simulation) {
    if (!std::filesystem::exists(path)) throw NoLedger(path, plan.root);
    dp::Ledger ledger = dp::Ledger::Open(path, key);
    RequireOwnLedger(config.data, ledger);
    return ledger;
  }
  if (std::filesystem::exists(path)) return dp::Ledger::Open(path);
  // Parts are reserved one after another, and each time all so far must fit.
  double granted = std::max(config.privacy.epsilon, plan.epsilon);
  const std::vector<dp::Event> events = plan.Events();
  for (std::size_t first = plan.questions.size() + 1; first < events.size();
       ++first) {
    granted = std::max(granted,
                       dp::ComposedEpsilon({events.data(), first}, plan.delta));
  }
  return dp::Ledger::Create(
      path, {.name = plan.root,
             .budget = {.epsilon = granted * 1.001, .delta = plan.delta}});
}

LedgerPrice GrantedIn(dp::Ledger& ledger, const InspectPlan& plan) {
  const LedgerPrice price = PriceIn(ledger, plan);
  if (!price.fits()) throw NotGranted(ledger, plan);
  return price;
}

void CheckProvenance(dp::Ledger& ledger, const InspectPlan& plan) {
  if (plan.simulation) return;
  if (plan.vocabulary) CheckInLedger(ledger, *plan.vocabulary, plan.root);
  const auto refuse = [](const std::string& what) {
    return Unsupported(what, "select.model_is", kProvenances);
  };
  if (plan.model_is == config::Provenance::kPublic) {
    const base::Path folder = plan.model_folder;
    if (!std::filesystem::exists(folder / "run.json")) return;
    const runs::RunRecord made = runs::ReadRun(folder);
    if (made.started && !made.facts.simulation) {
      throw refuse(
          "a model declared public, whose run was trained on private data");
    }
  }
  if (plan.model_is != config::Provenance::kReleased) return;
  const runs::RunRecord record = runs::ReadRun(plan.model_folder);
  if (record.started && record.facts.simulation) {
    throw refuse(
        "a model declared released, whose run was a simulation and spent "
        "nothing");
  }
  if (record.facts.ledger_run.empty()) {
    throw refuse("a model declared released, whose run is in no ledger");
  }
  const auto run = ledger.FindRun(record.facts.ledger_run);
  if (!run || run->released.empty()) {
    throw refuse(fmt::format(
        "a model declared released, whose run '{}' is not in this ledger",
        record.facts.ledger_run));
  }
  if (run->population.Root() != plan.root) {
    throw refuse(fmt::format(
        "a model declared released, whose run was paid by '{}' and not by '{}'",
        run->population.Root(), plan.root));
  }
}

void ReserveInspection(dp::Ledger& ledger, const InspectPlan& plan) {
  CheckProvenance(ledger, plan);
  try {
    Reserve(ledger, plan);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kBudgetSpent) throw;
    throw NotGranted(ledger, plan);
  }
}

void RequireYesForMore(dp::Ledger& ledger, const InspectPlan& plan,
                       const dp::Event& more, const std::string& why,
                       bool yes) {
  std::vector<dp::Event> repeated = Repeated(ledger, plan);
  repeated.push_back(more);
  const Spent spent = PriceOf(plan, repeated);
  RequireYes(
      why +
          fmt::format("Costs    ε {} at δ {} for the whole inspection, with "
                      "what is repeated ({})\n",
                      EpsilonText(spent.guarantee),
                      report::SmallText(plan.delta), kIfRepeated) +
          MeansLine(spent.guessed_right),
      yes);
}

bool WasGivenBack(dp::Ledger& ledger, const InspectPlan& plan) {
  return std::ranges::any_of(plan.models, [&](const ModelPlan& model) {
    const auto run = ledger.FindRun(model.run);
    return run && run->finished && run->released.empty();
  });
}

void FillJudge(dp::Ledger& ledger, const InspectPlan& plan,
               runs::PrivacyRecord& record) {
  record.judge = {};
  const base::Path folder = plan.model_folder;
  if (plan.model_is != config::Provenance::kReleased ||
      !std::filesystem::exists(folder / "run.json")) {
    return;
  }
  const runs::RunRecord made = runs::ReadRun(folder);
  const std::vector<dp::Event> released =
      plan.simulation ? ReleasedInSimulation(made, folder)
                      : ReleasedBy(ledger, made.facts.ledger_run);
  const double epsilon = dp::ComposedEpsilon(released, plan.delta);
  if (released.empty() || !std::isfinite(epsilon)) return;
  record.judge = {.what = made.facts.ledger_run,
                  .epsilon = epsilon,
                  .events = Described(released)};
}

void FillReserved(dp::Ledger& ledger, const Plan& plan,
                  const dp::Shares& before, runs::PrivacyRecord& record) {
  if (plan.simulation) return;  // nobody granted anything
  const dp::Totals totals = ledger.TotalsOf(plan.root);
  const dp::Shares now = dp::SharesOf(totals);
  record.granted_epsilon = totals.budget.epsilon;
  record.used_before = before.spent;
  record.used_after = before.spent + std::max(0.0, now.taken - before.taken);
  record.set_aside = std::max(0.0, before.taken - before.spent);
  record.left = now.left;
  record.entries = EntriesOf(ledger, plan);
}

void FillSpent(dp::Ledger& ledger, const Plan& plan,
               runs::PrivacyRecord& record) {
  if (plan.simulation) return;  // a repeated round is the same draw
  const dp::Shares now = dp::SharesOf(ledger.TotalsOf(plan.root));
  record.used_after = now.spent;
  record.set_aside = std::max(0.0, now.taken - now.spent);
  record.left = now.left;
  record.entries = EntriesOf(ledger, plan);
  record.ledger_head = dp::ToText(ledger.head());
  // Within the first reservation the plan's price is never below the truth.
  const std::vector<dp::Event> repeated = Repeated(ledger, plan);
  if (repeated.empty()) return;
  const Spent spent = PriceOf(plan, repeated);
  record.epsilon = spent.guarantee.epsilon;
  record.guessed_right = spent.guessed_right;
  record.repeated = true;
  record.proof = plan.proof +
                 "; but some of it was repeated after a stop and paid again, "
                 "so it was not one: what holds without that is the budget "
                 "that the ledger grants";
}

}  // namespace sfumato::plan
