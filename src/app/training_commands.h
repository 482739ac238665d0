// What `train` and `resume` share: the price in words, and the way to the end.

#pragma once

#include <string>

#include "app/command.h"
#include "app/torch/training.h"
#include "app/train_plan.h"
#include "base/file.h"
#include "runs/run.h"

namespace sfumato::app {

// The place of this process in an MPI launch; 0 without a launcher.
int LaunchedRank();
bool Launched();

// Plan, cost and meaning: three lines.
std::string PlanText(const runs::TrainConfig& config, const TrainPlan& plan);
nlohmann::json PlanJson(const runs::TrainConfig& config, const TrainPlan& plan);

// Trains `run` to its end and says what came of it.
Answer TrainToTheEnd(runs::Run& run, const TrainPlan& plan, bool tensorboard);
// What a helping rank of an MPI launch does.
Answer HelpTraining(const base::Path& folder);

}  // namespace sfumato::app
