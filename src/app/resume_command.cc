// `sfumato resume`: a run goes on from its last checkpoint.

#include <memory>

#include "app/command.h"
#include "app/training_commands.h"
#include "app/training_data.h"
#include "base/launcher.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

Answer Resume(const std::string& folder, const TrainingGiven& given) {
  if (runs::ReadRun(folder).status == runs::Status::kFinished) {
    return {.text = fmt::format("{} is finished; nothing to do.", folder),
            .json = {{"run", folder}, {"status", "finished"}}};
  }
  if (base::LaunchedRank().value_or(0) > 0) return HelpTraining(folder);
  runs::Run run = runs::Run::Open(folder);
  const TrainPlan plan = PlanOf(
      run.config(), OpenTrainingData(run.config().data, folder).facts(), given);
  // Whoever was stopped before the first yes has not said it yet.
  if (run.status() == runs::Status::kCreated) {
    RequireYes(run.config(), plan, given);
  }
  return TrainToTheEnd(run, plan, given);
}

const Registration kResume(
    {.path = "resume",
     .summary = "Go on with a run from its last checkpoint. A finished run is "
                "left as it is.",
     .example = "sfumato train configs/quick.toml --set rounds=5 --out again\n"
                "sfumato resume again",
     .needs_torch = true,
     .define = [](CLI::App& app, const Common&) -> Action {
       auto folder = std::make_shared<std::string>();
       auto given = std::make_shared<TrainingGiven>();
       app.add_option("run", *folder, "The run's folder.")->required();
       AddTrainingOptions(app, *given);
       return [folder, given] { return Resume(*folder, *given); };
     }});

}  // namespace
}  // namespace sfumato::app
