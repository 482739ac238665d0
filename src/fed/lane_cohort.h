// A cohort trained as lanes of one device: all clients of a group step in
// lockstep as one batched program.
//
//   LaneCohort cohort(examples, {.device = at::Device("cuda"), .lanes = 50});
//   CohortFacts facts = cohort.Train(algorithm, round, users, weights, sum);
//
// Users are sorted by their number of steps, so that few lanes idle, and cut
// into groups of at most `lanes`. The data lies on the device from the start
// where it has room (otherwise a group's examples are sent with it). Batches of
// a whole group are planned on the host and sent at once; steps, norms,
// clipping and the sum of whole numbers stay on the device; the host waits once
// per round, for the sum. On a GPU the steps of a group are recorded as a graph
// when the same shape comes again.
//
// How a cohort is cut into groups does not matter to the result beyond the
// rounding of the kernels.

#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "fed/cohort.h"
#include "models/batch.h"

namespace sfumato::fed {

struct LaneCohortOptions {
  std::uint64_t seed = 1;
  LocalTraining local = {};
  at::Device device = at::kCPU;
  std::int64_t lanes = 0;        // clients at a time; 0: as memory allows
  double resident_bytes = 16e9;  // of data kept on the device at most
  bool graphs = true;            // on GPUs
};

class LaneCohort : public Cohort {
 public:
  // `examples` must outlive it. Throws Unavailable when the device has no room.
  LaneCohort(const models::Examples& examples,
             const LaneCohortOptions& options);
  ~LaneCohort() override;

  CohortFacts Train(const Algorithm& algorithm, std::uint64_t round,
                    std::span<const std::int64_t> users,
                    std::span<const double> weights,
                    dp::ClippedSum& sum) override;

  // Clients at a time, once a cohort was trained: to be recorded in the run.
  std::int64_t lanes() const;
  bool resident() const;  // whether the data lies on the device

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace sfumato::fed
