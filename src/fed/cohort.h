// A cohort: who trains this round, and the clipped sum of what they did.
//
// Where it runs is the cohort's own affair: threads of this process
// (thread_cohort.h), lanes of a GPU (lane_cohort.h), ranks of an MPI launch
// (mpi_cohort.h). The result does not depend on it beyond the rounding of the
// kernels: batches and random streams are keyed by (seed, round, user), and the
// sum is one of whole numbers, the same in any order.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dp/mechanisms/clip.h"
#include "fed/algorithm.h"

namespace sfumato::fed {

// How devices train.
struct LocalTraining {
  std::int64_t epochs = 1;
  std::int64_t max_steps = 0;  // 0: no limit beyond the epochs
  std::int64_t batch_size = 10;
};

// A sum of numbers in whole steps of 2^-52, the same in any order of adding.
// Numbers beyond 2^52 count as that; after NaN it is NaN.
class OrderlessSum {
 public:
  void Add(double number);
  void Add(const OrderlessSum& other);
  double Over(std::int64_t count) const;  // 0 over nobody

 private:
  __extension__ using Wide = __int128;
  Wide steps_ = 0;
  bool nan_ = false;
};

// What happened on the devices. It is computed from private data: for
// simulations only. How the cohort was shared out does not change it.
struct CohortFacts {
  std::int64_t users = 0;
  std::int64_t trained = 0;  // took a step, and stayed finite
  std::int64_t clipped = 0;
  std::int64_t not_finite = 0;
  OrderlessSum norms = {};   // before clipping, of users that stayed finite
  OrderlessSum losses = {};  // of the trained

  double mean_norm() const { return norms.Over(users - not_finite); }
  double mean_loss() const { return losses.Over(trained); }
};

// What happened on one device. Private, too.
struct ClientFacts {
  dp::ClipFacts clip = {};
  double loss = 0;
  bool stepped = false;  // had examples
};
CohortFacts Summary(std::span<const ClientFacts> clients);

// Adds up two shares of one cohort.
CohortFacts Together(const CohortFacts& a, const CohortFacts& b);

class Cohort {
 public:
  virtual ~Cohort() = default;
  // Trains `users` from what `algorithm` broadcasts and adds weights[i] times
  // the clipped update of users[i] to `sum`. REQUIRES: 0 <= weights <= 1.
  virtual CohortFacts Train(const Algorithm& algorithm, std::uint64_t round,
                            std::span<const std::int64_t> users,
                            std::span<const double> weights,
                            dp::ClippedSum& sum) = 0;
};

}  // namespace sfumato::fed
