// Writes what happened in each round into the run's folder: metrics through the
// gate, test accuracy and samples now and then, checkpoints, TensorBoard's
// events; and reports progress.

#pragma once

#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "fed/epsilon_meter.h"
#include "fed/mean_mechanism.h"
#include "fed/round_loop.h"
#include "fed/worker_pool.h"
#include "models/batch.h"
#include "plan/train_plan.h"
#include "runs/checkpoint.h"
#include "runs/metrics.h"
#include "runs/run.h"
#include "runs/tensorboard.h"
#include "train/trained_model.h"
#include "train/training.h"

namespace sfumato::train {

struct ObserverParts {
  runs::Run& run;
  const plan::TrainPlan& plan;
  const fed::MeanMechanism& mechanism;
  const TrainedModel& model;
  ModelTraits traits = {};
  const models::Examples& test;
  int threads = 0;
  bool tensorboard = false;
  Turn turn = {};
};

class RunObserver : public fed::RoundObserver {
 public:
  explicit RunObserver(const ObserverParts& parts);

  // Brings algorithm and clip norm to the last checkpoint. Returns its round; 0
  // when there is none. Throws BadInput when it was trained on another input,
  // Corrupt when it is damaged.
  std::int64_t Restore(fed::Algorithm& algorithm,
                       fed::MeanMechanism& mechanism);

  void AfterRound(const fed::RoundReport& report,
                  const fed::Algorithm& algorithm) override;
  void Interrupted(const fed::Algorithm& algorithm) override;

  // The privacy cost after `released` rounds; on private data at least that of
  // the whole plan.
  double EpsilonOf(std::int64_t released);
  std::optional<double> accuracy() const { return accuracy_; }

 private:
  bool Due(std::int64_t every) const;
  std::int64_t CheckpointEvery() const;
  void WarnWhenDiverged(const fed::RoundReport& report);
  void WarnOfModel(const std::vector<runs::Value>& figures);
  void Judge(const fed::Algorithm& algorithm, std::vector<runs::Value>& values);
  std::vector<runs::Value> ValuesOf(const fed::RoundReport& report,
                                    const fed::Algorithm& algorithm) const;
  void Write(const fed::Algorithm& algorithm);
  void WaitForWriter();
  void Draw(const fed::Algorithm& algorithm);
  base::Metadata Label() const;
  std::string Detail(const fed::RoundReport& report);

  ObserverParts parts_;
  fed::WorkerPool pool_;
  runs::Checkpoints checkpoints_;
  std::unique_ptr<runs::Metrics> metrics_;
  std::optional<runs::EventFile> events_;
  std::optional<base::Progress> progress_;
  std::optional<fed::EpsilonMeter> meter_;
  fed::RoundReport last_ = {};
  std::int64_t written_ = 0;  // round of the last checkpoint
  std::future<void> writer_;  // of that checkpoint, while training continues
  bool warned_diverged_ = false;
  bool warned_of_model_ = false;
  double epsilon_ = 0;
  std::chrono::steady_clock::time_point epsilon_time_ = {};
  std::optional<double> accuracy_;
};

}  // namespace sfumato::train
