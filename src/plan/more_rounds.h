// What a run that goes on needs beyond what its ledger holds for it.

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
// What a run that goes on needs beyond what is reserved for it, because rounds
// were lost or because the folder is a copy of another run's.
struct More {
  bool begun = false;         // something was reserved before
  std::int64_t rounds = 0;    // to reserve
  std::int64_t released = 0;  // so far
  std::string why = "";       // a line
};
More MoreOf(dp::Ledger& ledger, const RunState& run, std::int64_t rounds);

}  // namespace sfumato::plan
