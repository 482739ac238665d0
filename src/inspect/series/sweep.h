// Many simulated inspections of one config, with a bug on more and fewer of the
// users or of their examples: how often is it found, how often is a false alarm
// raised?
//
//   const SweepOptions options{.shares = ParseShares("0.1,0.5"), .seeds = 5};
//   const SeriesAnswer answer =
//       RunSweep(config, options, "sweep", version, inspect);
//
// For every bug, share and seed one inspection, in a folder of its own, of
// which the page, the pictures and the numbers stay. sweep.json is written
// after each one, so that the same command resumes one that was stopped.
// Several processes may work in one folder: each takes inspections that no
// other has. The classifier of a seed's people is trained once. For simulations
// only: private data is refused before anything is done.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "config/train_config.h"
#include "data/dataset.h"
#include "inspect/inspection.h"
#include "nlohmann/json.hpp"
#include "runs/sweep.h"

namespace sfumato::inspect {

inline constexpr const char* kUsualShares = "0,0.01,0.02,0.05,0.1,0.25,0.5";

struct SweepOptions {
  std::vector<double> shares = {};  // above 0; 0 is always included
  std::int64_t seeds = 5;
  std::vector<std::string> bugs = {};  // of `sfumato data bug`
};

// "0,0.05,0.5" → {0.05, 0.5}: rising, each once, without the 0. Throws
// BadInput.
std::vector<double> ParseShares(std::string_view text);
// "invert,dead-rows" → bugs of this kind of data; empty: `usual`. Throws
// BadInput.
std::vector<std::string> ParseBugs(std::string_view text,
                                   const std::string& usual, data::Kind kind);

// All inspections in order: those of one seed together, no bug first. Fills
// only bug, share, seed and folder.
std::vector<runs::SweepTrial> TrialsOf(const SweepOptions& options);
// The config of one inspection. `primary` is the folder of the seed's
// classifier; empty: there is none yet.
config::TrainConfig ConfigFor(const config::TrainConfig& config,
                              const runs::SweepTrial& trial,
                              const base::Path& primary);

// The result of a series, as text for people and as JSON.
struct SeriesAnswer {
  std::string text = "";
  nlohmann::json json = nlohmann::json::object();
  int exit_code = 0;
};

// Runs one inspection to its end: SfumatoInspect, or a stand-in in tests.
using InspectFunction =
    std::function<void(const InspectJob& job, InspectOutcome& outcome)>;

// Throws Unsupported for private data; BadInput for a config that cannot be
// inspected, or a folder that holds a sweep of another config.
SeriesAnswer RunSweep(const config::TrainConfig& config,
                      const SweepOptions& options, const base::Path& folder,
                      const std::string& version,
                      const InspectFunction& inspect);

// Whether an inspection was refused because too few users were on a side.
bool IsTooFew(const Error& error);

// Removes data, models and checkpoints, and keeps what an inspection's page
// needs.
void RemoveDataAndCheckpoints(const base::Path& folder);

}  // namespace sfumato::inspect
