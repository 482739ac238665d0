// What the noise that worked here would cost where there are enough people.
//
//   const AtScale scale = ProjectToScale({.noise_multiplier = 0.01,
//                                         .cohort = 10, .rounds = 1000});
//   scale.cohort;    // 1,000: there the same noise on the mean is z = 1
//
// A simulation has few users, so little noise is all that its models bear. What
// a model feels is the noise on the mean of a cohort, z S / cohort: with 1 / z
// times the users per round, z = 1 feels the same. Projections: nobody trained
// there. Source: Augenstein et al. 2020, section 5 and Table 3.

#pragma once

#include <cstdint>
#include <vector>

namespace sfumato::report {

struct ScaleOptions {
  double noise_multiplier = 0;
  double cohort = 0;
  std::int64_t rounds = 0;
  std::int64_t models = 1;  // that one user pays for, each of `rounds` rounds
};

struct ScaleRow {
  std::int64_t population = 0;
  double delta = 0;    // 0.01 / population, as in the paper's rows
  double epsilon = 0;  // Poisson, add-remove, by loss distributions; bound
};

struct AtScale {
  std::int64_t cohort = 0;          // at which the same noise is z = 1
  std::vector<ScaleRow> rows = {};  // populations that have such cohorts
};

// No rows when a number is not above 0.
AtScale ProjectToScale(const ScaleOptions& options);

}  // namespace sfumato::report
