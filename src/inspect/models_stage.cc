#include <filesystem>
#include <string>

#include "base/progress.h"
#include "fed/release/run_ledger.h"
#include "fmt/format.h"
#include "inspect/stages.h"
#include "plan/consent.h"
#include "plan/inspect_ledger.h"
#include "plan/missing_rounds.h"
#include "report/number_text.h"
#include "runs/checkpoint.h"
#include "runs/run.h"
#include "train/training.h"

namespace sfumato::inspect {
namespace {

namespace fs = std::filesystem;

constexpr config::Side kAgainst = config::Side::kA;

// That other inspections are paid for together with this one.
std::string SeriesLine(const InspectJob& job) {
  if (job.series_inspections < 2) return "";
  return fmt::format(
      "Series   one of {} inspections that were to cost ε {} together: that "
      "becomes more too, and the monitor will say how much\n",
      job.series_inspections, report::BoundText(job.series_epsilon));
}

// Rounds that a crash repeats are set aside, and on record, before they are
// trained: an inspection that is stopped next leaves a page that counts them.
void ReserveRepeatedRounds(Inspection& inspection, const plan::ModelPlan& model,
                           const runs::Run& run,
                           const plan::TrainPlan& rounds) {
  dp::Ledger ledger =
      plan::InspectionLedger(inspection.config, inspection.plan,
                             inspection.job.folder, inspection.job.ledger_key);
  const auto last = runs::LatestCheckpoint(run.checkpoints_path());
  const plan::MissingRounds more = plan::FindMissingRounds(
      ledger, {.ledger_run = model.run, .rounds_done = last ? last->round : 0},
      run.config().rounds);
  if (more.rounds > 0) {
    dp::Event missing = inspection.plan.RoundsOf(model);
    missing.count = more.rounds;
    plan::RequireYesForMore(ledger, inspection.plan, missing,
                            more.why + SeriesLine(inspection.job),
                            inspection.job.yes);
  }
  // Reserves what is missing.
  const fed::RunLedger reserved(
      &ledger,
      {.run = model.run,
       .population = run.config().privacy.population,
       .randomness = {.simulation = false},
       .rounds = run.config().rounds,
       .first_round = last ? last->round : 0,
       .spare_rounds = run.config().privacy.spare_rounds},
      rounds.rounds());
  plan::FillSpent(ledger, inspection.plan, inspection.record.privacy);
  inspection.Save();
}

// Where a model stands among all of them, for whoever watches.
train::Turn TurnOf(const Inspection& inspection, const plan::ModelPlan& model) {
  train::Turn turn{
      .number = 0,
      .of = static_cast<std::int64_t>(inspection.plan.models.size())};
  for (const plan::ModelPlan& each : inspection.plan.models) {
    if (turn.number > 0) {
      turn.later_rounds +=
          plan::KindConfig(inspection.config, each.kind).rounds;
    }
    if (&each == &model) {
      turn.number = 1 + (&each - inspection.plan.models.data());
    }
  }
  return turn;
}

// Other thresholds, halves or noise than those of the models that were trained
// before would put people into two models who pay once. Places may be written
// in another way.
void RequireSameUsers(config::TrainConfig begun, const config::TrainConfig& own,
                      const base::Path& folder) {
  begun.data = own.data;
  begun.text = own.text;
  begun.device = own.device;
  begun.select.model = own.select.model;
  begun.select.census = own.select.census;
  begun.privacy.ledger = own.privacy.ledger;
  if (begun == own) return;
  throw BadInput("the model was begun with another config",
                 (folder / "config.toml").string(),
                 "put it back, or inspect anew with another --out");
}

// One model of one side, or of half of it.
void TrainModel(Inspection& inspection, const plan::ModelPlan& model) {
  config::TrainConfig own =
      plan::ConfigOf(inspection.config, inspection.plan, model);
  inspection.medium->Configure(inspection, model, own);
  own.privacy.ledger =
      plan::LedgerPath(inspection.config, inspection.plan.simulation,
                       inspection.job.folder)
          .string();
  const base::Path folder = inspection.FolderOf(model);
  const bool there = fs::exists(folder / "run.json");
  if (there) {
    const runs::RunRecord begun = runs::ReadRun(folder);
    RequireSameUsers(begun.config, own, folder);
    if (begun.status == runs::Status::kFinished) return;
  }
  inspection.SetStage("training " + model.name);
  base::Note(fmt::format("Training {}, model {} of {}: {}", model.name,
                         TurnOf(inspection, model).number,
                         inspection.plan.models.size(),
                         model.side == kAgainst ? inspection.record.a.words
                                                : inspection.record.b.words));
  runs::Run run = there ? runs::Run::Open(folder)
                        : runs::Run::Create(
                              folder, own, {.version = inspection.job.version});
  const plan::TrainPlan rounds = plan::PlanOf(inspection.plan, model);
  if (!inspection.plan.simulation) {
    ReserveRepeatedRounds(inspection, model, run, rounds);
  }
  const auto chosen = inspection.medium->Chosen(
      inspection.CriterionFor(model.side, model.half), model.kind);
  const train::TrainJob job{.folder = folder,
                            .run = &run,
                            .plan = rounds,
                            .version = inspection.job.version,
                            .ledger_key = inspection.job.ledger_key,
                            .ledger = own.privacy.ledger,
                            .ledger_run = model.run,
                            .selected = chosen.get(),
                            .turn = TurnOf(inspection, model)};
  train::TrainOutcome outcome;
  train::SfumatoTrain(&job, &outcome);
}

}  // namespace

void TrainModels(Inspection& inspection) {
  inspection.ledger.reset();  // the runs open it themselves
  for (const plan::ModelPlan& model : inspection.plan.models) {
    TrainModel(inspection, model);
  }
  inspection.ledger.emplace(
      plan::InspectionLedger(inspection.config, inspection.plan,
                             inspection.job.folder, inspection.job.ledger_key));
  plan::FillSpent(*inspection.ledger, inspection.plan,
                  inspection.record.privacy);
}

}  // namespace sfumato::inspect
