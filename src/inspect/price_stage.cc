#include <algorithm>
#include <cmath>
#include <string>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/secure_random.h"
#include "dp/mechanisms/question.h"
#include "fmt/format.h"
#include "inspect/stages.h"
#include "plan/consent.h"
#include "plan/dataset_ledger.h"
#include "plan/guarantee_text.h"
#include "plan/inspect_ledger.h"
#include "plan/inspect_plan_text.h"
#include "plan/plan_file.h"
#include "plan/side_sizes.h"
#include "select/selection.h"

namespace sfumato::inspect {
namespace {

// Of what users are chosen by, as a threshold is asked for.
double ExactQuantile(const Inspection& inspection, double quantile) {
  return plan::ThresholdOf(
      inspection.config.select,
      dp::WithoutNoise(
          {.about = plan::ThresholdQuestion(inspection.config, quantile)},
          inspection.medium->Answers(plan::kThresholdAbove))
          .at(0));
}

// With thresholds without noise, for simulations alone: the plan comes before
// anybody is asked, and is the same after a resume.
select::Criterion ExactCriterion(const Inspection& inspection,
                                 config::Side side) {
  const select::Criterion criterion = inspection.CriterionFor(side);
  const auto exact = [&](double quantile, double given) {
    return quantile == 0 ? given : ExactQuantile(inspection, quantile);
  };
  return select::WithThresholds(
      criterion,
      exact(inspection.config.select.above_quantile, criterion.above),
      exact(inspection.config.select.below_quantile, criterion.below));
}

// A verification that finds nobody left has found something, so it is planned
// as if enough were there, and the count decides, as it would for private data.
double PlannedUsers(const Inspection& inspection, config::Side side) {
  const auto exact = static_cast<double>(select::SelectedUsers(
      *inspection.medium->Chosen(ExactCriterion(inspection, side), "")));
  if (!inspection.record.earlier) return exact;
  const double cohort =
      inspection.config.cohort.sampling == config::Sampling::kEveryone
          ? 1
          : inspection.config.cohort.size;
  return std::max(exact, static_cast<double>(inspection.config.inspect.twins) *
                             std::ceil(std::max(1.0, cohort)));
}

// "perplexity is at most 12 for a quarter of the users, …"
std::string QuartilesText(const Inspection& inspection) {
  const std::string by = config::Word(inspection.config.select.by);
  if (!config::HasQuantiles(inspection.config.select.by)) return "";
  return fmt::format(
      "{} is at most {:.3g} for a quarter of the users, {:.3g} for half of "
      "them, {:.3g} for three quarters",
      by, ExactQuantile(inspection, 0.25), ExactQuantile(inspection, 0.5),
      ExactQuantile(inspection, 0.75));
}

// That nobody is in two models holds for one judge and one set of data (rule 6
// of docs/privacy_proofs.md): others under the same names would move people.
void PinInputs(Inspection& inspection) {
  const auto pin = [](std::string& kept, const std::string& now,
                      const char* what, const std::string& where) {
    if (!kept.empty() && kept != now) {
      throw BadInput(fmt::format("{} not the one that the inspection began "
                                 "with",
                                 what),
                     where, "put it back, or inspect anew with another --out");
    }
    kept = now;
  };
  // Halves and sides too: another design under the same names would put
  // somebody into two cells that pay once.
  config::TrainConfig design = inspection.job.config;
  design.device = {};
  pin(inspection.record.config_crc32c,
      fmt::format("{:08x}", base::Crc32c(config::ChangedKeys(design))),
      "the config is", (inspection.job.folder / "config.toml").string());
  pin(inspection.record.data_crc32c, inspection.data.description_crc32c,
      "the data are", inspection.record.data);
  const Medium::Inputs inputs = inspection.medium->SideInputs();
  if (inputs.sum.empty()) return;
  pin(inspection.record.judge_crc32c, inputs.sum, inputs.what,
      inspection.record.data);
}

void Reserve(Inspection& inspection) {
  if (!inspection.plan.simulation)
    plan::BindToLedger(inspection.config.data, *inspection.ledger);
  plan::ReserveInspection(*inspection.ledger, inspection.plan);
}

// Its name in the ledger. There nobody else has it: two folders of one name are
// two inspections.
std::string NewLedgerName(const Inspection& inspection) {
  std::string name = plan::LedgerNameOf(inspection.job.folder);
  if (inspection.record.simulation) return name;
  return fmt::format("{}-{:08x}", name, base::SecureRandom()() & 0xffffffffu);
}

// As the folder keeps it, or the series that it is one of; or a new one.
plan::InspectPlan PlanOf(const Inspection& inspection) {
  const std::string& begun = inspection.record.ledger_name;
  const auto& series = inspection.job.plan;
  if (series && !begun.empty() && begun != series->name) {
    throw BadInput("an inspection that is not one of this series",
                   inspection.job.folder.string(),
                   "name another folder with --out");
  }
  plan::InspectOptions options{.name = series ? series->name
                                       : begun.empty()
                                           ? NewLedgerName(inspection)
                                           : begun,
                               .folder = inspection.job.folder,
                               .above_released = inspection.job.above_released,
                               .below_released = inspection.job.below_released};
  if (inspection.record.simulation) {
    options.users_a = PlannedUsers(inspection, config::Side::kA);
    options.users_b = PlannedUsers(inspection, config::Side::kB);
    options.users_are = QuartilesText(inspection);
  }
  const auto make = [&](const config::TrainConfig& config) {
    return plan::PlanInspection(config, inspection.data.facts(), options);
  };
  // A file without a name on record is of a process that was killed before it
  // reserved anything.
  plan::InspectPlan plan =
      begun.empty()
          ? make(inspection.config)
          : plan::PlanAsKept(inspection.job.folder, inspection.config, make);
  if (series) {
    plan::RequireSameReleases(*series, plan, inspection.job.folder);
  }
  if (plan.census) {
    plan::NameReferences(plan.taken_as_fixed, inspection.config,
                         inspection.job.ledger_key);
  }
  return plan;
}

// What it will cost, and a yes.
void FixPrice(Inspection& inspection) {
  PinInputs(inspection);
  const bool priced = !inspection.record.ledger_name.empty();
  const bool paid = inspection.job.plan.has_value();  // with all of its series
  if (!inspection.record.simulation) {
    plan::UseLedgersDelta(inspection.config, inspection.data.facts(),
                          inspection.job.ledger_key);
  }
  inspection.plan = PlanOf(inspection);
  inspection.ledger.emplace(
      plan::InspectionLedger(inspection.config, inspection.plan,
                             inspection.job.folder, inspection.job.ledger_key));
  const bool reserved = plan::IsReserved(*inspection.ledger, inspection.plan);
  if (priced &&
      (inspection.plan.simulation || reserved)) {  // somebody said yes before
    const bool stopped =
        inspection.record.surveyed &&
        plan::FindTooFew(inspection.plan, inspection.record.a.users,
                         inspection.record.b.users)
            .has_value();
    if (stopped) return;
    Reserve(inspection);
    runs::PrivacyRecord& privacy = inspection.record.privacy;
    if (privacy.entries.empty()) {  // killed before it was on record
      const double taken = privacy.used_before + privacy.set_aside;
      plan::FillReserved(*inspection.ledger, inspection.plan,
                         {.spent = privacy.used_before, .taken = taken},
                         privacy);
    }
    return;
  }
  plan::CheckProvenance(*inspection.ledger, inspection.plan);
  // Of one that was killed while it reserved, some is reserved already.
  std::optional<plan::LedgerPrice> price;
  if (!paid && !priced) {
    price = plan::GrantedIn(*inspection.ledger, inspection.plan);
    if (!inspection.plan.simulation) {
      plan::RequireSomebodyToAsk(plan::PriceLines(inspection.plan, &*price),
                                 inspection.job.yes);
    }
  }
  LearnCensusVoter(inspection);
  if (!paid) {
    plan::RequireYes(
        plan::PriceLines(inspection.plan, price ? &*price : nullptr) +
            plan::WillSeeLine(inspection.record.power),
        inspection.plan.simulation || inspection.job.yes);
  }
  for (const std::string& remark : inspection.plan.remarks)
    base::Warning(remark);
  inspection.record.remarks = inspection.plan.remarks;
  plan::FillPrivacy(inspection.plan, inspection.record.privacy);
  plan::FillJudge(*inspection.ledger, inspection.plan,
                  inspection.record.privacy);
  inspection.record.privacy.series_inspections =
      inspection.job.series_inspections;
  inspection.record.privacy.series_epsilon = inspection.job.series_epsilon;
  inspection.record.ledger_name = inspection.plan.name;
  const dp::Shares before =
      dp::SharesOf(inspection.ledger->TotalsOf(inspection.plan.root));
  plan::FillReserved(*inspection.ledger, inspection.plan, before,
                     inspection.record.privacy);
  plan::WritePlan(inspection.job.folder, inspection.plan);
  // From here on there is something to resume.
  inspection.SetStage("price");
  Reserve(inspection);
  plan::FillReserved(*inspection.ledger, inspection.plan, before,
                     inspection.record.privacy);
}

}  // namespace

void Price(Inspection& inspection) {
  // For private data everything is known beforehand, so the price comes before
  // any work. In simulations it needs the judged users, and that takes a while.
  if (!inspection.record.simulation) {
    FixPrice(inspection);
  } else if (inspection.record.ledger_name.empty()) {
    inspection.SetStage("preparing");
  }
  inspection.medium->Judge(inspection);
  if (inspection.record.simulation) FixPrice(inspection);
}

}  // namespace sfumato::inspect
