// The Gaussian mechanism: the mean of clipped contributions, with noise.
//
//   GaussianMechanism mechanism({.noise_multiplier = 1, .clip_norm = 0.1});
//   ClippedSum sum = mechanism.EmptySum(parameters, "round 7");
//   for (const auto& update : updates) sum.Add(update);
//   ledger.Release({.run = "first", .round = 7},
//                  mechanism.Event("round 7"));         // first the cost
//   auto mean = mechanism.ReleaseMean(std::move(sum), 1000, noise);
//
// Noise N(0, (noise_multiplier * clip_norm)^2) is added to the sum, however
// many answered; the divisor is a configured number, since the realised one is
// private. The guarantee is that of the event: a Gaussian with this noise
// multiplier. Sum and noise are whole steps of a grid (clip.h,
// grid_gaussian.h), so it holds for the bits that come out and not for real
// numbers only; docs/privacy_proofs.md says what is left.
//
// Source: McMahan et al. 2018, "Learning Differentially Private Recurrent
// Language Models".

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dp/mechanisms/clip.h"
#include "dp/mechanisms/grid_gaussian.h"
#include "dp/mechanisms/participants.h"
#include "dp/mechanisms/released.h"

namespace sfumato::dp {

struct GaussianOptions {
  double noise_multiplier = 0;  // relative to the clip norm; 0.001 … 4000
  double clip_norm = 0;
  Participants participants = {};
};

class GaussianMechanism {
 public:
  // Throws BadInput for noise or a clip norm out of range (zero, NaN), and as
  // CheckEvent.
  explicit GaussianMechanism(const GaussianOptions& options);

  const GaussianOptions& options() const { return options_; }
  // The same noise multiplier for another clip norm.
  GaussianMechanism WithClipNorm(double clip_norm) const;

  ClippedSum EmptySum(std::size_t dimension, std::string cohort) const;
  dp::Event Event(std::string cohort) const;

  // (sum + noise) / divisor. An empty cohort releases noise. Throws BadInput
  // unless the divisor is positive and finite, and when the sum has another
  // clip norm or was released before.
  Released<std::vector<float>> ReleaseMean(ClippedSum&& sum, double divisor,
                                           NoiseSource& noise) const;

 private:
  GaussianMechanism(GaussianOptions options, const GridGaussian& gaussian);

  GaussianOptions options_;
  GridGaussian gaussian_;
};

}  // namespace sfumato::dp
