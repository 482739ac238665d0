// monitor.json: one inspection after another of the same population, paid for
// together.
//
//   Monitor monitor = ReadMonitor("watch/monitor.json");
//   monitor.rows.back().verdict;
//
// The folder has one folder per row (01, 02, …), each with an inspection of its
// own. A row holds what that inspection released or computed from releases;
// nothing in it costs more.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "nlohmann/json.hpp"
#include "runs/census.h"
#include "runs/contrast.h"
#include "runs/inspection.h"

namespace sfumato::runs {

struct MonitorRow {
  std::string folder = "";   // "01"
  std::string verdict = "";  // differs, same, cannot_say; refused
  std::string why = "";      // it was refused
  std::string words = "";    // the first hypothesis, where it is supported
  double explained = 0;
  Estimate separation = {};
  double floor = 0;
  double users_b = 0;
  // The share of users who correct at least the monitor's `correction_level` of
  // their examples; negative: it was not asked.
  double correction_rate = -1;
  double correction_deviation = 0;
  // For text: the share of users' words that is unknown, on each side;
  // negative: it was not asked.
  double unknown_a = -1;
  double unknown_b = -1;
  // The census that it began with: the verdict ("" where there was none), and
  // what was named.
  std::string census_verdict = "";
  std::string census_words = "";
};
// "differs (mirrored)"; empty where there was no census.
std::string CensusText(const MonitorRow& row);
// "10.5 → 11.4 %"; empty where it was not asked.
std::string UnknownShareText(const MonitorRow& row);

struct Monitor {
  std::string name = "";         // of the config
  std::string ledger_name = "";  // of all inspections; 01 is "NAME/01"
  std::string version = "";
  std::string config_crc32c = "";
  bool simulation = false;
  std::int64_t planned = 0;
  double every = 0;  // seconds
  // The cost of all planned inspections and of what was repeated.
  double epsilon = 0;
  double delta = 0;
  double noise_multiplier = 0;
  double correction_level = 0;  // of the question how many correct often
  std::string population = "";
  std::string against = "";
  // Something was lost in a stop and paid again; `epsilon` includes it.
  bool repeated = false;
  bool stopped = false;  // by --fail-on, and the rest was given back
  std::vector<MonitorRow> rows = {};

  bool finished() const {
    return stopped || static_cast<std::int64_t>(rows.size()) >= planned;
  }
};

MonitorRow RowOf(const std::string& folder, const InspectionRecord& record,
                 const Contrast& contrast);
// What a census said, entered into its row.
void Enter(const CensusRecord& census, MonitorRow& row);

nlohmann::json ToJson(const Monitor& monitor);
// Throws Corrupt when it is not a monitor's record, Unsupported for a newer
// program's.
Monitor MonitorFromJson(const nlohmann::json& json, const std::string& where);
Monitor ReadMonitor(const base::Path& path);

}  // namespace sfumato::runs
