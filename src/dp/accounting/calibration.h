// The noise, the rounds or the cohort that a budget allows.
//
//   Event round{.mechanism = Gaussian{}, .sampling = Poisson{0.01},
//               .count = 10000};
//   const double z = NoiseFor(round, {.epsilon = 1, .delta = 1e-5});
//
// Whatever comes back was itself accounted and keeps the budget; it is the best
// such value to about four digits.

#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "dp/accounting/accountant.h"

namespace sfumato::dp {

struct Limit {
  double epsilon = 1;
  double delta = 1e-5;
  Accountant accountant = Accountant::kPld;
};

// The smallest noise multiplier of a Gaussian event such that `round.count`
// events like `round` keep the budget. Throws BadInput when none up to 1e6
// does.
double NoiseFor(const Event& round, const Limit& limit);

// Of anything else with noise in it: the smallest from `low` on, to four
// digits, at which `epsilon_at` is at most `epsilon`; +infinity when none up to
// 10^6 is enough. REQUIRES: it falls with the noise.
double LeastNoise(const std::function<double(double noise)>& epsilon_at,
                  double low, double epsilon);

// The delta that is taken where nobody gave one: below one over the users, and
// never above 1/1000.
double UsualDelta(double users);

// Throws BadInput, naming `where`, for a delta above kLargestDelta or not below
// one over the users: publishing one user's data at random would keep it.
void CheckDeltaFor(double delta, double users, const std::string& where);

// The largest number of events like `round` (its own count is ignored) within
// the budget, at most kMostRounds. Throws BadInput when not even one is.
inline constexpr std::int64_t kMostRounds = 10'000'000;
std::int64_t RoundsFor(const Event& round, const Limit& limit);

// The largest cohort of `population` users that keeps the budget when
// `round.count` events like `round` are drawn by Poisson or fixed-size
// sampling (the rate or cohort that `round` holds is ignored). Throws
// BadInput when not even one user is.
std::int64_t CohortFor(const Event& round, std::int64_t population,
                       const Limit& limit);

// Privacy at scale (Augenstein et al. 2020, section 5): a simulation with a few
// users finds the noise that the model bears. The noise on the mean stays the
// same when cohort and noise multiplier grow by one factor.
struct ScaleOptions {
  double cohort = 10;              // users per round in the simulation
  double noise_multiplier = 0.01;  // that the model bore there
  double wanted_noise = 1;         // noise multiplier to reach
  std::int64_t population = 2000000;
  std::int64_t rounds = 1000;
  double delta = 0;  // 0: 0.01 / population
  Accountant accountant = Accountant::kPld;
  Sampling sampling = Poisson{};  // its kind only
};
struct Scale {
  double factor = 0;        // wanted over borne noise
  std::int64_t cohort = 0;  // users per round, times the factor
  Guarantee unscaled;       // with the simulation's cohort and noise instead
  Guarantee guarantee;      // at the population
};
// Throws BadInput when the cohort would be more than the population.
Scale PrivacyAtScale(const ScaleOptions& options);

}  // namespace sfumato::dp
