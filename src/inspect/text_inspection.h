// An inspection of text: two states of a pipeline or two populations, language
// models of words and of unknown words, and what they write compared.

#pragma once

#include <memory>

#include "inspect/inspection.h"
#include "inspect/inspection_stages.h"

namespace sfumato::inspect {

// Criterion, vocabulary and networks, without anything made. Throws as the
// inspection would.
void CheckTextInspection(const config::TrainConfig& config);

std::unique_ptr<InspectionStages> MakeTextInspection(const InspectJob& job,
                                                     InspectOutcome& outcome);

}  // namespace sfumato::inspect
