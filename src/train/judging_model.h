// The model that a criterion asks: read from a run, or trained on generated
// people for a simulation.
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

// The last checkpoint of a classifier's run, or what TrainPrimary wrote. Throws
// BadInput when there is none, or it takes other images or classes than `info`
// has (as many of other names, too), or is a classifier where a discriminator
// is asked (T6: trained with data.public_path), or the other way.
eval::Judge ReadJudge(const base::Path& folder, const data::DatasetInfo& info,
                      bool discriminator);

// The last checkpoint of a run of words, with the words that it knows. Throws
// BadInput as ReadLanguageRun, and for a run of characters.
LanguageRun ReadWordJudge(const base::Path& folder);

// How likely it holds every sentence of the data's users, read with its own
// words and cut at its own longest sentence: private data.
select::Verdicts JudgedBy(const LanguageRun& judge,
                          const plan::TrainingData& data,
                          fed::WorkerPool& pool);

// A sum of a judge's parameters: another model has another.
std::string SumOf(const at::Tensor& params);

// Generates other people than the config's, trains a classifier on them, and
// writes it to `folder`; reads it when it is there. It is public: it never saw
// anybody of the population.
eval::Judge TrainPrimary(const config::TrainConfig& config,
                         const base::Path& folder, const Device& device);

}  // namespace sfumato::train
