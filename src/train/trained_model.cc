#include "train/trained_model.h"

#include <ATen/core/grad_mode.h>

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "data/vocabulary.h"
#include "fmt/format.h"
#include "models/lstm_loss.h"
#include "models/sequences.h"

namespace sfumato::train {
namespace {

fed::ServerOptions ServerFor(const config::ServerConfig& config) {
  return {.kind = fed::ServerKindNamed(config::Word(config.optimizer)),
          .learning_rate = config.learning_rate,
          .momentum = config.momentum,
          .beta2 = config.beta2,
          .epsilon = config.epsilon};
}

algorithms::DpFedAvgOptions TrainingFor(const config::TrainConfig& config) {
  return {.device = {.learning_rate = config.local.learning_rate,
                     .momentum = config.local.momentum},
          .server = ServerFor(config.server),
          .seed = static_cast<std::uint64_t>(config.seed)};
}

TrainedModel ClassifierFor(const config::TrainConfig& config,
                           models::Shape shape, std::int64_t classes) {
  models::Stack model =
      models::ClassifierNamed(config.model.name, shape, classes);
  return {.algorithm = std::make_unique<algorithms::DpFedAvg>(
              models::TrainableClassifier(model), TrainingFor(config)),
          .classifier = std::move(model)};
}

TrainedModel LanguageModelFor(const config::TrainConfig& config,
                              std::int64_t width, std::int64_t symbols) {
  models::Lstm model = LstmFor(config, symbols);
  return {
      .algorithm = std::make_unique<algorithms::DpFedAvg>(
          models::TrainableLanguageModel(model, width), TrainingFor(config)),
      .language = std::move(model)};
}

TrainedModel GanModelFor(const config::TrainConfig& config, models::Shape shape,
                         std::int64_t classes, const Device& device) {
  const config::GanConfig& gan = config.gan;
  const auto seed = static_cast<std::uint64_t>(config.seed);
  auto made =
      std::make_unique<algorithms::DpFedAvgGan>(algorithms::DpFedAvgGanOptions{
          .gan = GanFor(config, shape, classes),
          .device = {.learning_rate = config.local.learning_rate,
                     .penalty = gan.penalty,
                     .l2 = gan.l2},
          .generator = {.steps = gan.generator_steps,
                        .batch_size = gan.generator_batch,
                        .adam = gan.generator_optimizer ==
                                config::GeneratorRule::kAdam,
                        .learning_rate = gan.generator_learning_rate,
                        .beta1 = gan.generator_beta1,
                        .beta2 = gan.generator_beta2,
                        .l2 = gan.l2,
                        .ema = gan.ema,
                        .seed = seed,
                        .threads = device.threads},
          .every = gan.every,
          .server = ServerFor(config.server),
          .seed = seed,
          .server_device = device.torch});
  const algorithms::DpFedAvgGan* inside = made.get();
  return {.algorithm = std::move(made), .gan = inside};
}

}  // namespace

fed::Evaluation JudgedOn(const TrainedModel& model, const at::Tensor& params,
                         const models::Examples& examples,
                         std::span<const std::int64_t> users,
                         fed::WorkerPool& pool) {
  if (model.classifier) {
    return fed::Evaluate(*model.classifier, params, examples, users, pool);
  }
  const auto judge = [&](const at::Tensor& inputs, const at::Tensor& labels) {
    const models::SequencesJudged judged =
        models::JudgeSequences(*model.language, params, inputs, labels);
    return fed::UserScore{
        .examples = judged.predictions.sum().item<std::int64_t>(),
        .correct = judged.right.sum().item<std::int64_t>(),
        .loss = -judged.log_likelihood.sum().item<double>()};
  };
  return fed::Evaluate(judge, examples, users, pool);
}

bool TrainsGan(const config::TrainConfig& config) {
  return config.algorithm == config::Algorithm::kDpFedAvgGan;
}

models::PixelRange PixelsFor(const config::TrainConfig& config) {
  return TrainsGan(config) ? models::PixelRange{.low = -1, .high = 1}
                           : models::PixelRange{};
}

models::Labels LabelsFor(const config::TrainConfig& config) {
  const bool own_classes = TrainsGan(config) ? config.gan.conditional
                                             : config.data.public_path.empty();
  return own_classes ? models::Labels::kNeeded : models::Labels::kUnused;
}

models::Lstm LstmFor(const config::TrainConfig& config, std::int64_t symbols) {
  const bool words = config::ModelsWords(config);
  return models::Lstm(
      {.symbols = symbols,
       .embedding = config.lstm.embedding,
       .hidden = config.lstm.hidden,
       .layers = config.lstm.layers,
       .projection = config.lstm.projection,
       .tied = config.lstm.tied,
       .begin = words ? data::Vocabulary::kBegin : models::kByteBegin,
       .end = words ? data::Vocabulary::kEnd : models::kByteEnd});
}

models::Gan GanFor(const config::TrainConfig& config, models::Shape shape,
                   std::int64_t classes) {
  if (shape.channels != 1 && shape.channels != 3) {
    throw BadInput(fmt::format("images of {} channels", shape.channels), "data",
                   "generators draw grey or red-green-blue images");
  }
  return models::GanNamed(config.model.name, shape,
                          {.latent = config.gan.latent,
                           .classes = config.gan.conditional ? classes : 0});
}

std::int64_t TrainedModel::parameters() const {
  return algorithm->Broadcast().numel();
}

base::Metadata TrainedModel::metadata() const {
  if (classifier) {
    return {{"input", models::ToText(classifier->input())},
            {"classes", std::to_string(classifier->output().size())}};
  }
  if (language) {
    return {{"symbols", std::to_string(language->shape().symbols)}};
  }
  return {{"image", models::ToText(gan->gan().image)},
          {"latent", std::to_string(gan->gan().shape.latent)},
          {"classes", std::to_string(gan->gan().shape.classes)}};
}

TrainedModel ModelFor(const config::TrainConfig& config, models::Shape shape,
                      std::int64_t classes, const Device& device) {
  if (TrainsGan(config)) return GanModelFor(config, shape, classes, device);
  return config::ModelsLanguage(config)
             ? LanguageModelFor(config, shape.width, classes)
             : ClassifierFor(config, shape, classes);
}

runs::ImageSamples DrawSamples(const models::Gan& gan, const at::Tensor& params,
                               const DrawOptions& options) {
  const at::NoGradGuard no_gradient;
  at::Tensor labels;
  if (gan.shape.classes > 0) {
    labels = options.label >= 0
                 ? at::full({options.count}, options.label, at::kLong)
                 : at::arange(options.count).remainder(gan.shape.classes);
  }
  runs::ImageSamples samples = SamplesOf(models::Draw(
      gan, params,
      models::Latent(gan, {.seed = options.seed, .device = params.device()},
                     options.count, labels)));
  samples.round = options.round;
  for (std::int64_t i = 0; labels.defined() && i < options.count; ++i) {
    samples.labels.push_back(labels[i].item<int>());
  }
  return samples;
}

runs::ImageSamples SamplesOf(const at::Tensor& images) {
  const at::Tensor bytes = models::ToBytes(images);
  const auto* first = bytes.data_ptr<std::uint8_t>();
  return {.height = static_cast<int>(bytes.size(1)),
          .width = static_cast<int>(bytes.size(2)),
          .channels = static_cast<int>(bytes.size(3)),
          .pixels = {first, first + bytes.numel()}};
}

at::Tensor ImagesOf(const runs::ImageSamples& samples) {
  return models::FromBytes(
      at::from_blob(const_cast<std::uint8_t*>(samples.pixels.data()),
                    {static_cast<std::int64_t>(samples.count()), samples.height,
                     samples.width, samples.channels},
                    at::kByte));
}

}  // namespace sfumato::train
