// What a training run will do and cost, before anything is done.
//
//   const TrainPlan plan = PlanTraining(config, FactsOf(config.data));
//   plan.epsilon;   // of all rounds and what came before, at plan.delta
//
// A plan is a function of the config and of what is public about the data.
// Where the data are private the number of users is not: then the config says
// how many there are (rule 4).

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

// What is known of the data without looking into them.
struct DataFacts {
  std::string name;
  data::Origin origin = data::Origin::kPrivate;
  std::int64_t users = 0;  // that may be drawn
  // Of every private set that is opened: what the ledger binds to a population.
  std::vector<std::string> dataset_ids = {};
};

// One run, if the algorithm protects; none for fedavg.
struct TrainPlan : Plan {
  bool protects = false;  // fedavg does not
  std::int64_t population = 0;
  double expected_cohort = 0;  // what sums are divided by
  dp::Participants participants = {};
  std::vector<std::string> remarks = {};  // in simulations: what looks odd

  // All of them, as one event with a count. REQUIRES: it protects.
  const dp::Event& rounds() const { return runs.front().events.front(); }
};

// Throws BadInput for a plan that cannot be: a cohort larger than the
// population, private data without cohort.population, canaries in private data
// or for more users than there are, fedavg on private data (Unsupported).
// A run that began reads its own copy of the vocabulary, in `run_folder`.
TrainPlan PlanTraining(const config::TrainConfig& config, const DataFacts& data,
                       const base::Path& run_folder = {});

// Where the rounds are entered: what the config names; otherwise inside the run
// for a simulation, and beside the dataset for private data.
base::Path LedgerPath(const config::TrainConfig& config, bool simulation,
                      const base::Path& run_folder);

// Where the config has no delta and there is a ledger: the one that the
// population's budget is for.
void UseLedgersDelta(config::TrainConfig& config, const DataFacts& data,
                     const std::string& key);

// What the population is called there.
std::string PopulationName(const config::TrainConfig& config,
                           const DataFacts& data);

}  // namespace sfumato::plan
