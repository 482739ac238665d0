// Epsilon after a number of rounds, computed when somebody asks.
//
//   EpsilonMeter meter(mechanism.Event(""), 1e-6);
//   if (report.done % 10 == 0) Show(meter.After(report.released));
//
// All rounds of a run are alike, so this is one event with a count. An answer
// takes some milliseconds: ask where it is shown, not every round.

#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "dp/accounting/event.h"

namespace sfumato::fed {

class EpsilonMeter {
 public:
  // `before`: what the same users paid for before the first round, which counts
  // from then on.
  EpsilonMeter(dp::Event round, double delta,
               std::vector<dp::Event> before = {});

  double delta() const { return delta_; }
  // By privacy loss distributions, valid if the number of rounds was planned
  // (the run's reservation is that plan); 0 after none, +infinity for rounds
  // without noise.
  double After(std::int64_t rounds);

 private:
  dp::Event round_;
  std::vector<dp::Event> before_;
  double delta_;
  std::map<std::int64_t, double> known_;  // the last few
};

}  // namespace sfumato::fed
