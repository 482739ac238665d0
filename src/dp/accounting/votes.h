// What a vote of agents with Gaussian noise costs.
//
//   const VoteEpsilons cost = VoteEpsilon({.queries = 1000, .sigma = 25,
//                                          .delta = 1e-3});
//   cost.exact;        // 4.2077
//   cost.closed_form;  // 5.5016, the paper's formula
//
// Each query counts the agents' votes for every class, adds normal noise of
// deviation sigma to every count and shows the winner. Sigma is absolute. No
// sampling: an observer of the agents knows who voted.
//
// Sources: Zhu, Yu, Tsai et al. 2020, "Voting-based Approaches for
// Differentially Private Federated Learning", Theorem 3, Lemma 4 and Theorem 5
// (the last two with their mistakes corrected); Papernot et al. 2018, "Scalable
// Private Learning with PATE", Theorem 6 and Propositions 7 and 10.

#pragma once

#include <cstdint>
#include <span>

#include "dp/accounting/event.h"

namespace sfumato::dp {

// The square of the L2 norm by which a neighbour moves the counts. An agent's
// whole vote has norm 1 at most, whatever its form; one record turns one vote
// of an agent, or with k neighbours one k-th of it.
double VoteSensitivitySquared(const Vote& vote, Adjacency adjacency);

struct VoteOptions {
  std::int64_t queries = 1;
  double sigma = 1;
  double delta = 1e-5;
  Vote::Level level = Vote::Level::kAgent;
  std::int64_t neighbours = 0;  // k of the kNN vote; 0: a one-hot vote
  Adjacency adjacency = Adjacency::kAddRemove;
};

struct VoteEpsilons {
  double sensitivity_squared = 0;
  double closed_form =
      0;               // rho + 2 sqrt(rho log 1/delta), rho = Q s^2/2sigma^2
  double exact = 0;    // of Q Gaussian releases: what to use
  double printed = 0;  // closed form of the paper's own Theorem 3, whose
                       // Q a/(k sigma^2) is valid, and loose by k
};

// Throws BadInput for impossible numbers.
VoteEpsilons VoteEpsilon(const VoteOptions& options);

// The same as an event, for any accountant.
Event VoteEvent(const VoteOptions& options);

// Each agent adds its share of the noise. Those that drop out add none, and
// those that collude know theirs: the others' shares must be enough. The
// deviation of one share, sigma / sqrt(survivors - colluders). Throws BadInput
// unless survivors > colluders >= 0.
double VoteNoiseShare(double sigma, std::int64_t survivors,
                      std::int64_t colluders);

// ---- Bounds that depend on the votes themselves ----
//
// They hold for the votes at hand and are computed from them, so they are
// private too: never show one, or anything chosen by it, except through a
// mechanism of its own. What may be shown is VoteEpsilon.

// log of a bound on the chance that noise makes another class win than the one
// with most votes (Proposition 7). REQUIRES: two classes or more, sigma > 0.
double LogWrongOutcome(std::span<const double> votes, double sigma);

// Rényi divergence of one query at `order` from one with a neighbour's votes
// (Theorem 6, orders of Proposition 10); never above the order's bound without
// the votes. REQUIRES: log_wrong <= 0.
double DataDependentVoteRdp(double order, double log_wrong, double sigma,
                            double sensitivity_squared);

// The same from the margin alone, in the form of the voting paper's Theorem 5.
// Looser; for comparison. The printed one has sigma and s exchanged, lacks a
// factor (order - 1) and takes the margin of the votes where the neighbour's is
// needed.
struct MarginOptions {
  double margin = 0;         // votes between the first and the second class
  double margin_change = 1;  // by how much a neighbour may change it
  std::int64_t classes = 2;
  double sigma = 1;
  double sensitivity_squared = 1;
};
double MarginVoteRdp(double order, const MarginOptions& options);

// The margin, as a share of `voters`, from which on the noise changes the
// winner with a chance of delta at most: 2 sigma sqrt(2 log(C/delta)) / N. The
// printed Lemma 4 has no sigma.
double SureVoteMargin(double sigma, std::int64_t classes, double delta,
                      std::int64_t voters);

}  // namespace sfumato::dp
