// The mean of clipped contributions without noise: training without privacy.
//
//   const PlainMean mean({.participants = ParticipantsOf(All{})});
//   ClippedSum sum = mean.EmptySum(parameters, "round 7");
//   for (const auto& update : updates) sum.Add(update);
//   const auto released = mean.ReleaseMean(std::move(sum), /*divisor=*/1000);
//
// It protects nobody and says so: what it releases counts as simulated
// (Released::simulated), and its event is Unprotected, which accountants and
// the ledger refuse. Contributions are clipped all the same, generously: one
// device whose training diverged would otherwise own the mean.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dp/mechanisms/clip.h"
#include "dp/mechanisms/participants.h"
#include "dp/mechanisms/released.h"

namespace sfumato::dp {

struct PlainMeanOptions {
  double clip_norm = 100;
  Participants participants = {};
};

class PlainMean {
 public:
  // Throws BadInput for a clip norm that is not a number above 0.
  explicit PlainMean(PlainMeanOptions options);

  double clip_norm() const { return options_.clip_norm; }
  ClippedSum EmptySum(std::size_t dimension, std::string cohort) const;
  dp::Event Event(std::string cohort) const;

  // sum / divisor. Throws as GaussianMechanism::ReleaseMean.
  Released<std::vector<float>> ReleaseMean(ClippedSum&& sum,
                                           double divisor) const;

 private:
  PlainMeanOptions options_;
};

}  // namespace sfumato::dp
