// How many, and how many of each kind, with exact whole-number noise.
//
//   PrivateCount count({.noise_multiplier = 5});
//   auto users = count.Release(exact, "", noise);
//   PrivateHistogram ages({.noise_multiplier = 5}, 10);  // ten declared bins
//   auto bins = ages.Release(bin_of_unit, "", noise);
//
// Every unit counts for at most one, so one more or less moves a count by one,
// or one bin of a histogram by one (L2 sensitivity 1). The noise is the exact
// discrete Gaussian; the event says so. Its `dimension` is how many numbers a
// unit can move: one bin under add-remove, so that a histogram costs what a
// count costs. Results may be negative: cutting them off is the reader's choice
// and costs nothing.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dp/mechanisms/discrete_gaussian.h"
#include "dp/mechanisms/participants.h"
#include "dp/mechanisms/released.h"

namespace sfumato::dp {

struct CountOptions {
  double noise_multiplier = 0;  // deviation of the noise; 0.1 … 2^25
  Participants participants = {};
};

class PrivateCount {
 public:
  // Throws BadInput for noise out of range, and as CheckEvent.
  explicit PrivateCount(CountOptions options);

  dp::Event Event(std::string cohort) const;
  // REQUIRES: each unit added at most one to `count`.
  Released<std::int64_t> Release(std::int64_t count, std::string cohort,
                                 NoiseSource& noise) const;

 private:
  CountOptions options_;
  DiscreteGaussianSampler sampler_;
};

class PrivateHistogram {
 public:
  // Bins are 0 … bins-1, declared beforehand. Throws as PrivateCount, and
  // BadInput unless bins > 0.
  PrivateHistogram(CountOptions options, std::int64_t bins);

  dp::Event Event(std::string cohort) const;
  // One bin for each unit; a unit whose bin is not declared counts nowhere.
  Released<std::vector<std::int64_t>> Release(
      std::span<const std::int64_t> bin_of_unit, std::string cohort,
      NoiseSource& noise) const;

 private:
  CountOptions options_;
  std::int64_t bins_;
  DiscreteGaussianSampler sampler_;
};

}  // namespace sfumato::dp
