// An inspection of text: two states of a pipeline or two populations, language
// models of words and of unknown words, and what they write compared.

#pragma once

#include <memory>

#include "app/torch/inspection.h"
#include "app/torch/inspection_stages.h"

namespace sfumato::app {

// Criterion, vocabulary and networks, without anything made. Throws as the
// inspection would.
void CheckTextInspection(const runs::TrainConfig& config);

std::unique_ptr<InspectionStages> MakeTextInspection(const InspectJob& job,
                                                     InspectOutcome& outcome);

}  // namespace sfumato::app
