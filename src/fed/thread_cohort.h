// A cohort trained by threads of this process, one client per core at a time.
//
//   ThreadCohort cohort(examples, {.seed = 7, .local = {.batch_size = 10}});
//   CohortFacts facts = cohort.Train(algorithm, round, users, weights, sum);
//
// The largest clients come first, so that the cores end together. Each thread
// has one lane, its own batch and its own sum; the sums are whole numbers and
// are added up at the end, so one thread or many give the same bits. Nothing
// is allocated from client to client.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fed/cohort.h"
#include "fed/worker_pool.h"
#include "models/batch.h"

namespace sfumato::fed {

struct ThreadCohortOptions {
  std::uint64_t seed = 1;
  LocalTraining local = {};
  int threads = 0;  // 0: one for each core
};

class ThreadCohort : public Cohort {
 public:
  // `examples` must outlive it.
  ThreadCohort(const models::Examples& examples,
               const ThreadCohortOptions& options);
  ~ThreadCohort() override;

  int threads() const { return pool_.size(); }
  CohortFacts Train(const Algorithm& algorithm, std::uint64_t round,
                    std::span<const std::int64_t> users,
                    std::span<const double> weights,
                    dp::ClippedSum& sum) override;

 private:
  struct Worker;

  void Prepare(const Algorithm& algorithm, const at::Tensor& broadcast);
  ClientFacts TrainClient(Worker& worker, std::uint64_t round,
                          std::int64_t user, double weight);
  models::Batch FillBatch(Worker& worker, std::int64_t user,
                          std::int64_t step) const;

  const models::Examples& examples_;
  ThreadCohortOptions options_;
  WorkerPool pool_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<ClientFacts> outcomes_;  // one per user of the round
  std::vector<std::size_t> largest_;   // places of users, largest first
  at::Tensor broadcast_;               // [size]
  std::uint64_t trains_ = 0;           // Algorithm::id
};

}  // namespace sfumato::fed
