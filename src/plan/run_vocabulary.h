// The words that a run's model knows: the file that the config names or, in a
// simulation without one, the people's most frequent words before any bug. A
// run keeps its own copy, vocabulary.txt, so that words keep their numbers
// whatever becomes of the file.
//
//   const data::Vocabulary words = RunVocabulary(config, run_folder);

#pragma once

#include "base/file.h"
#include "config/train_config.h"
#include "data/vocabulary.h"

namespace sfumato::plan {

inline constexpr const char* kVocabularyFile = "vocabulary.txt";

// Reads the run's copy, or creates it. Throws BadInput if the file is not a
// vocabulary or not the one that the run began with, Unsupported for private
// data without one: which words people use is private.
data::Vocabulary RunVocabulary(const config::TrainConfig& config,
                               const base::Path& run_folder);

// Reads the copy in a started run's folder; never creates one. Throws BadInput
// if it is missing.
data::Vocabulary KeptVocabulary(const base::Path& run_folder);

}  // namespace sfumato::plan
