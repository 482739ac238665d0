// The words that a run's model knows: a file that the config names, or, of a
// simulation, the most frequent words of its people as they wrote before any
// bug. A run keeps its own copy, vocabulary.txt: words keep their numbers
// whatever becomes of the file.
//
//   const data::Vocabulary words = RunVocabulary(config, run_folder);

#pragma once

#include "base/file.h"
#include "config/train_config.h"
#include "data/vocabulary.h"

namespace sfumato::plan {

inline constexpr const char* kVocabularyFile = "vocabulary.txt";

// Reads the run's copy, or makes it. Throws BadInput for a file that is no
// vocabulary or not the one that the run began with, Unsupported for private
// data without one: which words people use is private.
data::Vocabulary RunVocabulary(const config::TrainConfig& config,
                               const base::Path& run_folder);

// The copy of a run that began; who only looks at a run makes none. Throws
// BadInput where it is missing.
data::Vocabulary KeptVocabulary(const base::Path& run_folder);

}  // namespace sfumato::plan
