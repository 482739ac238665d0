// CheckPrice and Price: what the vote costs, what it would see, and a yes.

#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/secure_random.h"
#include "census/answer/power.h"
#include "census/stages.h"
#include "fmt/format.h"
#include "plan/consent.h"
#include "plan/dataset_ledger.h"
#include "plan/inspect_ledger.h"
#include "plan/inspect_plan.h"
#include "plan/plan_file.h"

namespace sfumato::census {
namespace {

// Its name in the ledger. There nobody else has it: two folders of one name are
// two censuses.
std::string NewLedgerName(const Census& census) {
  std::string name = plan::LedgerNameOf(census.job.folder);
  if (census.record.simulation) return name;
  return fmt::format("{}-{:08x}", name, base::SecureRandom()() & 0xffffffffu);
}

plan::CensusPlan PlanOf(const Census& census) {
  const std::string& begun = census.record.ledger_name;
  const plan::CensusOptions options{
      .name = begun.empty() ? NewLedgerName(census) : begun};
  const auto make = [&](const config::TrainConfig& config) {
    return plan::PlanCensus(config, census.people().facts(), options);
  };
  plan::CensusPlan plan =
      begun.empty() ? make(census.config)
                    : plan::PlanAsKept(census.job.folder, census.config, make);
  plan::NameReferences(plan.taken_as_fixed, census.config,
                       census.job.ledger_key);
  return plan;
}

std::vector<LeastSeen> Power(const Census& census) {
  if (census.plan.users.empty() || census.plan.classes > 0) return {};
  return PowerOf({.noise = census.plan.Noise(),
                  .users = census.plan.users,
                  .level = census.config.census.level},
                 census.voter->calibration());
}

void Reserve(Census& census) {
  if (!census.plan.simulation) {
    plan::BindToLedger(census.config.data, *census.ledger);
  }
  plan::Reserve(*census.ledger, census.plan);
}

// What was agreed to.
void FillAgreed(Census& census) {
  runs::CensusRecord& record = census.record;
  record.remarks = census.plan.remarks;
  plan::FillPrivacy(census.plan, record.privacy);
  record.ledger_name = census.plan.name;
}

// Rule 5 of docs/privacy_proofs.md, as for the judging model of an inspection.
void CheckJudge(Census& census) {
  if (census.config.census.groups != config::Groups::kSides) return;
  plan::InspectPlan judged;
  judged.simulation = census.plan.simulation;
  judged.root = census.plan.root;
  judged.model_folder = census.config.select.model;
  judged.model_is = census.config.select.model_is;
  plan::CheckProvenance(*census.ledger, judged);
}

}  // namespace

void CheckPrice(Census& census) {
  if (census.part != nullptr) {
    census.plan = census.part->plan;
    census.ledger = &census.part->ledger;
    return;
  }
  if (!census.record.simulation) {
    plan::UseLedgersDelta(census.config, census.people().facts(),
                          census.job.ledger_key);
  }
  census.plan = PlanOf(census);
  census.ledger = &census.own_ledger.emplace(plan::CensusLedger(
      census.config, census.plan, census.job.folder, census.job.ledger_key));
  CheckJudge(census);
  if (!census.record.ledger_name.empty()) return;
  const plan::LedgerPrice price = plan::GrantedIn(*census.ledger, census.plan);
  if (census.record.simulation) return;
  plan::RequireSomebodyToAsk(plan::PriceLines(census.plan, &price),
                             census.job.yes);
}

void Price(Census& census) {
  runs::CensusRecord& record = census.record;
  census.plan.histogram.cells =
      census.plan.groups *
      static_cast<std::int64_t>(record.calibration.cells.size());
  const bool priced = !record.ledger_name.empty();
  const bool reserved =
      census.part != nullptr || plan::IsReserved(*census.ledger, census.plan);
  if (priced && (census.plan.simulation || reserved)) {
    if (census.part == nullptr) Reserve(census);
    return;  // somebody said yes before
  }
  record.noise = census.plan.Noise();
  record.power = Power(census);
  if (census.part != nullptr) {
    FillAgreed(census);
    census.SetStage("price");
    return;
  }
  std::optional<plan::LedgerPrice> price;
  if (!priced) price = plan::GrantedIn(*census.ledger, census.plan);
  plan::RequireYes(
      plan::PriceLines(census.plan, price ? &*price : nullptr, record.power),
      census.plan.simulation || census.job.yes);
  for (const std::string& remark : census.plan.remarks) base::Warning(remark);
  FillAgreed(census);
  const dp::Shares before =
      dp::SharesOf(census.ledger->TotalsOf(census.plan.root));
  plan::FillReserved(*census.ledger, census.plan, before, record.privacy);
  plan::WritePlan(census.job.folder, census.plan);
  // From here on there is something to resume.
  census.SetStage("price");
  Reserve(census);
  plan::FillReserved(*census.ledger, census.plan, before, record.privacy);
}

}  // namespace sfumato::census
