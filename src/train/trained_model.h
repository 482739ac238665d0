// What a config trains: an algorithm, and the networks that it holds.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "algorithms/dp_fedavg.h"
#include "algorithms/dp_fedavg_gan.h"
#include "base/safetensors.h"
#include "config/train_config.h"
#include "fed/evaluate.h"
#include "models/batch.h"
#include "models/classifier.h"
#include "models/lstm.h"
#include "runs/samples.h"
#include "train/device.h"

namespace sfumato::train {

// What a discriminator's checkpoint says of itself; a classifier's has no task.
inline constexpr const char* kTask = "task";
inline constexpr const char* kPublicOrOwn = "public or own";

// Of a language model's words (data::Vocabulary::Sum).
inline constexpr const char* kVocabularySum = "vocabulary";

struct TrainedModel {
  std::unique_ptr<fed::Algorithm> algorithm;
  // One of the three.
  std::optional<models::Stack> classifier = {};
  std::optional<models::Lstm> language = {};
  const algorithms::DpFedAvgGan* gan = nullptr;  // the algorithm itself

  std::int64_t parameters() const;  // that devices train
  // Of a classifier or a language model.
  const params::Layout& layout() const {
    return classifier ? classifier->layout() : language->layout();
  }
  base::Metadata metadata() const;  // input, classes
};

// Throws BadInput for a model that is unknown, or cannot take such images.
TrainedModel ModelFor(const config::TrainConfig& config, models::Shape shape,
                      std::int64_t classes, const Device& device);

// A classifier's accuracy and loss; of a language model those of every symbol
// that is to be predicted.
fed::Evaluation JudgedOn(const TrainedModel& model, const at::Tensor& params,
                         const models::Examples& examples,
                         std::span<const std::int64_t> users,
                         fed::WorkerPool& pool);

bool TrainsGan(const config::TrainConfig& config);
// Classifiers see pixels as 0 … 1, critics as -1 … 1.
models::PixelRange PixelsFor(const config::TrainConfig& config);
// Whether the model looks at the users' labels: classifiers of them and
// conditional generators do.
models::Labels LabelsFor(const config::TrainConfig& config);

// The networks alone.
models::Lstm LstmFor(const config::TrainConfig& config, std::int64_t symbols);
models::Gan GanFor(const config::TrainConfig& config, models::Shape shape,
                   std::int64_t classes);

// Images that a generator draws, as pixels. The same seed, the same images.
struct DrawOptions {
  std::uint64_t seed = 1;
  std::int64_t count = 256;
  std::int64_t round = 0;   // that the result is said to be of
  std::int64_t label = -1;  // conditional networks: of this class; -1: of all
};
runs::ImageSamples DrawSamples(const models::Gan& gan, const at::Tensor& params,
                               const DrawOptions& options);
// As eval takes them: [image, height, width, channel], -1 … 1; and back.
at::Tensor ImagesOf(const runs::ImageSamples& samples);
runs::ImageSamples SamplesOf(const at::Tensor& images);

}  // namespace sfumato::train
