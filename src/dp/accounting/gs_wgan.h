// What training a generator by the gradients of many critics costs (GS-WGAN).
//
//   const GsWganCost cost =
//       GsWganEpsilon({.critics = 1000, .batch = 32, .steps = 20000,
//                      .sigma = 1.07, .delta = 1e-5});
//   cost.strict;     // 379: each critic used equally often
//   cost.published;  // 9.99: what the paper prints, and no bound
//
// The data is split once among the critics; a record is in one of them. In
// each step one critic gives `batch` clipped gradients of the generator's
// samples, each with noise of deviation 2 C sigma, C the clip norm. A record
// may turn each of the gradients, by 2C.
//
// Why the published number is not a bound: the gradients of one step come from
// the same critic, so they are not `batch` separate draws; and critics of fixed
// subsets give gradients that can be distinguished, so nothing is hidden by
// choosing one at random.
//
// All costs are for replace-one. Adding or removing a record leaves the other
// subsets as they are only if a record's subset is a keyed hash of itself.
//
// Source: Chen, Orekondy and Fritz 2020, "GS-WGAN".

#pragma once

#include <cstdint>
#include <vector>

#include "dp/accounting/event.h"

namespace sfumato::dp {

enum class CriticSchedule {
  kRandom,      // each step draws its critic
  kRoundRobin,  // each critic in turn
};

struct GsWganOptions {
  std::int64_t critics = 1000;
  std::int64_t batch = 32;
  std::int64_t steps = 20000;  // count every update: a loop "to T" makes T + 1
  double sigma = 1.07;         // relative to 2C
  double delta = 1e-5;
  CriticSchedule schedule = CriticSchedule::kRoundRobin;
};

struct GsWganCost {
  double published = 0;  // by Theorem 9, composed steps x batch times
  double strict = 0;     // what holds, exactly, for GsWganEvents
};

// Throws BadInput for impossible numbers.
GsWganCost GsWganEpsilon(const GsWganOptions& options);

// What is released that may depend on one record. Round-robin: the steps of its
// critic, ceil(steps / critics) of them. Random: every step, in which the
// record's critic answers with a chance that everybody can see.
std::vector<Event> GsWganEvents(const GsWganOptions& options);

// The least sigma that keeps `epsilon` under the schedule; options.sigma is not
// used.
double GsWganSigma(const GsWganOptions& options, double epsilon);

}  // namespace sfumato::dp
