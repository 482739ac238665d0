// Made-up censuses of users whose votes are known.
//
//   const CensusTally tally = Simulate({.healthy = votes, .damaged = other},
//                                      {.right = {3}, .share = 0.05},
//                                      voter.calibration(), pool);
//   tally.named;   // how often cell 3 was supported
//
// A census asks users drawn at random, of whom a share has the damage, adds the
// noise of its ε and reads the answer from the noisy counts alone. Where there
// are fewer users than it asks, they are drawn with replacement.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/worker_pool.h"
#include "bench/bench_census.h"
#include "census/answer/calibration.h"
#include "census/answer/census_answer.h"
#include "census/voter/voter.h"

namespace sfumato::bench {

// The same users twice: all of them healthy, and the first of them damaged.
struct TakenVotes {
  census::Votes healthy = {};
  census::Votes damaged = {};
};

struct SimulatedCensus {
  // Cells that should be supported. None: nothing should.
  std::vector<std::size_t> right = {};
  bool nameable = true;  // false: the damage has a key that has no cell
  std::int64_t users = 600;
  double share = 0;  // damaged: of them; of two groups, of the second
  census::Design design = census::Design::kEverybody;
  bool alike = true;  // references and people
  double epsilon = 0.5;
  std::int64_t censuses = 20;
  std::uint64_t seed = 1;

  std::int64_t damaged() const;
  bool Resamples(const TakenVotes& votes) const;
};

CensusTally Simulate(const TakenVotes& votes, const SimulatedCensus& setup,
                     const census::Calibration& calibration,
                     base::WorkerPool& pool);

}  // namespace sfumato::bench
