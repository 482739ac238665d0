// All that a page is drawn from, read from an inspection's folder or a run's.
//
//   const Findings findings = ReadFindings("runs/2026-11-15_0319_phones");
//
// What is for simulations alone is taken out here unless the folder is a
// simulation's, so nothing that draws can show it. Absolute paths are cut to
// their last word. An inspection may still be running, or may have stopped:
// what is not there is named in `missing`.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "runs/census.h"
#include "runs/contrast.h"
#include "runs/inspection.h"
#include "runs/run.h"
#include "runs/text_samples.h"

namespace sfumato::report {

struct CurvePoint {
  std::int64_t round = 0;
  double value = 0;
};

// One training.
struct RunFindings {
  std::string name = "";  // "a1"; of a plain run: its config's
  runs::RunRecord record = {};
  std::int64_t rounds_done = 0;
  // By key of metrics.jsonl: numbers that may be shown, in order of rounds.
  std::map<std::string, std::vector<CurvePoint>> curves = {};
  // For a plain run of text: what its model wrote first and last.
  std::vector<runs::TextSamples> writings = {};
};

struct Findings {
  bool inspection = true;    // else: one plain run, also in `record`
  bool census = false;       // what it shares with one is in `record`
  std::string folder = "";   // its last word
  bool unprotected = false;  // trained without noise
  runs::InspectionRecord record = {};
  // The census that an inspection began with.
  std::optional<runs::CensusRecord> votes = {};
  std::optional<runs::Contrast> contrast = {};
  std::vector<RunFindings> runs = {};  // those that have begun
  std::string config = "";             // effective, without absolute paths
  // Sentences on what a finished inspection would have and this has not.
  std::vector<std::string> missing = {};

  bool finished() const { return record.status == runs::Status::kFinished; }
};

// Throws BadInput when `folder` is neither an inspection's nor a run's, Corrupt
// naming the file that is damaged, Unsupported for a newer program's.
Findings ReadFindings(const base::Path& folder);

// The keys whose values differ between the configs of the inspection's runs,
// other than those by which they are meant to: name, select.side, select.half;
// of two states of the data the data. Models of text are compared with those of
// their kind.
struct ConfigDifference {
  std::string key = "";
  std::vector<std::string> values = {};  // one for each run
};
std::vector<ConfigDifference> UnmatchedKeys(
    const std::vector<RunFindings>& runs);

// Whether a number of metrics.jsonl may be shown of private data too: it was
// released, or is a function of what was, of config and of rounds.
bool IsShownAnywhere(std::string_view key);

// The last word of an absolute path; anything else as it is.
std::string WithoutPlace(const std::string& path);

}  // namespace sfumato::report
