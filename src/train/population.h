// The users of a dataset as devices, and a criterion at work on them.
//
//   const ModelInput input(config, run_folder);
//   const Population people(data, input);
//   const select::Verdicts verdicts =
//       people.JudgedBy(judge, /*discriminator=*/false, pool);
//   const auto chosen = people.Chosen(criterion, verdicts);

#pragma once

#include <memory>

#include "eval/image_scores.h"
#include "fed/worker_pool.h"
#include "models/batch.h"
#include "plan/training_data.h"
#include "select/selection.h"
#include "train/model_input.h"

namespace sfumato::train {

class Population {
 public:
  // Both must outlive it.
  Population(const plan::TrainingData& data, const ModelInput& input);

  const models::Examples& train() const { return *train_; }
  // What the judge says of everybody's examples: private data.
  select::Verdicts JudgedBy(const eval::Judge& judge, bool discriminator,
                            fed::WorkerPool& pool) const;
  // Who takes part, with which examples; users keep their numbers.
  std::unique_ptr<models::Examples> Chosen(
      const select::Criterion& criterion,
      const select::Verdicts& verdicts) const;

 private:
  const plan::TrainingData& data_;
  std::unique_ptr<models::Examples> all_;
  std::unique_ptr<models::Examples> train_;  // the data's users, from 0
};

}  // namespace sfumato::train
