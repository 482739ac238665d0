// A run's language model, for callers that need more than TrainedModel offers:
// its vocabulary, and the likelihood it assigns to each sentence.
//
//   const LanguageRun run = ReadLanguageRun("runs/words");

#pragma once

#include <cstdint>
#include <span>

#include "base/file.h"
#include "config/train_config.h"
#include "data/vocabulary.h"
#include "models/lstm.h"
#include "train/language_model.h"

namespace sfumato::train {

struct LanguageRun {
  config::TrainConfig config;
  data::Vocabulary vocabulary;
  models::Lstm model;
  at::Tensor params;  // [1, size]
  std::int64_t round = 0;
};

// Throws as ReadRunModel, and BadInput for a run of another kind.
LanguageRun ReadLanguageRun(const base::Path& folder, std::int64_t round = -1);

// By the mean of several character models of one shape. REQUIRES: at least one.
LikelyWords MostLikelyWords(std::span<const LanguageRun> runs,
                            std::int64_t count);

}  // namespace sfumato::train
