// `sfumato resume`: a run goes on from its last checkpoint.

#include <memory>

#include "app/command.h"
#include "app/training_commands.h"
#include "app/training_data.h"
#include "base/progress.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

Answer Resume(const std::string& folder, bool tensorboard) {
  if (LaunchedRank() > 0) return HelpTraining(folder);
  if (runs::ReadRun(folder).status == runs::Status::kFinished) {
    return {.text = fmt::format("{} is finished; nothing to do.", folder),
            .json = {{"run", folder}, {"status", "finished"}}};
  }
  runs::Run run = runs::Run::Open(folder);
  const TrainPlan plan = PlanTraining(
      run.config(), OpenTrainingData(run.config().data, folder).facts());
  return TrainToTheEnd(run, plan, tensorboard);
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
       auto tensorboard = std::make_shared<bool>(false);
       app.add_option("run", *folder, "The run's folder.")->required();
       app.add_flag("--tensorboard", *tensorboard,
                    "Write event files for TensorBoard too.");
       return [folder, tensorboard] { return Resume(*folder, *tensorboard); };
     }});

}  // namespace
}  // namespace sfumato::app
