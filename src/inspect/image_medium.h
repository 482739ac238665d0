// Images under inspection: sides by what a classifier says, generators that
// draw, and pictures compared.

#pragma once

#include <memory>

#include "config/train_config.h"
#include "data/dataset.h"
#include "inspect/stages.h"

namespace sfumato::inspect {

// Networks and the judging model, without anything made. Throws as the
// inspection would.
void CheckImages(const config::TrainConfig& config,
                 const data::DatasetInfo& info);

// REQUIRES: its data is open, and outlives the result.
std::unique_ptr<Medium> OpenImages(const Inspection& inspection);

}  // namespace sfumato::inspect
