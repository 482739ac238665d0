// A run's language model, read back, and the text that it draws.
//
//   const LanguageRun run = ReadLanguageRun("runs/words");
//   for (const auto& sentence : DrawnSentences(run, {.seed = 1, .count = 10}))
//     Show(sentence);                    // words; "" is an unknown one
//
// Nothing but the released parameters is used: drawing costs nothing.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/safetensors.h"
#include "data/vocabulary.h"
#include "eval/text_draws.h"
#include "models/lstm.h"
#include "runs/train_config.h"

namespace sfumato::app {

struct LanguageRun {
  runs::TrainConfig config;
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

struct TextDraw {
  std::uint64_t seed = 1;
  std::int64_t count = 0;
  double temperature = 1;
  int threads = 0;  // 0: all cores
};
// Of a model of words: tokens, the empty string for an unknown one.
std::vector<std::vector<std::string>> DrawnSentences(const LanguageRun& run,
                                                     const TextDraw& draw);
// Of a model of characters: different words with how often they came.
std::vector<eval::CountedWord> DrawnWords(const LanguageRun& run,
                                          const TextDraw& draw);
// The `count` most likely words, exactly, with their joint probabilities.
struct LikeliestWords {
  std::vector<eval::ProbableWord> words = {};
  bool exact = false;  // proven: there is no likelier one
};
LikeliestWords MostLikelyWords(const LanguageRun& run, std::int64_t count);

}  // namespace sfumato::app
