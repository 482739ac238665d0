// What tests of comparisons share: images by writers who do not exist in place
// of what models draw, with a model's own distortion and with a bug on some.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/random.h"
#include "data/generate/handwriting.h"
#include "eval/contrast.h"
#include "eval/hypotheses.h"

namespace sfumato::eval {

// `count` images by writers first, first + 1, …, three of each: [n, 28, 28, 1].
inline at::Tensor Handwritten(std::uint64_t seed, std::uint64_t first,
                              std::int64_t count) {
  const data::Handwriting writers(
      {.users = 1000000, .seed = seed, .mean_examples = 4});
  std::vector<float> values;
  constexpr std::size_t kPixels = 28 * 28;
  const std::size_t size = static_cast<std::size_t>(count) * kPixels;
  for (std::uint64_t writer = first; values.size() < size; ++writer) {
    const auto examples = writers.Writer(writer);
    const std::size_t some =
        std::min({examples.pixels.size(), 3 * kPixels, size - values.size()});
    for (std::size_t i = 0; i < some; ++i) {
      values.push_back(static_cast<float>(examples.pixels[i]) / 127.5F - 1);
    }
  }
  return at::tensor(values).view({count, 28, 28, 1});
}

// As a training leaves its mark: some blur, paler or stronger ink, a noisy
// ground; another for every key. `strength` 0: none.
inline at::Tensor WithHand(const at::Tensor& images, std::uint64_t key,
                           double strength) {
  base::Rng rng(key, {base::Key("training")});
  const double soft = strength * rng.Uniform(0, 0.5);
  const double gain = 1 + strength * rng.Uniform(-0.15, 0.15);
  const double noise = strength * rng.Uniform(0, 0.04);
  const double weight = strength * rng.Uniform(-0.3, 0.3);
  at::Tensor planes = (images.permute({0, 3, 1, 2}) + 1) / 2;
  const at::Tensor mean = at::avg_pool2d(planes, {3, 3}, {1, 1}, {1, 1});
  planes = (1 - soft) * planes + soft * mean;
  planes = gain * planes.clamp(0, 1).pow(1 + weight);
  at::Tensor grain = at::empty_like(planes);
  auto* at = grain.data_ptr<float>();
  for (std::int64_t i = 0; i < grain.numel(); ++i) {
    at[i] = static_cast<float>(rng.Normal(0, noise));
  }
  planes = (planes + grain).clamp(0, 1);
  return (planes * 2 - 1).permute({0, 2, 3, 1}).contiguous();
}

using Breaking = std::function<at::Tensor(const at::Tensor&)>;

// The change of the catalogue with this key.
inline Breaking Broken(const std::string& key, Values values = {}) {
  return [key, values](const at::Tensor& images) {
    for (const Change& change : Changes()) {
      if (change.key == key) return change.apply(images, values, 99);
    }
    return at::Tensor();
  };
}

struct Scene {
  std::uint64_t seed = 1;
  std::int64_t images = 120;  // per model
  double hands = 0;           // strength of each model's own distortion
  Breaking bug = {};
  double share = 1;  // of b's images
  bool twins = true;
};

inline CompareOptions Stage(const Scene& scene) {
  CompareOptions options{.seed = scene.seed};
  for (int model = 0; model < 4; ++model) {
    at::Tensor images = Handwritten(
        scene.seed, static_cast<std::uint64_t>(model) * 10000, scene.images);
    if (model >= 2 && scene.bug) {
      const std::int64_t broken =
          std::llround(scene.share * static_cast<double>(scene.images));
      images = at::cat({scene.bug(images.narrow(0, 0, broken)),
                        images.narrow(0, broken, scene.images - broken)});
    }
    if (scene.hands > 0) {
      images =
          WithHand(images, scene.seed * 4 + static_cast<std::uint64_t>(model),
                   scene.hands);
    }
    if (!scene.twins && model % 2 == 1) continue;
    auto& side = model < 2 ? options.a : options.b;
    side.push_back(
        {.model = (model < 2 ? "a" : "b") + std::to_string(model % 2 + 1),
         .images = images});
  }
  return options;
}

}  // namespace sfumato::eval
