// Who takes part in a round, and with what weight.
//
//   dp::BitStream bits = CohortBits({.simulation = true, .seed = 7}, round);
//   const auto users = DrawCohort(dp::Poisson{.rate = 0.01}, 2'000'000, bits);
//
// The draw is what the round's event says: dp::Poisson (a private coin for each
// user), dp::FixedSize (without replacement) or dp::All. Time is proportional
// to the cohort, not to the population.
//
// Poisson sampling jumps from one drawn user to the next by geometric gaps
// computed in double precision. The rate that is drawn with lies 2^-44 below
// the one asked for, which is more than all rounding on the way, so the chance
// that a user is drawn, given everybody else, is never above what is accounted;
// it is too low by 2^-43 at most.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dp/mechanisms/noise.h"
#include "dp/mechanisms/participants.h"
#include "fed/release/entered.h"
#include "models/batch.h"

namespace sfumato::fed {

// The random numbers that draw round `round`'s cohort.
dp::BitStream CohortBits(const Randomness& randomness, std::uint64_t round);

// The users drawn from 0 … users-1, sorted. Throws BadInput for a rate
// outside 2^-40 … 1, a cohort larger than there are users, or a fixed-size
// design for another number of users; Unsupported for dp::Revealed.
std::vector<std::int64_t> DrawCohort(const dp::Sampling& sampling,
                                     std::int64_t users, dp::BitStream& bits);

// How much a user's update counts: the same for all, or by examples up to a
// cap: min(examples, cap) / cap. Never above 1, so that the clip norm bounds
// what a user can do.
struct Weighting {
  bool by_examples = false;
  double cap = 100;
};

// One weight per user. Throws BadInput unless the cap is a finite number of 1
// or more.
std::vector<double> WeightsOf(const Weighting& weighting,
                              std::span<const std::int64_t> users,
                              const models::Examples& examples);

}  // namespace sfumato::fed
