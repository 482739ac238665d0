// A run's language model, for what asks more of it than any model can do: its
// own words, and how likely it holds a text.
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

// As ReadRunModel. Throws BadInput for a run of another kind as well.
LanguageRun ReadLanguageRun(const base::Path& folder, std::int64_t round = -1);

// By the mean of some character models of one shape. REQUIRES: one at least.
LikelyWords MostLikelyWords(std::span<const LanguageRun> runs,
                            std::int64_t count);

}  // namespace sfumato::train
