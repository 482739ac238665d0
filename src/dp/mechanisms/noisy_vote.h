// Agents vote for a class; only the winner after Gaussian noise is released.
//
//   NoisyVote vote({.classes = 10, .sigma = 25});
//   auto label = vote.Release(votes, noise);    // votes: [agent, class]
//
// An agent's vote is one class, or with `neighbours` = k the classes of k
// records, a k-th each. Shares are rounded to whole k-ths; a vote that is not
// finite, has a share below zero or has more than one in all counts as zero. So
// one agent moves the tally by at most 1, and one record of an agent by
// sqrt(2)/k (sqrt(2) when k = 0: the agent's model may turn around), which is
// what the event means. Noise of deviation sigma is added to every class's
// tally.
//
// Source: Zhu, Yu, Tsai, Pittaluga, Faraki, Chandraker and Wang 2020, "Voting-
// based Approaches For Differentially Private Federated Learning"; Papernot et
// al. 2018, "Scalable Private Learning with PATE" (Gaussian noisy max).

#pragma once

#include <cstdint>
#include <span>

#include "dp/mechanisms/grid_gaussian.h"
#include "dp/mechanisms/participants.h"
#include "dp/mechanisms/released.h"

namespace sfumato::dp {

struct NoisyVoteOptions {
  std::int64_t classes = 0;
  double sigma = 0;  // absolute, of the noise on each class's tally
  Vote::Level level = Vote::Level::kAgent;
  std::int64_t neighbours = 0;  // k; 0 for one whole vote; at most 2^20
  Adjacency adjacency = Adjacency::kAddRemove;
  Population population = {};
};

class NoisyVote {
 public:
  // Throws BadInput for fewer than two classes or for noise out of range: sigma
  // times max(1, k) from 0.25 to 2^22.
  explicit NoisyVote(NoisyVoteOptions options);

  dp::Event Event() const;
  // The winning class; of equals, the first. Throws BadInput unless `votes` has
  // a row of `classes` shares for each agent.
  Released<std::int64_t> Release(std::span<const float> votes,
                                 NoiseSource& noise) const;

 private:
  NoisyVoteOptions options_;
  std::int64_t parts_;  // shares are counted in whole 1/parts_
  GridGaussian gaussian_;
};

}  // namespace sfumato::dp
