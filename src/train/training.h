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

// One of several trainings, for whoever watches.
struct Turn {
  std::int64_t number = 1;
  std::int64_t of = 1;
  std::int64_t later_rounds = 0;  // of those that follow
};

struct TrainJob {
  base::Path folder;          // the run's
  runs::Run* run = nullptr;   // null in the helping ranks of an MPI launch
  plan::TrainPlan plan = {};  // not in those
  std::string version = "";
  std::string ledger_key = "";  // of the population's ledger, where it has one
  bool tensorboard = false;
  base::Path ledger = {};       // of an inspection; empty: as the config says
  std::string ledger_run = "";  // its name there; empty: from the folder's
  // Who takes part, where that is settled already; null: as the config says.
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

// What can be found wrong without anything trained or made: device, kinds of
// data, bug, vocabulary, criterion, the judging model. Throws as the training
// would.
extern "C" void SfumatoCheckTraining(const config::TrainConfig* config);

// The criterion against the data alone.
void CheckSelection(const config::TrainConfig& config,
                    const data::DatasetInfo& info);

// Trains the run from its last checkpoint to its end. What went wrong is the
// run's status, and is thrown.
extern "C" void SfumatoTrain(const TrainJob* job, TrainOutcome* outcome);

// What a plan would take: measured by a few steps of a made-up client.
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
