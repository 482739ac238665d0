// What `train` and `resume` share: the price in words, and the way to the end.

#pragma once

#include <string>

#include "app/command.h"
#include "app/ledger_options.h"
#include "app/torch/training.h"
#include "app/train_plan.h"
#include "base/file.h"
#include "runs/run.h"

namespace sfumato::app {

// Plan, cost and meaning: three lines.
std::string PlanText(const runs::TrainConfig& config, const TrainPlan& plan);
nlohmann::json PlanJson(const runs::TrainConfig& config, const TrainPlan& plan);

// Trains `run` to its end and says what came of it.
struct TrainingGiven {
  LedgerGiven ledger;  // its key, where the population's has one
  bool yes = false;
  bool tensorboard = false;
};
void AddTrainingOptions(CLI::App& app, TrainingGiven& given);

// The plan of a run, with the delta of the population's ledger where the config
// has none.
TrainPlan PlanOf(const runs::TrainConfig& config, const DataFacts& data,
                 const TrainingGiven& given, const base::Path& run_folder = {});

// Shows plan and price; on private data asks, unless --yes. Throws BadInput on
// any other answer than yes.
void RequireYes(const runs::TrainConfig& config, const TrainPlan& plan,
                const TrainingGiven& given);
// What stands in the ledger beside the plan. Throws budget_spent when it does
// not fit.
std::string PriceText(const runs::TrainConfig& config, const TrainPlan& plan,
                      const TrainingGiven& given);

// The population's ledger. REQUIRES: private data.
dp::Ledger OpenLedger(const runs::TrainConfig& config,
                      const TrainingGiven& given);

// How far a run came.
struct RunState {
  std::string ledger_run = "";
  std::int64_t rounds_done = 0;  // that its last checkpoint has
};
// What a run that goes on needs beyond what is reserved for it, because rounds
// were lost or because the folder is a copy of another run's.
struct More {
  bool begun = false;         // something was reserved before
  std::int64_t rounds = 0;    // to reserve
  std::int64_t released = 0;  // so far
  std::string why = "";       // a line
};
More MoreOf(dp::Ledger& ledger, const RunState& run, std::int64_t rounds);

// A yes was an agreement to what is reserved. Where a run needs more, this
// shows the price with that and asks, unless `yes`. Throws BadInput on any
// other answer than yes. REQUIRES: private data.
void RequireYesForMore(dp::Ledger& ledger, const runs::TrainConfig& config,
                       const TrainPlan& plan, const RunState& run, bool yes);

Answer TrainToTheEnd(runs::Run& run, const TrainPlan& plan,
                     const TrainingGiven& given);
// What a helping rank of an MPI launch does.
Answer HelpTraining(const base::Path& folder);

}  // namespace sfumato::app
