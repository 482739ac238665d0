// A dataset as a config's model takes it: images in its range of values,
// sentences as words, or unknown words as bytes.
//
//   const ModelInput input(config, run_folder);
//   const auto examples = input.Of(set);

#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/file.h"
#include "config/train_config.h"
#include "data/dataset.h"
#include "data/vocabulary.h"
#include "models/batch.h"

namespace sfumato::train {

class ModelInput {
 public:
  // Of a language model the run's vocabulary is read, or made (RunVocabulary).
  // Throws as that.
  ModelInput(const config::TrainConfig& config, const base::Path& run_folder);

  // For a model of the same size: without a run's folder no words are counted.
  // Only Synthetic may be asked of it.
  static ModelInput OfSize(const config::TrainConfig& config);

  // Throws BadInput for data of another kind than the model's.
  static void CheckKind(const config::TrainConfig& config,
                        const data::DatasetInfo& info);

  // The set must outlive it, and so must this. Throws BadInput for data of
  // another kind than the model's.
  std::unique_ptr<models::Examples> Of(const data::FederatedDataset& set) const;
  // The same; in private data what cannot be read is nobody's business
  // (models::SilentExamples).
  std::unique_ptr<models::Examples> OfDevices(
      const data::FederatedDataset& set) const;

  // Made-up users whose examples look like the data's.
  struct MadeUp {
    std::int64_t users = 1;
    std::int64_t user_size = 1;
  };
  std::unique_ptr<models::Examples> Synthetic(const data::DatasetInfo& info,
                                              const MadeUp& people) const;

  // Of a language model.
  const data::Vocabulary* vocabulary() const {
    return vocabulary_ ? &*vocabulary_ : nullptr;
  }

 private:
  explicit ModelInput(const config::TrainConfig& config) : config_(config) {}

  config::TrainConfig config_;
  std::optional<data::Vocabulary> vocabulary_;
  std::int64_t words_ = 0;
};

}  // namespace sfumato::train
