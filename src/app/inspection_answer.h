// What `inspect`, `resume` and the demo share: an inspection to its end, and
// what is said of it.

#pragma once

#include <string>

#include "app/command.h"
#include "base/file.h"
#include "inspect/inspection.h"

namespace sfumato::app {

// Makes the folder with its config.toml, or continues what is there; removes
// it again when nothing was begun. `fail_on` is a verdict that exits with 1.
Answer InspectInto(const base::Path& folder, const inspect::InspectJob& job,
                   const std::string& fail_on);

// Throws if an inspection cannot begin or resume: BadInput for a folder that
// holds something else, Unavailable if it cannot be created. Creates nothing.
void CheckFolder(const base::Path& folder, const config::TrainConfig& config);

// The job of an inspection that was begun before.
inspect::InspectJob JobOf(const base::Path& folder);

}  // namespace sfumato::app
