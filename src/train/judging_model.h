// The model that judges users or examples for a criterion: read from a run, or
// trained on generated people for a simulation.
//
//   const LanguageRun judge = ReadWordJudge("runs/public_words");
//   const select::Verdicts verdicts = JudgedBy(judge, data, pool);

#pragma once

#include <cstdint>
#include <string>

#include "base/file.h"
#include "config/train_config.h"
#include "data/dataset.h"
#include "eval/image_scores.h"
#include "fed/worker_pool.h"
#include "plan/training_data.h"
#include "select/selection.h"
#include "train/device.h"
#include "train/language_run.h"

namespace sfumato::train {

// Reads the last checkpoint of a classifier's run, or what TrainPrimary wrote.
// Throws BadInput if there is none, if its image shape or class names differ
// from `info`, or if it is not of the requested kind: a classifier, or a
// discriminator (trained with data.public_path).
eval::Judge ReadJudge(const base::Path& folder, const data::DatasetInfo& info,
                      bool discriminator);

// Reads the last checkpoint of a word model, with its vocabulary. Throws
// BadInput as ReadLanguageRun, and for a character model.
LanguageRun ReadWordJudge(const base::Path& folder);

// The likelihood that `judge` assigns to each sentence of the users, read with
// its own vocabulary and cut at its own longest sentence. Private data.
select::Verdicts JudgedBy(const LanguageRun& judge,
                          const plan::TrainingData& data,
                          fed::WorkerPool& pool);

// A checksum of a judge's parameters, to recognise the model; of a word model
// also of its vocabulary and of where it cuts sentences.
std::string SumOf(const at::Tensor& params);
std::string SumOf(const LanguageRun& judge);

// Reads the classifier in `folder`, or trains it on newly generated people and
// writes it there. It is public: it never saw anybody of the population.
eval::Judge TrainPrimary(const config::TrainConfig& config,
                         const base::Path& folder, const Device& device);

}  // namespace sfumato::train
