// What a run enters into the ledger: its plan before the first round, each
// round before its value is seen, and the end.
//
//   RunLedger ledger_of_run(&ledger,
//                           {.run = "first", .population = "phones",
//                            .rounds = 500},
//                           mechanism.Event(""));
//   const std::string cohort = ledger_of_run.CohortOf(round);
//   Entered entered = ledger_of_run.Enter(round, mechanism.Event(cohort));
//   mechanism.Release(std::move(sum), entered.noise());
//   ledger_of_run.Finish();
//
// In a simulation a round that is repeated after a stop is the same draw with
// the same noise: attempt 0 again, and it costs nothing more.
//
// Outside a simulation it is a new draw. It enters as another attempt with
// another cohort and is paid for again: the rounds between the last checkpoint
// and a crash are lost and counted. So the run reserves `spare_rounds` beyond
// its plan. When those are used up, resuming reserves what is missing as
// another part of the run (Ledger::ReserveMore). Where the budget has no room
// for it (never, if the plan was admitted to its end by composition), that is
// budget_spent, which says how many rounds are left; nothing was trained.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dp/accounting/event.h"
#include "dp/ledger/ledger.h"
#include "fed/release/entered.h"

namespace sfumato::fed {

struct RunLedgerOptions {
  std::string run = "";         // unique in the ledger
  std::string population = "";  // a population of the ledger
  Randomness randomness = {};
  std::int64_t rounds = 0;
  std::int64_t first_round = 0;  // rounds that a checkpoint already holds
  std::int64_t spare_rounds = 0;
};

class RunLedger {
 public:
  // Reserves whatever is still to be reserved for rounds like `round`. Throws
  // as Ledger::Reserve, and Corrupt when the ledger has fewer releases than the
  // checkpoint has rounds. The ledger may be null for unprotected rounds of a
  // simulation.
  RunLedger(dp::Ledger* ledger, const RunLedgerOptions& options,
            const dp::Event& round);

  // The id of the draw that round `round` makes now.
  std::string CohortOf(std::int64_t round) const;
  Entered Enter(std::int64_t round, const dp::Event& event);
  // Rounds that were paid for, those that were lost and repeated included.
  std::int64_t released() const { return released_; }
  // Gives back what was not used.
  void Finish();

 private:
  struct Part {
    std::string name;
    std::int64_t left = 0;  // reserved and not yet released
  };

  void ReserveSimulation(const dp::Event& round);
  void Reserve(const dp::Event& round);
  Part& PartWithRoundsLeft();

  dp::Ledger* ledger_;
  RunLedgerOptions options_;
  std::vector<Part> parts_;  // outside simulations
  std::int64_t released_ = 0;
  std::int64_t attempt_ = 0;
  std::string nonce_;  // of this process: another one that takes the same name
                       // and attempt makes another draw, and is refused
};

}  // namespace sfumato::fed
