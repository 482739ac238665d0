// The rounds that a resumed run needs beyond those its ledger has reserved.

#pragma once

#include <cstdint>
#include <string>

#include "dp/ledger/ledger.h"

namespace sfumato::plan {

// How far a run got.
struct RunState {
  std::string ledger_run = "";
  std::int64_t rounds_done = 0;  // in its last checkpoint
};
// Rounds to reserve again, because some were lost or because the folder is a
// copy of another run.
struct MissingRounds {
  bool begun = false;         // something was reserved before
  std::int64_t rounds = 0;    // to reserve
  std::int64_t released = 0;  // so far
  std::string why = "";       // one line for the user
};
MissingRounds FindMissingRounds(dp::Ledger& ledger, const RunState& run,
                                std::int64_t rounds);

}  // namespace sfumato::plan
