// `sfumato resume`: continues a run from its last checkpoint, an inspection or
// a census from where it stopped.

#include <filesystem>
#include <memory>

#include "app/census_answer.h"
#include "app/command.h"
#include "app/inspection_answer.h"
#include "app/training_commands.h"
#include "base/error.h"
#include "base/launcher.h"
#include "fmt/format.h"
#include "plan/plan_file.h"
#include "plan/training_data.h"
#include "report/page.h"
#include "runs/checkpoint.h"
#include "runs/contrast.h"
#include "runs/inspection.h"

namespace sfumato::app {
namespace {

// Whether nothing is left to do: a finding that is lost or damaged is made
// again from the models, which costs nothing.
bool IsDone(const base::Path& folder) {
  if (runs::ReadInspection(folder).status != runs::Status::kFinished ||
      !runs::HasContrast(folder)) {
    return false;
  }
  try {
    runs::ReadContrast(folder);
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kCorrupt) throw;
    return false;
  }
}

Answer ResumeInspection(const std::string& folder, const TrainingGiven& given) {
  if (IsDone(folder)) {
    if (!std::filesystem::exists(base::Path(folder) / "report.html")) {
      report::WriteReport(folder);
    }
    return {.text = fmt::format("{} is finished; nothing to do.", folder),
            .json = {{"folder", folder}, {"status", "finished"}}};
  }
  inspect::InspectJob job = JobOf(folder);
  job.ledger_key = given.ledger.Key();
  job.yes = given.yes;
  return InspectInto(folder, job, "");
}

Answer Resume(const std::string& folder, const TrainingGiven& given) {
  if (runs::IsInspection(folder)) return ResumeInspection(folder, given);
  if (runs::IsCensus(folder)) {
    return ResumeCensus(folder,
                        {.ledger_key = given.ledger.Key(), .yes = given.yes});
  }
  for (const char* series : {"monitor.json", "sweep.json"}) {
    if (!std::filesystem::exists(base::Path(folder) / series)) continue;
    throw BadInput("several inspections", folder,
                   "run the command that started them again: it resumes where "
                   "it stopped");
  }
  if (runs::ReadRun(folder).status == runs::Status::kFinished) {
    return {.text = fmt::format("{} is finished; nothing to do.", folder),
            .json = {{"run", folder}, {"status", "finished"}}};
  }
  if (base::LaunchedRank().value_or(0) > 0) return HelpTraining(folder);
  runs::Run run = runs::Run::Open(folder);
  const plan::TrainPlan plan = PlanOf(
      run.config(), plan::OpenTrainingData(run.config().data, folder).facts(),
      given, folder);
  if (!plan.simulation && config::Selects(run.config().select)) {
    throw Unsupported("one model of an inspection of private data", folder,
                      "resume the inspection, which chose its users");
  }
  // Stopped before the first yes: nobody has agreed yet.
  if (run.status() == runs::Status::kCreated) {
    RequireYesToPlan(run.config(), plan, given);
    if (plan.protects) plan::WritePlan(folder, plan);
  } else if (!plan.simulation) {
    dp::Ledger ledger = OpenLedger(run.config(), given);
    const auto last = runs::LatestCheckpoint(run.checkpoints_path());
    RequireYesToMore(ledger, run.config(), plan,
                     {.ledger_run = run.facts().ledger_run,
                      .rounds_done = last ? last->round : 0},
                     given.yes);
  }
  return TrainToTheEnd(run, plan, given);
}

const Registration kResume(
    {.path = "resume",
     .summary =
         "Continue a run from its last checkpoint, an inspection or a census. "
         "What is finished is left as it is.",
     .example = "sfumato train quick --set rounds=5 --out again\n"
                "sfumato resume again",
     .needs_torch = true,
     .define = [](CLI::App& app, const Common&) -> Action {
       auto folder = std::make_shared<std::string>();
       auto given = std::make_shared<TrainingGiven>();
       app.add_option("run", *folder,
                      "The folder of a run, an inspection or a census.")
           ->required();
       AddTrainingOptions(app, *given);
       return [folder, given] { return Resume(*folder, *given); };
     }});

}  // namespace
}  // namespace sfumato::app
