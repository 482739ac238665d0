// Generative adversarial networks: the pairs of networks by name, and images
// drawn from a generator.
//
//   const Gan gan = GanNamed("wgan", {28, 28, 1}, {.latent = 128});
//   at::Tensor params = gan.generator.Initial(seed);
//   at::Tensor images = Draw(gan, params, Latent(gan, {.seed = 1}, 36));
//
// Images are [image, height, width, channel] between -1 and 1; what a dataset
// has as 0 is -1. Class-conditional networks: the generator is also given the
// class, one-hot; the critic sees it as one more channel, a fixed pattern of
// +1 and -1 for each class.
//
//   wgan_paper  Augenstein et al. 2020, after TF-GAN's MNIST networks: batch
//               normalisation in both (generator 13,285,217 parameters and
//               27,328 averages, critic 6,556,865 and 2,048)
//   wgan        the same without batch normalisation in the critic (6,555,841),
//               whose examples then do not depend on each other
//   wgan_narrow and without the critic's wide dense layer (138,561), for more
//               noise: a mean's grows with the root of the parameters' number
//   wgan_quick  a small pair, for CPUs

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/stack.h"

namespace sfumato::models {

struct GanShape {
  std::int64_t latent = 128;
  std::int64_t classes = 0;  // 0: not conditional
};

struct Gan {
  Stack generator;  // {1, 1, latent + classes} → image
  Stack critic;     // image (and a channel for the class) → one number
  Shape image = {};
  GanShape shape = {};
  at::Tensor patterns = {};  // [class, height, width, 1]: what the critic sees
};

std::vector<std::string> GanNames();
// Throws BadInput for an unknown name (with the nearest), or images that are
// too small.
Gan GanNamed(const std::string& name, Shape image, const GanShape& shape);

// Standard normal numbers in `normal` [lane, row, n], two for each pair of
// uniform numbers, by the lanes' keys (kernels.h).
void FillNormal(const at::Tensor& normal, const at::Tensor& keys,
                std::int64_t step);

// What a generator draws from: [1, row, latent + classes]. `labels` [row] are
// for conditional networks alone; undefined: drawn alike.
struct LatentDraw {
  std::uint64_t seed = 1;
  std::int64_t first = 0;  // images drawn before these
  at::Device device = at::kCPU;
};
at::Tensor Latent(const Gan& gan, const LatentDraw& draw, std::int64_t rows,
                  const at::Tensor& labels = {});

// Images from latent numbers [1, row, …], by the averages of batch
// normalisation: an image depends on its own numbers alone.
at::Tensor Draw(const Gan& gan, const at::Tensor& params,
                const at::Tensor& latent);

// [lane, row, h, w, c] as the critic takes them: with the class's pattern where
// the networks are conditional. `patterns` are the Gan's, on the device.
at::Tensor CriticInput(const at::Tensor& images, const at::Tensor& labels,
                       const at::Tensor& patterns);
// [lane, row] classes as [lane, row, classes].
at::Tensor OneHot(const at::Tensor& labels, std::int64_t classes);

}  // namespace sfumato::models
