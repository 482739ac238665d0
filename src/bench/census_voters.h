// The voters of a measurement of the census, each learned with a seed of its
// own, and what people vote with them.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bench/bench_census.h"
#include "bench/census_damages.h"
#include "bench/census_people.h"
#include "census/voter/voter.h"
#include "data/dataset.h"
#include "fed/worker_pool.h"
#include "train/device.h"

namespace sfumato::bench {

class CensusVoters {
 public:
  // All must outlive it. It has no voter before Learn.
  CensusVoters(const CensusBench& job, const CensusPeople& people,
               const train::Device& device, fed::WorkerPool& pool)
      : job_(job), people_(people), device_(device), pool_(pool) {}

  // One voter per seed of the job, in place of those before. Throws as
  // census::LearnVoter.
  void Learn(std::int64_t marks);
  void TakeHealthy();

  const std::vector<std::unique_ptr<census::Voter>>& all() const {
    return voters_;
  }
  // [voter]: votes of all users, as TakeHealthy asked them.
  const std::vector<census::Votes>& healthy() const { return healthy_; }
  // [voter]: votes of the first users with these damages, one after the other.
  std::vector<census::Votes> TakeDamaged(
      const std::vector<const Damage*>& damages) const;

  double seconds_learning() const { return seconds_learning_; }  // per voter
  // Of votes with the first voter.
  double SecondsVoting(const std::vector<std::int64_t>& users) const;

 private:
  // `from`: who they are in the people's set, and before.
  census::Votes VotesOf(const census::Voter& voter,
                        const data::FederatedDataset& set,
                        const std::vector<std::int64_t>& users,
                        const std::vector<std::int64_t>& from) const;

  const CensusBench& job_;
  const CensusPeople& people_;
  const train::Device& device_;
  fed::WorkerPool& pool_;
  std::vector<std::unique_ptr<census::Voter>> voters_;
  std::vector<census::Votes> healthy_;  // [voter]
  double seconds_learning_ = 0;
};

}  // namespace sfumato::bench
