// The same inspection again and again on one population, paid for together
// before the first: has anything changed?
//
//   const MonitorGiven given{.repeat = 12,
//                            .every = ParseDuration("10m", "--every")};
//   const SeriesAnswer answer = RunMonitor(config, given, "watch", inspect);
//
// Each inspection has a folder of its own (01, 02, …) and a page; monitor.json,
// monitor.html and monitor.svg are over all of them, and are written after each
// one. The same command resumes one that was stopped. The verdict `fail_on`
// ends it, and what the rest would have cost is given back. What fails before
// the first question leaves nothing: no folder, nothing set aside.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "config/train_config.h"
#include "inspect/series/sweep.h"

namespace sfumato::inspect {

// From inspection `first` on the config says `set`: "data.bug_share=0.5".
struct SetAt {
  std::int64_t first = 1;
  std::string set = "";
};

struct MonitorGiven {
  std::int64_t repeat = 1;
  double every = 0;                 // seconds from one start to the next
  std::vector<SetAt> changes = {};  // simulations alone, of data.* alone
  std::string fail_on = "";
  std::string version = "";
  std::string ledger_key = "";
  std::vector<runs::PowerRow> power = {};
  // Throws what an inspection by this config would be refused for, as far as
  // that can be known before anything is asked.
  std::function<void(const config::TrainConfig&)> check = {};
  bool yes = false;
  bool dry_run = false;
};

// "90s", "10m", "2h", "1d" → seconds. Throws BadInput, naming `option`.
double ParseDuration(std::string_view text, const std::string& option);
// "3:data.bug_share=0.5". Throws BadInput.
SetAt ParseSetAt(std::string_view text);

// Throws as PlanMonitor; budget_spent when the ledger cannot pay for all;
// BadInput when nobody says yes, the folder holds something else, or every
// inspection was refused. A dry run throws the same.
SeriesAnswer RunMonitor(const config::TrainConfig& config,
                        const MonitorGiven& given, const base::Path& folder,
                        const InspectFunction& inspect);

}  // namespace sfumato::inspect
