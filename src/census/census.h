// A census, in the part that needs Torch: learns a voter from references, asks
// everybody once, and makes the answer and its page.

#pragma once

#include <string>

#include "base/file.h"
#include "config/train_config.h"
#include "runs/census.h"

namespace sfumato::census {

struct CensusJob {
  base::Path folder;  // exists, and holds config.toml
  config::TrainConfig config = {};
  std::string version = "";
  std::string ledger_key = "";
  bool yes = false;
};

struct CensusOutcome {
  runs::CensusRecord record = {};
  double seconds = 0;  // of this process; reported in simulations only
};

// Checks what it can before anything is learned, asked or written: kind of
// data, references, groups, the stored voter. Throws as the census would.
extern "C" void SfumatoCheckCensus(const config::TrainConfig* config);

// Runs the census to its end, resuming from what the folder holds. On failure
// sets its status and rethrows.
extern "C" void SfumatoCensus(const CensusJob* job, CensusOutcome* outcome);

}  // namespace sfumato::census
