// Text under inspection: two states of a pipeline or two populations, language
// models of words and of unknown words, and what they write compared.

#pragma once

#include <memory>

#include "config/train_config.h"
#include "inspect/stages.h"

namespace sfumato::inspect {

// Criterion, vocabulary and networks, without anything made. Throws as the
// inspection would.
void CheckText(const config::TrainConfig& config);

// REQUIRES: its data is open, and outlives the result.
std::unique_ptr<Medium> OpenText(const Inspection& inspection);

}  // namespace sfumato::inspect
