// What a resumed run needs beyond the rounds its ledger has reserved.

#pragma once

#include <cstdint>
#include <string>

#include "dp/ledger/ledger.h"

namespace sfumato::plan {

// How far a run came.
struct RunState {
  std::string ledger_run = "";
  std::int64_t rounds_done = 0;  // that its last checkpoint has
};
// Rounds to reserve again, because some were lost or because the folder is a
// copy of another run's.
struct More {
  bool begun = false;         // something was reserved before
  std::int64_t rounds = 0;    // to reserve
  std::int64_t released = 0;  // so far
  std::string why = "";       // a line
};
More MoreOf(dp::Ledger& ledger, const RunState& run, std::int64_t rounds);

}  // namespace sfumato::plan
