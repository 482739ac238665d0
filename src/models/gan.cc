#include "models/gan.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <numbers>

#include "base/error.h"
#include "base/random.h"
#include "base/suggest.h"
#include "fmt/format.h"
#include "models/batch.h"
#include "models/critic_step.h"
#include "models/kernels.h"

namespace sfumato::models {
namespace {

// Streams of uniform numbers in one lane and step.
constexpr std::int64_t kRadius = 1'000'001;
constexpr std::int64_t kAngle = 1'000'002;

constexpr double kSlope = 0.01;

// What a network is made of, by its name.
struct Size {
  std::vector<std::int64_t> dense;  // of the generator, before the images
  std::int64_t first = 0;           // channels at a quarter of the size …
  std::int64_t second = 0;          // … at half of it
  std::int64_t third = 0;           // … at full; 0: straight to the image
  double momentum = 0.999;          // of the generator's averages
};

Stack Generator(Shape image, std::int64_t inputs, const Size& size) {
  const Shape quarter{.height = (image.height + 3) / 4,
                      .width = (image.width + 3) / 4,
                      .channels = size.first};
  const BatchNorm norm{.momentum = size.momentum};
  std::vector<Layer> layers;
  const auto normal = [&](const Layer& layer) {
    layers.insert(layers.end(), {layer, norm, Relu{}});
  };
  for (const std::int64_t outputs : size.dense) {
    normal(Dense{.outputs = outputs, .bias = false});
  }
  normal(Dense{.outputs = quarter.size(), .bias = false});
  layers.push_back(Reshape{quarter});
  normal(ConvTranspose{.channels = size.second, .bias = false});
  if (size.third > 0) {
    normal(ConvTranspose{.channels = size.third, .bias = false});
    layers.push_back(Conv{.channels = image.channels,
                          .kernel = 4,
                          .pad_before = 1,
                          .pad_after = 2});
  } else {
    layers.push_back(ConvTranspose{.channels = image.channels});
  }
  layers.push_back(Tanh{});
  if (image.height % 4 != 0 || image.width % 4 != 0) {
    layers.push_back(Crop{.height = image.height, .width = image.width});
  }
  return {{.channels = inputs}, std::move(layers)};
}

// The critic of the paper, with its batch normalisation.
Stack PaperCritic(Shape input) {
  std::vector<Layer> layers = WganCritic(input).layers();
  layers.insert(layers.begin() + 5, BatchNorm{});
  return {input, std::move(layers)};
}

// Convolutions of `channels` and twice as many, then at most one dense layer.
Stack NarrowCritic(Shape input, std::int64_t channels, std::int64_t dense) {
  const Relu leaky{.slope = kSlope};
  const Conv first{.channels = channels,
                   .kernel = 4,
                   .stride = 2,
                   .pad_before = 1,
                   .pad_after = 1};
  Conv second = first;
  second.channels = 2 * channels;
  std::vector<Layer> layers = {first, leaky, second, leaky};
  if (dense > 0) layers.insert(layers.end(), {Dense{.outputs = dense}, leaky});
  layers.push_back(Dense{.outputs = 1});
  return {input, std::move(layers)};
}

Stack CriticNamed(const std::string& name, Shape input) {
  if (name == "wgan_paper") return PaperCritic(input);
  if (name == "wgan") return WganCritic(input);
  return name == "wgan_narrow" ? NarrowCritic(input, 64, 0)
                               : NarrowCritic(input, 24, 64);
}

// The same on every machine; classes are distinguished by almost half of the
// pixels.
at::Tensor Patterns(Shape image, std::int64_t classes) {
  if (classes == 0) return {};
  at::Tensor patterns = at::empty({classes, image.height, image.width, 1});
  for (std::int64_t c = 0; c < classes; ++c) {
    base::Rng rng(1,
                  {base::Key("class pattern"), static_cast<std::uint64_t>(c)});
    float* value = patterns[c].data_ptr<float>();
    for (std::int64_t i = 0; i < image.height * image.width; ++i) {
      *value++ = rng.Uniform() < 0.5 ? -1.0f : 1.0f;
    }
  }
  return patterns;
}

}  // namespace

std::vector<std::string> GanNames() {
  return {"wgan_paper", "wgan", "wgan_narrow", "wgan_quick"};
}

Gan GanNamed(const std::string& name, Shape image, const GanShape& shape) {
  const std::vector<std::string> names = GanNames();
  if (std::ranges::find(names, name) == names.end()) {
    throw BadInput(fmt::format("no generator called '{}'", name), "model.name",
                   base::DidYouMean(name, names));
  }
  if (image.height < 8 || image.width < 8) {
    throw BadInput(
        fmt::format("images of {}×{} pixels", image.height, image.width),
        "data", "a generator draws images of at least 8×8");
  }
  const bool quick = name == "wgan_quick";
  Shape seen = image;
  if (shape.classes > 0) ++seen.channels;
  return {
      .generator = Generator(
          image, shape.latent + shape.classes,
          quick
              ? Size{.dense = {128}, .first = 48, .second = 24, .momentum = 0.9}
              : Size{.dense = {1024},
                     .first = 256,
                     .second = 64,
                     .third = 32,
                     .momentum = name == "wgan_paper" ? 0.999 : 0.99}),
      .critic = CriticNamed(name, seen),
      .image = image,
      .shape = shape,
      .patterns = Patterns(image, shape.classes)};
}

void FillNormal(const at::Tensor& normal, const at::Tensor& keys,
                std::int64_t step) {
  // Box and Muller 1958.
  at::Tensor angle = at::empty_like(normal);
  FillUniform(normal, keys, {.step = step, .layer = kRadius});
  FillUniform(angle, keys, {.step = step, .layer = kAngle});
  normal.log_().mul_(-2).sqrt_().mul_(angle.mul_(2 * std::numbers::pi).cos_());
}

at::Tensor OneHot(const at::Tensor& labels, std::int64_t classes) {
  std::vector<std::int64_t> shape = labels.sizes().vec();
  shape.push_back(classes);
  return at::zeros(shape, labels.options().dtype(at::kFloat))
      .scatter_(-1, labels.unsqueeze(-1), 1);
}

at::Tensor Latent(const Gan& gan, const LatentDraw& draw, std::int64_t rows,
                  const at::Tensor& labels) {
  const auto floats = at::TensorOptions().device(draw.device);
  at::Tensor latent = at::empty({1, rows, gan.shape.latent}, floats);
  const at::Tensor key =
      at::full({1}, ClientKey(draw.seed, base::Key("latent"), 0),
               floats.dtype(at::kLong));
  FillNormal(latent, key, draw.first);
  if (gan.shape.classes == 0) return latent;
  at::Tensor classes = labels;
  if (!classes.defined()) {
    at::Tensor uniform = at::empty({1, rows}, floats);
    FillUniform(uniform, key, {.step = draw.first, .layer = 0});
    classes = (uniform * gan.shape.classes).to(at::kLong);
  }
  return at::cat({latent, OneHot(classes.reshape({1, rows}).to(draw.device),
                                 gan.shape.classes)},
                 2);
}

at::Tensor Draw(const Gan& gan, const at::Tensor& params,
                const at::Tensor& latent) {
  const at::NoGradGuard no_gradient;
  constexpr std::int64_t kAtOnce = 256;
  std::vector<at::Tensor> parts;
  for (std::int64_t from = 0; from < latent.size(1); from += kAtOnce) {
    const std::int64_t rows = std::min(kAtOnce, latent.size(1) - from);
    parts.push_back(gan.generator.Forward(params, latent.narrow(1, from, rows))
                        .reshape({rows, gan.image.height, gan.image.width,
                                  gan.image.channels}));
  }
  return at::cat(parts);
}

at::Tensor CriticInput(const at::Tensor& images, const at::Tensor& labels,
                       const at::Tensor& patterns) {
  if (!patterns.defined()) return images;
  std::vector<std::int64_t> shape = images.sizes().vec();
  shape.back() = 1;
  return at::cat(
      {images, patterns.index_select(0, labels.flatten()).reshape(shape)}, -1);
}

}  // namespace sfumato::models
