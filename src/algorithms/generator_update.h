// The server's half of a federated GAN: the generator learns from the critic
// alone.
//
//   GeneratorUpdate update(gan, {.steps = 6, .learning_rate = 2e-4}, device);
//   update.Train(critic_params, round);
//   models::Draw(gan, update.drawing(), latent);
//
// It never meets a user's data. The critic it learns from is a released value,
// so everything here is post-processing and costs nothing.
//
// Source: GenUpdate of Algorithm 1, Augenstein et al. 2020.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <string>

#include "base/safetensors.h"
#include "models/gan.h"
#include "params/layout.h"

namespace sfumato::algorithms {

struct GeneratorOptions {
  std::int64_t steps = 6;
  std::int64_t batch_size = 32;
  bool adam = true;  // or SGD
  double learning_rate = 2e-4;
  double beta1 = 0.5;
  double beta2 = 0.9;
  double l2 = 0;   // l2 · Σ w² over all weights but the last layer's
  double ema = 0;  // 0: the last generator draws
  std::uint64_t seed = 1;
  int threads = 1;  // on a CPU
};

// How far the images [image, …] (-1 … 1) of one batch are from their mean, over
// how far they are from plain black or plain white, whichever is nearer: light
// and dark exchanged, it stays the same. Near 0 when one image is drawn again
// and again. Cheap, for every round; eval::Diversity judges a finished model.
at::Tensor BatchSpread(const at::Tensor& images);

class GeneratorUpdate {
 public:
  GeneratorUpdate(const models::Gan& gan, const GeneratorOptions& options,
                  at::Device device);
  ~GeneratorUpdate();

  // Some steps against `critic` [1, size]. The same round gives the same
  // numbers.
  void Train(const at::Tensor& critic, std::uint64_t round);

  const at::Tensor& params() const;   // [1, size], on the device
  const at::Tensor& drawing() const;  // the average of them, where there is one
  void SetParams(const at::Tensor& params);
  // BatchSpread of the last step's images, also after a Restore; NaN before the
  // first step.
  double batch_spread() const;

  params::NamedTensors State(const std::string& prefix) const;
  void Restore(const base::SafetensorsFile& file, const std::string& prefix);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace sfumato::algorithms
