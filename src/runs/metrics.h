// metrics.jsonl: one line per round, with values that passed the gate.
//
//   Metrics metrics = Metrics::Open(folder / "metrics.jsonl", run.gate(),
//                                   {.keep_up_to_round = 120});
//   metrics.Append(121, {Public("epsilon", 0.81),
//                        SimulationOnly("loss", 2.3)});
//
// A round is the number of rounds done; the first is 1. When a run is opened
// again, lines of rounds that will be repeated are cut off. Only keys named
// seconds or …_seconds depend on time: in a seeded simulation the rest is the
// same to the byte, however often the run was killed. For that, a round's line
// must be appended before its checkpoint is written. A number that is not
// finite is null beside KEY_reason.

#pragma once

#include <cstdint>
#include <vector>

#include "base/file.h"
#include "base/json_lines.h"
#include "runs/gate.h"

namespace sfumato::runs {

struct MetricsOptions {
  std::int64_t keep_up_to_round = 0;  // the checkpoint's; later lines are cut
};

class Metrics {
 public:
  // Throws Corrupt, naming the line, if an existing file is not a metrics file;
  // Unavailable if it cannot be written.
  static Metrics Open(const base::Path& path, Gate gate,
                      const MetricsOptions& options = {});

  // Throws Unavailable. REQUIRES: keys differ, none is "round", no picture.
  void Append(std::int64_t round, const std::vector<Value>& values);
  void Sync() { lines_.Sync(); }

 private:
  Metrics(const base::Path& path, Gate gate) : gate_(gate), lines_(path) {}

  Gate gate_;
  base::JsonLinesWriter lines_;
};

}  // namespace sfumato::runs
