// What a training run will do and cost, before anything is done.
//
//   const TrainPlan plan = PlanTraining(config, FactsOf(config.data));
//   plan.epsilon;   // of all rounds and what came before, at plan.delta
//
// A plan is a function of the config and of what is public about the data. For
// private data the number of users is unknown, so the config gives it (rule 4
// of docs/privacy_proofs.md).

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/train_config.h"
#include "data/dataset.h"
#include "dp/accounting/event.h"
#include "dp/mechanisms/participants.h"
#include "plan/plan.h"

namespace sfumato::plan {

// What is known about the data without reading its records.
struct DataFacts {
  std::string name;
  data::Origin origin = data::Origin::kPrivate;
  std::int64_t users = 0;  // that may be drawn
  // Ids of every private set that is opened; the ledger binds them to a
  // population.
  std::vector<std::string> dataset_ids = {};
  std::int64_t classes = 0;  // with names
};

// Has one run if the algorithm protects, none for fedavg.
struct TrainPlan : Plan {
  bool protects = false;  // fedavg does not
  std::int64_t population = 0;
  double expected_cohort = 0;  // what sums are divided by
  dp::Participants participants = {};
  std::vector<std::string> remarks = {};  // in simulations: what looks odd

  // All rounds, as one event with a count. REQUIRES: protects.
  const dp::Event& rounds() const { return runs.front().events.front(); }
};

// Throws BadInput for a cohort larger than the population, private data without
// cohort.population, and canaries in private data or for more users than there
// are. Throws Unsupported for fedavg on private data. A run that resumes reads
// its own copy of the vocabulary, in `run_folder`.
TrainPlan PlanTraining(const config::TrainConfig& config, const DataFacts& data,
                       const base::Path& run_folder = {});

// The ledger's file: what the config names; otherwise inside the run's folder
// for a simulation, and beside the dataset for private data.
base::Path LedgerPath(const config::TrainConfig& config, bool simulation,
                      const base::Path& run_folder);

// If the config has no delta, takes it from the population's budget in the
// ledger, if there is one.
void UseLedgersDelta(config::TrainConfig& config, const DataFacts& data,
                     const std::string& key);

// The population's name in the ledger.
std::string PopulationName(const config::TrainConfig& config,
                           const DataFacts& data);

}  // namespace sfumato::plan
