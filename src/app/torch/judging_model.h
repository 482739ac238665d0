// The model that a criterion asks: read from a run, or trained on generated
// people for a simulation.

#pragma once

#include <cstdint>
#include <string>

#include "app/torch/place.h"
#include "base/file.h"
#include "data/dataset.h"
#include "eval/image_scores.h"
#include "runs/train_config.h"

namespace sfumato::app {

// The last checkpoint of a classifier's run, or what TrainPrimary wrote. Throws
// BadInput when there is none, or it takes other images or classes than `info`
// has (as many of other names, too), or is a classifier where a discriminator
// is asked (T6: trained with data.public_path), or the other way.
eval::Judge ReadJudge(const base::Path& folder, const data::DatasetInfo& info,
                      bool discriminator);

// Generates other people than the config's, trains a classifier on them, and
// writes it to `folder`; reads it when it is there. It is public: it never saw
// anybody of the population.
eval::Judge TrainPrimary(const runs::TrainConfig& config,
                         const base::Path& folder, const Place& place);

}  // namespace sfumato::app
