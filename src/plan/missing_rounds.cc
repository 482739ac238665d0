#include "plan/missing_rounds.h"

#include <algorithm>
#include <vector>

#include "fmt/format.h"

namespace sfumato::plan {

MissingRounds FindMissingRounds(dp::Ledger& ledger, const RunState& run,
                                std::int64_t rounds) {
  const std::vector<dp::RunPart> parts = ledger.PartsOf(run.ledger_run);
  const std::int64_t to_come = rounds - run.rounds_done;
  const std::int64_t reserved = dp::ReservedRounds(parts);
  MissingRounds missing{
      .begun = !parts.empty(),
      .rounds = std::max<std::int64_t>(0, to_come - reserved)};
  for (const dp::RunPart& part : parts) {
    missing.released += dp::CountOf(part.run.released);
  }
  missing.why = fmt::format(
      "Resume   rounds to come: {}; reserved: {}; released and in no "
      "checkpoint here, so paid again: {}\n",
      to_come, reserved, missing.released - run.rounds_done);
  return missing;
}

}  // namespace sfumato::plan
