// How many of each kind, when the kinds themselves are private: words that
// people typed, models of phones.
//
//   KeyHistogram words({.noise_multiplier = 10, .delta = 1e-9,
//                       .most_keys = 100});
//   auto counts = words.Release(keys_of_units, "", noise);  // name -> count
//
// Every unit has at most k different keys, each counted once: a contribution of
// norm sqrt(k) at most. Each key that somebody has gets Gaussian noise of
// deviation s = noise_multiplier * sqrt(k), and is shown only when its noisy
// count reaches the threshold
//
//   1 + s * Q(delta / k),   Q the upper quantile of the normal.
//
// Why that suffices. Take one unit away. The keys that others have too are
// still counted, each count lower by one at most, and the cost is that of a
// Gaussian with this noise multiplier. The keys that nobody else has are gone;
// each of them was shown with probability P(1 + noise >= threshold) = delta / k
// at most, so any of them with probability delta at most: the two results
// differ with no more probability than that. Replacing a unit is one of each at
// most, with the counts' shift (L2 norm sqrt(2k)) below the 2S that the
// accountant takes. So the event is a Gaussian and, outside of it, a chance
// `delta`.
//
// Source: Korolova, Kenthapadi, Mishra and Ntoulas 2009, "Releasing Search
// Queries and Clicks Privately"; Wilkins et al. 2024 for the Gaussian; Gopi et
// al. 2020, "Differentially Private Set Union", for several keys of one unit.

#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "dp/mechanisms/grid_gaussian.h"
#include "dp/mechanisms/participants.h"
#include "dp/mechanisms/released.h"

namespace sfumato::dp {

struct KeyHistogramOptions {
  double noise_multiplier = 0;  // deviation of the noise over sqrt(most_keys)
  double delta = 0;             // chance to show a key of one unit alone
  std::int64_t most_keys = 1;   // of one unit
  Participants participants = {};
};

class KeyHistogram {
 public:
  // Throws BadInput for a deviation outside 0.02 … 2^18, delta outside
  // [1e-300, 0.5] or most_keys outside 1 … 10^6, and as CheckEvent.
  explicit KeyHistogram(KeyHistogramOptions options);

  double threshold() const { return threshold_; }
  double deviation() const;  // of the noise on each count
  dp::Event Event(std::string cohort) const;
  // Counts rounded to whole numbers. Of a unit's keys each counts once, and
  // only the first most_keys different ones.
  Released<std::map<std::string, std::int64_t>> Release(
      std::span<const std::vector<std::string>> keys_of_units,
      std::string cohort, NoiseSource& noise) const;

 private:
  KeyHistogramOptions options_;
  GridGaussian gaussian_;
  double threshold_;
};

}  // namespace sfumato::dp
