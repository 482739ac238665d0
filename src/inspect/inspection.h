// An inspection, in the part that needs Torch: selects users, trains the models
// of two sides, compares what they draw, and makes the page.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "config/train_config.h"
#include "nlohmann/json.hpp"
#include "plan/inspect_plan.h"
#include "runs/census.h"
#include "runs/contrast.h"
#include "runs/inspection.h"

namespace sfumato::inspect {

struct InspectJob {
  base::Path folder;  // exists, and holds config.toml
  config::TrainConfig config = {};
  std::string version = "";
  std::string ledger_key = "";
  std::string verify = "";                 // an earlier inspection's folder
  std::vector<runs::PowerRow> power = {};  // of simulations like it
  // In a series paid for together: its part of their plan, which the ledger has
  // reserved. Nothing: it plans and pays for itself.
  std::optional<plan::InspectPlan> plan = {};
  // The number of inspections in the series, and the cost of all of them. 0:
  // not in a series.
  std::int64_t series_inspections = 0;
  double series_epsilon = 0;
  // The config's threshold was released by the first of the series.
  bool above_released = false;
  bool below_released = false;
  bool yes = false;
};

struct InspectOutcome {
  runs::InspectionRecord record = {};
  std::optional<runs::CensusRecord> census = {};  // if it began with one
  runs::Contrast contrast = {};
  double seconds = 0;  // of this process; reported in simulations only
};

// Checks what it can before anything is asked, trained or written: kind of
// data, criterion, bug, networks, the judging model. Throws as the inspection
// would.
extern "C" void SfumatoCheckInspection(const config::TrainConfig* config);

// Runs the inspection to its end, resuming from what the folder holds. On
// failure sets the inspection's status and rethrows.
extern "C" void SfumatoInspect(const InspectJob* job, InspectOutcome* outcome);

}  // namespace sfumato::inspect
