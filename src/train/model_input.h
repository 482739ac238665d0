// Reads a dataset as a config's model needs it: images in its range of values,
// sentences as words, or unknown words as bytes.
//
//   const ModelInput input(config, run_folder);
//   const auto examples = input.Read(set);

#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/file.h"
#include "config/train_config.h"
#include "data/dataset.h"
#include "data/vocabulary.h"
#include "models/batch.h"
#include "train/trained_model.h"

namespace sfumato::train {

class ModelInput {
 public:
  // For text the run's vocabulary is read, or made (RunVocabulary). Throws as
  // that, and as TraitsFor.
  ModelInput(const config::TrainConfig& config, const base::Path& run_folder);

  // Works without a run's folder: counts no words, and only MakeUp works.
  static ModelInput OfSize(const config::TrainConfig& config);

  // Throws BadInput for data of a kind that the model cannot read.
  static void CheckKind(const config::TrainConfig& config,
                        const data::DatasetInfo& info);

  const ModelTraits& traits() const { return traits_; }

  // `set` and this must outlive the result. Throws as CheckKind.
  std::unique_ptr<models::Examples> Read(
      const data::FederatedDataset& set) const;
  // Reads on the users' devices: for private data nobody learns which examples
  // cannot be read (models::SilentExamples).
  std::unique_ptr<models::Examples> ReadOnDevices(
      const data::FederatedDataset& set) const;

  // Made-up users whose examples look like the data's.
  struct MadeUp {
    std::int64_t users = 1;
    std::int64_t user_size = 1;
  };
  std::unique_ptr<models::Examples> MakeUp(const data::DatasetInfo& info,
                                           const MadeUp& people) const;

  // What a model needs to know about these examples.
  ModelSize SizeOf(const models::Examples& examples) const;

  // Returns null for images and features.
  const data::Vocabulary* vocabulary() const {
    return vocabulary_ ? &*vocabulary_ : nullptr;
  }

 private:
  explicit ModelInput(const config::TrainConfig& config)
      : config_(config), traits_(TraitsFor(config)) {}

  config::TrainConfig config_;
  ModelTraits traits_;
  std::optional<data::Vocabulary> vocabulary_;
  std::int64_t words_ = 0;
};

}  // namespace sfumato::train
