// A run's language model, read back, and the text that it draws.
//
//   const LanguageRun run = ReadLanguageRun("runs/words");
//   runs::TextSamples text = DrawnFrom(run, {.seed = 1, .count = 10});
//
// Nothing but the released parameters is used: drawing costs nothing.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/safetensors.h"
#include "config/train_config.h"
#include "data/vocabulary.h"
#include "models/lstm.h"
#include "runs/text_samples.h"

namespace sfumato::train {

struct LanguageRun {
  config::TrainConfig config;
  data::Vocabulary vocabulary;
  models::Lstm model;
  at::Tensor params;        // [1, size]
  base::Metadata metadata;  // what the checkpoint says of itself
  std::int64_t round = 0;
};

// The checkpoint of that round; -1: the last. Throws BadInput for a run of
// something else or without a checkpoint, or one that does not fit the run's
// vocabulary.
LanguageRun ReadLanguageRun(const base::Path& folder, std::int64_t round = -1);

// Throws BadInput when a checkpoint says that it was trained with other words.
void CheckVocabulary(const base::Metadata& metadata,
                     const data::Vocabulary& vocabulary,
                     const std::string& where);

struct TextDraw {
  std::uint64_t seed = 1;
  std::int64_t count = 0;
  double temperature = 1;
  std::int64_t top = 20;  // of the likeliest words
  int threads = 0;        // 0: all cores
};
// Sentences of a model of words; of one of characters different words with how
// often they came, and the likeliest with their joint probabilities.
runs::TextSamples DrawnFrom(const LanguageRun& run, const TextDraw& draw);

struct LikelyWords {
  std::vector<runs::RankedWord> words;  // the likeliest first
  bool exact = false;                   // no other is more likely
};
// By the mean of some character models of one shape.
LikelyWords MostLikelyWords(std::span<const LanguageRun> runs,
                            std::int64_t count);

}  // namespace sfumato::train
