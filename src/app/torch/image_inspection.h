// An inspection of images: sides by what a classifier says, GANs that draw, and
// pictures compared.

#pragma once

#include <memory>

#include "app/torch/inspection.h"
#include "app/torch/inspection_stages.h"
#include "data/dataset.h"

namespace sfumato::app {

// Networks and the judging model, without anything made. Throws as the
// inspection would.
void CheckImageInspection(const runs::TrainConfig& config,
                          const data::DatasetInfo& info);

std::unique_ptr<InspectionStages> MakeImageInspection(const InspectJob& job,
                                                      InspectOutcome& outcome);

}  // namespace sfumato::app
