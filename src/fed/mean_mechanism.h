// How a round's sum becomes a mean that may be seen: by Gaussian noise with a
// fixed clip norm, with one that follows a quantile, or with no noise at all.
//
//   const auto mechanism = MakeMeanMechanism({.noise_multiplier = 1,
//                                             .clip_norm = 0.5,
//                                             .expected_cohort = 100});
//   dp::ClippedSum sum = mechanism->EmptySum(parameters, cohort);
//   Entered entered = run_ledger.Enter(round, mechanism->Event(cohort));
//   const auto mean = mechanism->Release(std::move(sum), entered.noise());
//
// The round loop sees the three as one. What a mean is divided by is configured
// here, once: expected cohort times expected weight.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dp/mechanisms/clip.h"
#include "dp/mechanisms/noise.h"
#include "dp/mechanisms/participants.h"
#include "dp/mechanisms/released.h"

namespace sfumato::fed {

enum class Clipping {
  kFixed,
  kAdaptive,     // Andrew et al. 2021
  kUnprotected,  // no noise, no guarantee; clips generously
};

struct MeanOptions {
  Clipping clipping = Clipping::kFixed;
  double noise_multiplier = 0;   // of everything a round releases
  double clip_norm = 0;          // unprotected: 0 is 100; adaptive: the first
  double target_quantile = 0.5;  // adaptive
  double clip_learning_rate = 0.2;  // adaptive
  double expected_cohort = 0;
  double expected_weight = 1;
  dp::Participants participants = {};
};

class MeanMechanism {
 public:
  virtual ~MeanMechanism() = default;

  virtual bool protects() const { return true; }
  virtual double clip_norm() const = 0;  // of the next sum
  // Deviation of the noise on each number of the next mean.
  virtual double noise_deviation() const = 0;

  virtual dp::ClippedSum EmptySum(std::size_t dimension,
                                  std::string cohort) const = 0;
  // The same for every round except for the cohort.
  virtual dp::Event Event(std::string cohort) const = 0;
  virtual dp::Released<std::vector<float>> Release(dp::ClippedSum&& sum,
                                                   dp::NoiseSource& noise) = 0;
  // The noisy share of norms within the clip norm of the last release, where
  // one was released.
  virtual std::optional<double> share_within() const { return std::nullopt; }

  // Continues from the clip norm that a checkpoint holds. Throws BadInput for
  // an impossible one.
  virtual void Resume(double clip_norm) = 0;
};

// Throws BadInput for impossible numbers, Unsupported where there is no proof.
std::unique_ptr<MeanMechanism> MakeMeanMechanism(const MeanOptions& options);

}  // namespace sfumato::fed
