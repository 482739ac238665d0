// The canaries of a run (models/canaries.h): those of its config, vocabulary
// and number of users that train. Training and judging find the same ones.
//
//   const auto canaries = CanariesOf(config, vocabulary, data.users.size());

#pragma once

#include <cstddef>
#include <vector>

#include "config/train_config.h"
#include "data/vocabulary.h"
#include "models/canaries.h"

namespace sfumato::train {

models::CanaryOptions CanaryOptionsOf(const config::TrainConfig& config);

// None where the config has none.
std::vector<models::Canary> CanariesOf(const config::TrainConfig& config,
                                       const data::Vocabulary& vocabulary,
                                       std::size_t users);

}  // namespace sfumato::train
