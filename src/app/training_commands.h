// What `train` and `resume` share: the price in words, and the way to the end.

#pragma once

#include <string>

#include "app/command.h"
#include "app/ledger_options.h"
#include "base/file.h"
#include "plan/missing_rounds.h"
#include "plan/train_plan.h"
#include "runs/run.h"
#include "train/training.h"

namespace sfumato::app {

// Plan, cost and meaning: three lines.
std::string PlanText(const config::TrainConfig& config,
                     const plan::TrainPlan& plan);
nlohmann::json PlanJson(const config::TrainConfig& config,
                        const plan::TrainPlan& plan);

// Trains `run` to its end and says what came of it.
struct TrainingGiven {
  LedgerGiven ledger;  // its key, where the population's has one
  bool yes = false;
  bool tensorboard = false;
};
void AddTrainingOptions(CLI::App& app, TrainingGiven& given);

// The plan of a run, with the delta of the population's ledger if the config
// has none; for a run that resumes as its folder keeps it (plan/plan_file.h).
plan::TrainPlan PlanOf(const config::TrainConfig& config,
                       const plan::DataFacts& data, const TrainingGiven& given,
                       const base::Path& run_folder = {});

// Shows plan and price; on private data asks, unless --yes. Throws BadInput on
// any other answer than yes.
void RequireYesToPlan(const config::TrainConfig& config,
                      const plan::TrainPlan& plan, const TrainingGiven& given);
// What stands in the ledger beside the plan. Throws budget_spent when it does
// not fit.
std::string PriceText(const config::TrainConfig& config,
                      const plan::TrainPlan& plan, const TrainingGiven& given);

// The population's ledger. REQUIRES: private data.
dp::Ledger OpenLedger(const config::TrainConfig& config,
                      const TrainingGiven& given);

// A yes was an agreement to what is reserved. Where a run needs more, this
// shows the price with that and asks, unless `yes`. Throws BadInput on any
// other answer than yes. REQUIRES: private data.
void RequireYesToMore(dp::Ledger& ledger, const config::TrainConfig& config,
                      const plan::TrainPlan& plan, const plan::RunState& run,
                      bool yes);

Answer TrainToTheEnd(runs::Run& run, const plan::TrainPlan& plan,
                     const TrainingGiven& given);
// What a helping rank of an MPI launch does.
Answer HelpTraining(const base::Path& folder);

}  // namespace sfumato::app
