// What a config trains: one interface, one file per kind of model.
//
//   const ModelInput input(config, run_folder);           // model_input.h
//   const auto examples = input.Read(set);
//   const auto model = ModelFor(config, input.SizeOf(*examples));
//   const auto algorithm = model->MakeAlgorithm(device);
//   model->Judge(model->Params(*algorithm), test, users, pool);
//   model->Draw(model->Params(*algorithm), {.seed = 1, .count = 36});
//
//   classifier_model.cc   fedavg, dp_fedavg   the classifiers of models/
//   language_model.cc     fedavg, dp_fedavg   word_lm, char_lm
//   gan_model.cc          dp_fedavg_gan       the pairs of models/gan.h
//
// To add a model (another GAN, a diffusion model):
//   1. models/NAME.{h,cc}: its networks. If they are trained by the gradient of
//      a loss, a models::Trainable (models/lane_loss.h) is enough: DpFedAvg
//      trains it, and step 2 is not needed.
//   2. algorithms/NAME.{h,cc}: its algorithm, one class derived from
//      fed::Algorithm with the citation on top, in the paper's order
//      (algorithms/dp_fedavg.cc is the example); its name in config/words.h,
//      and whether it protects and draws in config::Protects and config::Draws.
//   3. Its section in config/train_config.h and config_fields.cc, and its
//      presets in config/presets.cc.
//   4. Its kind: one file here, with a class derived from TrainedModel; that
//      kind's function below, and in kKinds (trained_model.cc).
// Training, resuming, evaluation, sampling and inspections then work for it.
// fed/algorithm.h says what an algorithm cannot do.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/safetensors.h"
#include "config/train_config.h"
#include "data/vocabulary.h"
#include "fed/algorithm.h"
#include "fed/evaluate.h"
#include "models/batch.h"
#include "runs/gate.h"
#include "runs/samples.h"
#include "runs/text_samples.h"
#include "train/device.h"

namespace sfumato::train {

// The key under which a discriminator's checkpoint states its task; a
// classifier's has none.
inline constexpr const char* kTask = "task";
inline constexpr const char* kPublicOrOwn = "public or own";

// How a model reads a dataset.
enum class Reads {
  kPixels,       // images, or rows of features
  kSentences,    // text, as words of a vocabulary
  kUnknownWords  // text: the words outside the vocabulary, as bytes
};

// What is known of a config's model before there is a network.
struct ModelTraits {
  Reads reads = Reads::kPixels;
  models::PixelRange pixels = {};
  // Whether it looks at the users' labels.
  models::Labels labels = models::Labels::kNeeded;
  bool judges = false;            // Judge works
  bool draws = false;             // Draw works
  std::int64_t sample_every = 0;  // rounds between samples; 0: a tenth of all
  std::int64_t sample_count = 0;  // of each time
  // Each step takes a whole batch, however little data a user has.
  bool whole_batches = false;
};

// What the networks are made for.
struct ModelSize {
  models::Shape shape = {};                      // of one example
  std::int64_t classes = 0;                      // or symbols
  std::vector<std::string> class_names = {};     // those of a classifier
  const data::Vocabulary* vocabulary = nullptr;  // copied; needed to draw text
};

struct DrawOptions {
  std::uint64_t seed = 1;
  std::int64_t count = 256;
  std::int64_t round = 0;   // stated in the result
  std::int64_t label = -1;  // only this class; -1: all of them
  std::int64_t top = 20;    // of the likeliest unknown words
  int threads = 0;          // 0: all cores
};
using Drawn = std::variant<runs::ImageSamples, runs::TextSamples>;

class TrainedModel {
 public:
  virtual ~TrainedModel() = default;

  virtual std::unique_ptr<fed::Algorithm> MakeAlgorithm(
      const Device& device) const = 0;
  // What checkpoints and samples say about the model.
  virtual base::Metadata Metadata() const = 0;

  // The parameters that it judges and draws with, [1, size]: those of an
  // algorithm that it made, or of a checkpoint.
  virtual at::Tensor Params(const fed::Algorithm& algorithm) const;
  virtual at::Tensor ParamsIn(const base::SafetensorsFile& file) const = 0;
  // Throws BadInput for a checkpoint that was trained on another input.
  virtual void CheckCheckpoint(const base::Metadata& metadata,
                               const std::string& run) const;

  // Accuracy and loss. A language model counts every symbol that it predicts.
  // REQUIRES: the traits say that it judges.
  virtual fed::Evaluation Judge(const at::Tensor& params,
                                const models::Examples& examples,
                                std::span<const std::int64_t> users,
                                fed::WorkerPool& pool) const;
  // The same seed, the same bytes. REQUIRES: the traits say that it draws.
  virtual Drawn Draw(const at::Tensor& params,
                     const DrawOptions& options) const;
  // How many classes DrawOptions::label may ask for; 0: none.
  virtual std::int64_t label_count() const { return 0; }

  // What is wrong with the model, from Algorithm::Figures; nothing if it is
  // healthy.
  virtual std::optional<std::string> Warning(
      std::span<const runs::Value> figures) const;
};

struct ModelKind {
  std::vector<config::Algorithm> algorithms;
  std::vector<std::string> networks;  // values of model.name
  ModelTraits (*traits)(const config::TrainConfig& config);
  // Throws BadInput when the networks do not fit the size.
  std::unique_ptr<TrainedModel> (*make)(const config::TrainConfig& config,
                                        const ModelSize& size);
};
ModelKind ClassifierKind();
ModelKind LanguageKind();
ModelKind GanKind();

// All kinds. An algorithm and a network together belong to at most one.
std::vector<ModelKind> ModelKinds();

// Both throw BadInput, naming the nearest network of the algorithm, for an
// unknown model.name.
ModelTraits TraitsFor(const config::TrainConfig& config);
std::unique_ptr<TrainedModel> ModelFor(const config::TrainConfig& config,
                                       const ModelSize& size);

}  // namespace sfumato::train
