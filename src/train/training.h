// Training, in the part that needs Torch.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/file.h"
#include "data/dataset.h"
#include "plan/train_plan.h"
#include "runs/run.h"

namespace sfumato::models {
class Examples;
}

namespace sfumato::train {

// The place of a training among several, for the progress display.
struct Turn {
  std::int64_t number = 1;
  std::int64_t of = 1;
  std::int64_t later_rounds = 0;  // of the trainings that follow
};

struct TrainJob {
  base::Path folder;          // the run's
  runs::Run* run = nullptr;   // null in helper ranks of an MPI launch
  plan::TrainPlan plan = {};  // unset in helper ranks
  std::string version = "";
  std::string ledger_key = "";  // of the population's ledger, if it has one
  bool tensorboard = false;
  base::Path ledger = {};       // of an inspection; empty: as the config says
  std::string ledger_run = "";  // its name in the ledger; empty: the folder's
  // Who takes part, if already selected; null: as the config says.
  const models::Examples* selected = nullptr;
  Turn turn = {};
};

struct TrainOutcome {
  std::int64_t rounds = 0;              // done, over all processes of the run
  double seconds = 0;                   // of this process
  double epsilon = 0;                   // as RunObserver::EpsilonOf
  std::optional<double> accuracy = {};  // simulation only
  std::string device = "";              // "cpu, 2 threads"
};

// Checks what it can before anything is trained or written: device, kinds of
// data, bug, vocabulary, criterion, the judging model. Throws as the training
// would.
extern "C" void SfumatoCheckTraining(const config::TrainConfig* config);

// Checks only the criterion against the data.
void CheckSelection(const config::TrainConfig& config,
                    const data::DatasetInfo& info);

// Trains the run from its last checkpoint to its end. On failure sets the run's
// status and rethrows.
extern "C" void SfumatoTrain(const TrainJob* job, TrainOutcome* outcome);

// The time and memory that a plan needs, measured on a few steps of a made-up
// client.
struct TrainEstimate {
  std::string device = "";
  std::int64_t parameters = 0;
  double seconds_per_round = 0;  // 0: depends on sizes that are private
  double memory_bytes = 0;       // of the process, while it trains
};
extern "C" void SfumatoEstimate(const config::TrainConfig* config,
                                const plan::DataFacts* data,
                                TrainEstimate* estimate);

}  // namespace sfumato::train
