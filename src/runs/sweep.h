// A sweep: many simulated inspections with bugs on different shares of the
// users or of their examples, and which of the bugs were found.
//
//   Sweep sweep = ReadSweep("sweep/sweep.json");
//   std::vector<SweepRate> rates = RatesOf(sweep.trials);  // by bug and share
//   record.power = PowerOf(sweep);  // for an inspection's page
//
// Noticed: the verdict is that the sides differ. Found: noticed, and the first
// hypothesis that is supported is the bug that was put there. An inspection
// that was skipped (too few users on a side) found nothing. Everything is
// of generated or public people, so nothing of it is private.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "nlohmann/json.hpp"
#include "runs/census.h"
#include "runs/contrast.h"
#include "runs/inspection.h"

namespace sfumato::runs {

inline constexpr const char* kRefused = "refused";

// One inspection.
struct SweepTrial {
  std::string bug = "";  // of `sfumato data bug`; empty: none
  double share = 0;      // of the users, or examples, that have it
  std::int64_t seed = 1;
  std::string folder = "";   // below the sweep's
  std::string verdict = "";  // differs, same, cannot_say; refused
  std::string why = "";      // it was refused
  std::string key = "";      // the first hypothesis, where it is supported
  std::string words = "";
  bool right = false;  // that is the bug
  double explained = 0;
  double affected = 0;
  double separation = 0;
  double floor = 0;
  double seconds = 0;
  // The census that it began with: the verdict ("" where there was none), what
  // was named, and whether the bug is among it.
  std::string census_verdict = "";
  std::string census_words = "";
  bool census_right = false;
  std::string a = "";  // last grids of both sides, below `folder`
  std::string b = "";

  bool noticed() const { return verdict == "differs"; }
  bool found() const { return noticed() && right; }
  bool voted() const { return !census_verdict.empty(); }
  bool named() const { return voted() && census_right; }
};

struct Sweep {
  std::string name = "";
  std::string version = "";
  std::string config_crc32c = "";  // of what all inspections share
  std::string bug_of = "users";    // whose share has the bug; or "examples"
  std::vector<SweepTrial> trials = {};
};

// A share of `of`, with its 95 % interval.
struct SharesInterval {
  double low = 0;
  double high = 1;
};
// Wilson 1927: of `hits` in `of`, with z = 1.96. Of none: 0 … 1.
SharesInterval WilsonInterval(std::int64_t hits, std::int64_t of);

// All inspections of one bug and share. Without a bug: noticed are the false
// alarms, and nothing is found.
struct SweepRate {
  std::string bug = "";
  double share = 0;
  std::int64_t of = 0;
  std::int64_t refused = 0;
  std::int64_t noticed = 0;
  std::int64_t found = 0;
  // Of those with a census: it found damage; it named the bug.
  std::int64_t voted = 0;
  std::int64_t census_noticed = 0;
  std::int64_t named = 0;
};
// No bug first, then bugs in the order of their first trial, shares rising.
std::vector<SweepRate> RatesOf(const std::vector<SweepTrial>& trials);

std::vector<PowerRow> PowerOf(const Sweep& sweep);

// The key of the diagnosis (runs/contrast.h) that names a bug of `sfumato data
// bug`; '-' may stand for '_'.
std::string HypothesisFor(std::string_view bug);

// What an inspection found, entered into its trial.
void Enter(const Contrast& contrast, SweepTrial& trial);
// What its census said.
void Enter(const CensusRecord& census, SweepTrial& trial);

nlohmann::json ToJson(const Sweep& sweep);
// Throws Corrupt when it is not a sweep, Unsupported for a newer program's.
Sweep SweepFromJson(const nlohmann::json& json, const std::string& where);
Sweep ReadSweep(const base::Path& path);

}  // namespace sfumato::runs
