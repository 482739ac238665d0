// Generative adversarial networks: devices train a critic of images between -1
// and 1, the server a generator, which draws.

#include <ATen/core/grad_mode.h>

#include "algorithms/dp_fedavg_gan.h"
#include "base/error.h"
#include "fmt/format.h"
#include "models/gan.h"
#include "train/federated_options.h"
#include "train/image_tensors.h"
#include "train/trained_model.h"

namespace sfumato::train {
namespace {

models::Gan NetworksFor(const config::TrainConfig& config,
                        const ModelSize& size) {
  if (size.shape.channels != 1 && size.shape.channels != 3) {
    throw BadInput(fmt::format("images of {} channels", size.shape.channels),
                   "data", "generators draw grey or red-green-blue images");
  }
  return models::GanNamed(
      config.model.name, size.shape,
      {.latent = config.gan.latent,
       .classes = config.gan.conditional ? size.classes : 0});
}

class GanModel : public TrainedModel {
 public:
  GanModel(const config::TrainConfig& config, const ModelSize& size)
      : config_(config), gan_(NetworksFor(config, size)) {}

  std::unique_ptr<fed::Algorithm> MakeAlgorithm(
      const Device& device) const override {
    const config::GanConfig& gan = config_.gan;
    const auto seed = static_cast<std::uint64_t>(config_.seed);
    return std::make_unique<algorithms::DpFedAvgGan>(
        algorithms::DpFedAvgGanOptions{
            .gan = gan_,
            .device = {.learning_rate = config_.local.learning_rate,
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
            .server = ServerOptionsOf(config_.server),
            .seed = seed,
            .server_device = device.torch});
  }

  base::Metadata Metadata() const override {
    return {{"image", models::ToText(gan_.image)},
            {"latent", std::to_string(gan_.shape.latent)},
            {"classes", std::to_string(gan_.shape.classes)}};
  }

  at::Tensor Params(const fed::Algorithm& algorithm) const override {
    return dynamic_cast<const algorithms::DpFedAvgGan&>(algorithm)
        .generator()
        .drawing();
  }
  at::Tensor ParamsIn(const base::SafetensorsFile& file) const override {
    return algorithms::DrawingGenerator(gan_, config_.gan.ema > 0, file);
  }

  Drawn Draw(const at::Tensor& params,
             const DrawOptions& options) const override {
    const at::NoGradGuard no_gradient;
    at::Tensor labels;
    if (label_count() > 0) {
      labels = options.label >= 0
                   ? at::full({options.count}, options.label, at::kLong)
                   : at::arange(options.count).remainder(label_count());
    }
    runs::ImageSamples samples = SamplesOf(models::Draw(
        gan_, params,
        models::Latent(gan_, {.seed = options.seed, .device = params.device()},
                       options.count, labels)));
    samples.round = options.round;
    for (std::int64_t i = 0; labels.defined() && i < options.count; ++i) {
      samples.labels.push_back(labels[i].item<int>());
    }
    return samples;
  }
  std::int64_t label_count() const override { return gan_.shape.classes; }

  // A generator that draws one image shows nothing, however good it looks.
  std::optional<std::string> Warning(
      std::span<const runs::Value> figures) const override {
    for (const runs::Value& value : figures) {
      const auto* number = std::get_if<double>(&value.content());
      if (value.key() != "batch_spread" || number == nullptr ||
          *number >= algorithms::DpFedAvgGan::kCollapsed) {
        continue;
      }
      return fmt::format(
          "the generator draws almost the same image again and again (batch "
          "spread {:.3f}); it has collapsed, and what it draws shows little. A "
          "lower gan.generator_learning_rate or more local steps help",
          *number);
    }
    return std::nullopt;
  }

 private:
  config::TrainConfig config_;
  models::Gan gan_;
};

}  // namespace

ModelKind GanKind() {
  return {.algorithms = {config::Algorithm::kDpFedAvgGan},
          .networks = models::GanNames(),
          .traits =
              [](const config::TrainConfig& config) {
                return ModelTraits{
                    .pixels = {.low = -1, .high = 1},
                    .labels = config.gan.conditional ? models::Labels::kNeeded
                                                     : models::Labels::kUnused,
                    .draws = true,
                    .sample_every = config.gan.sample_every,
                    .sample_count = config.gan.sample_count,
                    // A critic is shown a whole batch of drawn images beside
                    // every batch of a user's: its size must not depend on who
                    // else is there, not even in a simulation.
                    .whole_batches = true};
              },
          .make = [](const config::TrainConfig& config,
                     const ModelSize& size) -> std::unique_ptr<TrainedModel> {
            return std::make_unique<GanModel>(config, size);
          }};
}

}  // namespace sfumato::train
