// What `census` and `resume` share: a census to its end, and what is said of
// it.

#pragma once

#include <string>

#include "app/command.h"
#include "base/file.h"
#include "census/census.h"

namespace sfumato::app {

// Makes the folder with its config.toml, or continues what is there; removes
// it again when nothing was begun. `fail_on` is a verdict that exits with 1.
// Throws BadInput for a folder that holds something else.
Answer CensusInto(const census::CensusJob& job, const std::string& fail_on);

// Throws if a census cannot begin or resume there, or the config cannot be
// asked. Creates nothing.
void CheckCensus(const base::Path& folder, const config::TrainConfig& config);

// What `resume` does. A census that is finished is left as it is.
struct CensusResume {
  std::string ledger_key = "";
  bool yes = false;
};
Answer ResumeCensus(const base::Path& folder, const CensusResume& given);

}  // namespace sfumato::app
