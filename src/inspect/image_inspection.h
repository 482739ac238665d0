// An inspection of images: sides by what a classifier says, GANs that draw, and
// pictures compared.

#pragma once

#include <memory>

#include "data/dataset.h"
#include "inspect/inspection.h"
#include "inspect/inspection_stages.h"

namespace sfumato::inspect {

// Networks and the judging model, without anything made. Throws as the
// inspection would.
void CheckImageInspection(const config::TrainConfig& config,
                          const data::DatasetInfo& info);

std::unique_ptr<InspectionStages> MakeImageInspection(const InspectJob& job,
                                                      InspectOutcome& outcome);

}  // namespace sfumato::inspect
