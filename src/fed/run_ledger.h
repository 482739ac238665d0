// What a run enters into the ledger: its plan before the first round, each
// round before its value is seen, and the end.
//
//   RunLedger books(&ledger, {.run = "2026-11-15_0319_phones", …},
//   round_event); books.Enter(round, mechanism.Event(books.CohortOf(round)));
//   // on disk books.Finish();
//
// In a simulation a round that is repeated after a stop is the same draw with
// the same noise: attempt 0 again, and it costs nothing more.
//
// Outside a simulation it is a new draw. It enters as another attempt with
// another cohort, and is paid again: the rounds between the last checkpoint and
// a crash are lost and counted. So the run reserves `spare_rounds` beyond its
// plan. When those are used up, resuming asks the ledger for what is missing
// under the name "RUN (2)", "RUN (3)", …; where the budget has no room for it
// (never, when the plan was admitted to its end by composition), that is
// budget_spent, says how many rounds are left, and nothing was trained.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dp/accounting/event.h"
#include "dp/ledger/ledger.h"
#include "fed/sampling.h"

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
  // checkpoint has rounds. The ledger may be null for unprotected rounds alone.
  RunLedger(dp::Ledger* ledger, const RunLedgerOptions& options,
            const dp::Event& round);

  // The id of the draw that round `round` makes now.
  std::string CohortOf(std::int64_t round) const;
  // On disk when it returns; the ledger's head then, to be kept with the value.
  std::string Enter(std::int64_t round, const dp::Event& event);
  // Rounds that were paid for, those that were lost and repeated included.
  std::int64_t released() const { return released_; }
  // Gives back what was not used.
  void Finish();

 private:
  struct Part {
    std::string name;
    std::int64_t left = 0;  // reserved and not yet released
    bool finished = false;
  };

  // Earlier processes of the run; returns what they released.
  std::int64_t FindParts();
  void ReserveSimulation(const dp::Event& round);
  void Reserve(const dp::Event& round);

  dp::Ledger* ledger_;
  RunLedgerOptions options_;
  std::vector<Part> parts_;
  std::int64_t released_ = 0;
  std::int64_t attempt_ = 0;
  std::string nonce_;  // of this process: another one that takes the same name
                       // and attempt makes another draw, and is refused
};

}  // namespace sfumato::fed
