// A census, in the part that needs Torch: learns a voter from references, asks
// everybody once, and makes the answer and its page.

#pragma once

#include <functional>
#include <string>

#include "base/file.h"
#include "config/train_config.h"
#include "data/dataset.h"
#include "dp/ledger/ledger.h"
#include "plan/census_plan.h"
#include "plan/training_data.h"
#include "runs/census.h"

namespace sfumato::census {

struct CensusJob {
  base::Path folder;  // exists, and holds config.toml
  config::TrainConfig config = {};
  std::string version = "";
  std::string ledger_key = "";
  bool yes = false;
};

// What an inspection gives a census that is part of it: somebody said yes to
// the price of everything, and the ledger has reserved it. All must outlive the
// census.
struct CensusPart {
  const plan::CensusPlan& plan;
  const plan::TrainingData& people;
  dp::Ledger& ledger;
  base::Path folder;  // the inspection's: where its classifier is
  // Before a vote that was lost is reserved and paid again; may throw.
  std::function<void(const dp::Event& more)> before_more = {};
};

struct CensusOutcome {
  runs::CensusRecord record = {};
  double seconds = 0;  // of this process; reported in simulations only
};

// Checks what it can before anything is learned, asked or written: kind of
// data, references, groups, the stored voter. Throws as the census would.
extern "C" void SfumatoCheckCensus(const config::TrainConfig* config);

// What the above checks of references, groups and the stored voter.
void CheckQuestion(const config::TrainConfig& config,
                   const data::DatasetInfo& info);

// The voter of a census inside an inspection, from references alone: before the
// inspection asks for a yes and reserves its price, since references may be
// refused. `part.ledger` is not used. The job's folder is made if missing.
// Throws as SfumatoCensus, with the status on record.
void LearnPart(const CensusJob& job, const CensusPart& part,
               CensusOutcome& outcome);

// A census inside an inspection, to its end: what is done is left as it is.
// Throws as LearnPart; the inspection says how to resume.
void RunPart(const CensusJob& job, const CensusPart& part,
             CensusOutcome& outcome);

// Runs the census to its end, resuming from what the folder holds. On failure
// sets its status and rethrows.
extern "C" void SfumatoCensus(const CensusJob* job, CensusOutcome* outcome);

}  // namespace sfumato::census
