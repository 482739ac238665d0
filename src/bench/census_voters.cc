#include "bench/census_voters.h"

#include <chrono>
#include <functional>
#include <numeric>

#include "base/interrupt.h"
#include "base/progress.h"
#include "fmt/format.h"

namespace sfumato::bench {
namespace {

double Seconds(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

void CensusVoters::Learn(std::int64_t marks) {
  voters_.clear();
  seconds_learning_ = 0;
  for (std::int64_t s = 0; s < job_.seeds; ++s) {
    base::CheckInterrupted();
    base::Note(fmt::format("learning voter {} of {} …", s + 1, job_.seeds));
    seconds_learning_ += Seconds([&] {
      voters_.push_back(
          census::LearnVoter(people_.reference(),
                             {.marks = marks,
                              .labels = people_.labelled(),
                              .foreign = job_.foreign,
                              .change = people_.change(),
                              .seed = job_.seed + static_cast<std::uint64_t>(s),
                              .gpu = device_.torch.is_cuda(),
                              .effort = job_.effort},
                             pool_));
    });
  }
  seconds_learning_ /= static_cast<double>(job_.seeds);
}

void CensusVoters::TakeHealthy() {
  healthy_.clear();
  for (const auto& voter : voters_) {
    base::CheckInterrupted();
    healthy_.push_back(
        VotesOf(*voter, people_.set(), people_.users(), people_.users()));
  }
}

std::vector<census::Votes> CensusVoters::TakeDamaged(
    const std::vector<const Damage*>& damages) const {
  const data::FederatedDataset damaged = people_.Damaged(damages);
  const std::vector<std::int64_t>& users = people_.users();
  std::vector<std::int64_t> all(damaged.users());
  std::iota(all.begin(), all.end(), 0);
  std::vector<census::Votes> votes;
  for (const auto& voter : voters_) {
    votes.push_back(VotesOf(*voter, damaged, all,
                            {users.begin(), users.begin() + std::ssize(all)}));
  }
  return votes;
}

double CensusVoters::SecondsVoting(
    const std::vector<std::int64_t>& users) const {
  return Seconds([&] { VotesOf(*voters_[0], people_.set(), users, users); });
}

census::Votes CensusVoters::VotesOf(
    const census::Voter& voter, const data::FederatedDataset& set,
    const std::vector<std::int64_t>& users,
    const std::vector<std::int64_t>& from) const {
  return people_.change()
             ? voter.VotesOnChange(people_.before(), from, set, users, pool_)
             : voter.VotesOf(set, users, pool_);
}

}  // namespace sfumato::bench
