// A clip norm that follows a quantile of the updates' norms, privately.
//
//   AdaptiveClip clip({.noise_multiplier = 1, .bits_deviation = 50,
//                      .expected_cohort = 1000});
//   ClippedSum sum = clip.EmptySum(parameters, "round 7");
//   for (const auto& update : updates) sum.Add(update);
//   ledger.Release({.run = "first", .round = 7},
//                  clip.Event("round 7"));    // mean and bits are one event
//   auto round = clip.Release(std::move(sum), noise);
//   clip.Absorb(round);                       // the next round's clip norm
//
// Besides the update, everyone contributes one bit: was my norm within the clip
// norm? The noisy share of such bits moves the clip norm C to
// C exp(-learning_rate (share - target_quantile)). A bit contributes bit - 1/2,
// so that adding or removing someone moves the sum by 1/2 only.
//
// Update and bit come from one cohort and are one joint release with noise
// multiplier z (rule 1 of docs/privacy_proofs.md). Given z and the bits'
// deviation s, the update's own noise multiplier is (z^-2 - (2s)^-2)^(-1/2), a
// little more than z, which makes the joint multiplier z again.
//
// Source: Andrew, Thakkar, McMahan and Ramaswamy 2021, "Differentially Private
// Learning with Adaptive Clipping", Theorem 1 and Algorithm 1.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dp/mechanisms/gaussian_mechanism.h"

namespace sfumato::dp {

struct AdaptiveClipOptions {
  double noise_multiplier = 0;  // of update and bit together
  double bits_deviation = 0;    // on the sum of bits; a twentieth of the cohort
  double expected_cohort = 0;   // what sums are divided by, as configured
  double expected_weight = 1;   // the sum of updates also by this
  double target_quantile = 0.5;
  double learning_rate = 0.2;
  double initial_clip_norm = 0.1;
  Participants participants = {};
};

struct AdaptiveRound {
  std::vector<float> mean;
  double share_within = 0;  // noisy share of norms within the clip norm
};

// (z^-2 - (2s)^-2)^(-1/2). Throws BadInput unless 0 < z < 2s.
double UpdateNoiseMultiplier(double noise_multiplier, double bits_deviation);

class AdaptiveClip {
 public:
  // Throws BadInput for impossible numbers: NaN, no noise, bits that alone cost
  // more than the whole.
  explicit AdaptiveClip(AdaptiveClipOptions options);

  double clip_norm() const { return mechanism_.options().clip_norm; }

  ClippedSum EmptySum(std::size_t dimension, std::string cohort) const;
  dp::Event Event(std::string cohort) const;
  // Throws as GaussianMechanism::ReleaseMean.
  Released<AdaptiveRound> Release(ClippedSum&& sum, NoiseSource& noise) const;
  void Absorb(const Released<AdaptiveRound>& round);
  // Resumes from the clip norm of a checkpoint. Throws BadInput if it is not a
  // clip norm.
  void Resume(double clip_norm);

 private:
  AdaptiveClipOptions options_;
  GaussianMechanism mechanism_;  // for the update alone
  GridGaussian bits_gaussian_;
};

}  // namespace sfumato::dp
