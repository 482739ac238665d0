// How many of each kind, when the kinds themselves are private: words that
// people typed, models of phones.
//
//   KeyHistogram words({.noise_multiplier = 10, .delta = 1e-9});
//   auto counts = words.Release(key_of_unit, "", noise);  // name -> count
//
// Every unit has one key. Each key that somebody has gets Gaussian noise, and
// is shown only when its noisy count reaches the threshold
//
//   1 + noise_multiplier * Q(delta),   Q the upper quantile of the normal.
//
// Why that suffices. Take one unit away. If its key is someone else's too, the
// same keys are counted, one count is lower by one, and the cost is that of a
// Gaussian with this noise multiplier. If nobody else has it, the key is gone;
// all else is the same, and the key was shown with probability
// P(1 + noise >= threshold) = delta at most: the two results differ with no
// more probability than that. Replacing a unit is one of each at most, with the
// two counts' shift (L2 norm sqrt 2) below the 2S that the accountant takes.
// So the event is a Gaussian and, outside of it, a chance `delta`.
//
// Source: Korolova, Kenthapadi, Mishra and Ntoulas 2009, "Releasing Search
// Queries and Clicks Privately"; Wilkins et al. 2024 for the Gaussian.

#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "dp/mechanisms/grid_gaussian.h"
#include "dp/mechanisms/participants.h"
#include "dp/mechanisms/released.h"

namespace sfumato::dp {

struct KeyHistogramOptions {
  double noise_multiplier = 0;  // deviation of the noise; 0.02 … 2^18
  double delta = 0;             // chance to show the key of one unit alone
  Participants participants = {};
};

class KeyHistogram {
 public:
  // Throws BadInput for noise out of range or delta outside [1e-300, 0.5], and
  // as CheckEvent.
  explicit KeyHistogram(KeyHistogramOptions options);

  double threshold() const { return threshold_; }
  dp::Event Event(std::string cohort) const;
  // Counts rounded to whole numbers.
  Released<std::map<std::string, std::int64_t>> Release(
      std::span<const std::string> key_of_unit, std::string cohort,
      NoiseSource& noise) const;

 private:
  KeyHistogramOptions options_;
  GridGaussian gaussian_;
  double threshold_;
};

}  // namespace sfumato::dp
