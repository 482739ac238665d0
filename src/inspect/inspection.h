// An inspection, in the part that needs Torch: who is selected, two sides'
// models trained, what they draw compared, and the page.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "config/train_config.h"
#include "nlohmann/json.hpp"
#include "plan/inspect_plan.h"
#include "runs/contrast.h"
#include "runs/inspection.h"

namespace sfumato::inspect {

struct InspectJob {
  base::Path folder;  // there, with config.toml
  config::TrainConfig config = {};
  std::string version = "";
  std::string ledger_key = "";
  std::string verify = "";                 // an earlier inspection's folder
  std::vector<runs::PowerRow> power = {};  // of simulations like it
  // One of several that are paid for together: its part of their plan, which
  // the ledger has reserved. Nothing: it plans and pays for itself.
  std::optional<plan::InspectPlan> plan = {};
  // How many they are, and what all of them cost; 0: it is alone.
  std::int64_t series_inspections = 0;
  double series_epsilon = 0;
  // The config's threshold was released by the first of the series.
  bool above_released = false;
  bool below_released = false;
  bool yes = false;
};

struct InspectOutcome {
  runs::InspectionRecord record = {};
  runs::Contrast contrast = {};
  double seconds = 0;  // of this process; simulations alone may tell
};

// What can be found wrong without a question, a model trained or a file made:
// kind of data, criterion, bug, networks, the judging model. Throws as the
// inspection would.
extern "C" void SfumatoCheckInspection(const config::TrainConfig* config);

// Goes on from whatever is in the folder to the end. What went wrong is the
// inspection's status, and is thrown.
extern "C" void SfumatoInspect(const InspectJob* job, InspectOutcome* outcome);

}  // namespace sfumato::inspect
