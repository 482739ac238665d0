// A vote of all users: each marks a few of the declared cells, and the noisy
// histogram is released.
//
//   VoteLoop vote(ledger, {.run = "2026-11-15_0319_phones/vote",
//                          .population = "phones",
//                          .randomness = {.simulation = true, .seed = 7},
//                          .histogram = {.cells = 24, .noise = noise}});
//   const VoteCounts counts = vote.Ask([&] { return voter.VotesOf(users); });
//   Keep(counts.cells.value());                   // on disk
//   vote.Finish();
//
// Ask is the whole privacy path, in the order of entered.h: the price is in the
// ledger, on disk, before the votes are collected, so that a refused release
// touches nobody's data; then come the votes, the noise, the value. (A round of
// training collects first, since its updates take long and what is interrupted
// there released nothing. A vote takes seconds: one that is interrupted between
// entry and value is paid for and lost.)
//
// After a crash. The caller keeps the counts on disk, and does not ask again
// what it has. In a simulation asking again gives the same counts and costs
// nothing more. Outside one it is another release with other noise: it enters
// as another attempt; where nothing is reserved any more, the vote is reserved
// again as another part of the run (Ledger::ReserveMore), or is budget_spent.
//
// What is voted on is the caller's: the families of damages of a census, the
// label of a public example (Zhu et al. 2020).

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dp/ledger/ledger.h"
#include "dp/mechanisms/released.h"
#include "dp/mechanisms/vote_histogram.h"
#include "fed/release/entered.h"

namespace sfumato::fed {

struct VoteOptions {
  std::string run = "";         // unique in the ledger
  std::string population = "";  // of the ledger: who is asked
  Randomness randomness = {};
  // Its participants' population is the one above.
  dp::VoteHistogramOptions histogram = {};
  // Outside simulations, before a vote that was lost is reserved again and paid
  // again. It may throw, and then nothing is reserved.
  std::function<void(const dp::Event&)> before_more = {};
};

struct VoteCounts {
  dp::Released<std::vector<std::int64_t>> cells;  // may be negative
  std::string ledger_head = "";
};

class VoteLoop {
 public:
  // The cells that each user marks: private data.
  using Votes = std::function<std::vector<std::vector<std::int64_t>>()>;

  // Reserves the vote, unless that was done before under the same name. Throws
  // as dp::VoteHistogram and Ledger::Reserve.
  VoteLoop(dp::Ledger& ledger, VoteOptions options);

  // What a vote costs.
  dp::Event event() const { return histogram_.Event(""); }

  // Throws as Ledger::Release; then nothing was collected.
  VoteCounts Ask(const Votes& votes);

  // Gives back what was reserved and not asked.
  void Finish();

 private:
  Entered Enter(const dp::Event& event);
  std::string PartWithAVoteLeft();

  dp::Ledger& ledger_;
  VoteOptions options_;
  dp::VoteHistogram histogram_;
  std::string nonce_;  // of this process, outside simulations
};

}  // namespace sfumato::fed
