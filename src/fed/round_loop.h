// Federated training under privacy, round by round.
//
//   RunRounds({.algorithm = algorithm, .cohort = cohort, .examples = examples,
//              .mechanism = *mechanism, .ledger = &ledger,
//              .observer = observer},
//             {.run = "2026-11-15_0319_phones", .population = "phones",
//              .rounds = 500});
//
// round_loop.cc is the whole privacy path on one screen, in the order of
// release/entered.h: draw the cohort, train on the devices, clip and sum; enter
// the cost in the ledger; release the noisy mean; let the algorithm absorb it.
// The cohort is drawn in the way that the event pays for. In a simulation
// everything follows from the seed, so a round that is run again gives the same
// bits.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "dp/ledger/ledger.h"
#include "fed/algorithm.h"
#include "fed/cohort.h"
#include "fed/mean_mechanism.h"
#include "fed/release/entered.h"
#include "fed/sampling.h"
#include "models/batch.h"

namespace sfumato::fed {

// What happened in a round.
struct RoundReport {
  std::int64_t done = 0;       // rounds that the algorithm has absorbed
  std::int64_t rounds = 0;     // planned
  std::int64_t released = 0;   // in the ledger: more than `done` after a crash
  double clip_norm = 0;        // that was clipped to
  double noise_deviation = 0;  // on each number of the mean
  double mean_norm = 0;        // of the released mean: noise and signal
  std::optional<double> share_within = {};  // adaptive clipping; released
  double next_clip_norm = 0;                // what a checkpoint must hold
  std::string ledger_head = "";             // after this round's entry

  // From private data: to be written in simulations only.
  struct {
    CohortFacts facts = {};
    double seconds = 0;
  } simulation_only = {};
};

// Writes metrics and checkpoints. What a checkpoint must hold to resume to the
// bit: Algorithm::State, RoundReport::done and RoundReport::next_clip_norm.
class RoundObserver {
 public:
  virtual ~RoundObserver() = default;
  // The algorithm stands where `report` says. An exception ends the run.
  virtual void AfterRound(const RoundReport& report,
                          const Algorithm& algorithm) = 0;
  // Ctrl-C during the next round: the algorithm still stands where the last
  // report said, so this is the time for a checkpoint.
  virtual void Interrupted(const Algorithm&) {}
};

struct RoundParts {
  Algorithm& algorithm;
  Cohort& cohort;
  const models::Examples& examples;
  MeanMechanism& mechanism;
  dp::Ledger* ledger;  // null only where the mechanism protects nobody
  RoundObserver& observer;
};

struct RoundOptions {
  std::string run = "";         // unique in the ledger
  std::string population = "";  // a population of the ledger
  Randomness randomness = {};
  Weighting weighting = {};
  std::int64_t rounds = 0;
  std::int64_t first_round = 0;   // rounds that a restored checkpoint holds
  std::int64_t spare_rounds = 0;  // release/run_ledger.h
};

// Trains rounds first_round … rounds-1. Throws budget_spent before anything is
// trained when the plan does not fit, Unsupported for a mechanism that protects
// nobody outside a simulation, and whatever a part throws; the last checkpoint
// is then the place to resume from.
// Returns the rounds that were paid for, repeated ones included.
std::int64_t RunRounds(const RoundParts& with, const RoundOptions& options);

}  // namespace sfumato::fed
