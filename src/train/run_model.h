// A run's model, read back from a checkpoint.
//
//   const RunModel run = ReadRunModel("runs/words");
//   const Drawn drawn = run.Draw({.seed = 1, .count = 10});
//
// Nothing but the released parameters is used: drawing costs nothing.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/file.h"
#include "base/safetensors.h"
#include "config/train_config.h"
#include "models/batch.h"
#include "train/trained_model.h"

namespace sfumato::train {

struct RunModel {
  config::TrainConfig config;
  std::unique_ptr<TrainedModel> model;
  at::Tensor params;        // [1, size]
  base::Metadata metadata;  // what the checkpoint says about itself
  models::Shape shape;      // of an example; of text nothing
  std::int64_t classes = 0;
  std::int64_t round = 0;

  // Samples of the checkpoint's round, with its metadata. REQUIRES: it draws.
  Drawn Draw(DrawOptions options) const;
};

// The checkpoint after `round` rounds; -1: the last. Throws BadInput when there
// is none, or it does not fit the run's vocabulary; Corrupt when it does not
// say what its model takes.
RunModel ReadRunModel(const base::Path& folder, std::int64_t round = -1);

}  // namespace sfumato::train
