// census.json: what a census asked, of whom, at what price, and its answer.
//
//   CensusRecord record = ReadCensus("runs/2026-11-15_0319_phones");
//   record.answer->verdict;
//
// Layout of the folder:
//   census.json   this
//   config.toml   effective
//   voter/        who votes: census/voter/voter.h
//   report.html   report.json report.md
//
// Only what passed the gate is in it: counts are released, the calibration is
// of references, everything else is given or computed from these. What is for
// simulations only is in `simulation_only`.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "census/answer/calibration.h"
#include "census/answer/census_answer.h"
#include "census/answer/noise_law.h"
#include "census/answer/power.h"
#include "nlohmann/json.hpp"
#include "runs/inspection.h"

namespace sfumato::runs {

// What the voter learned from.
struct ReferenceRecord {
  std::string words = "";       // "handwriting, 500 people"
  std::string provenance = "";  // public, generated, released, fixed
  double epsilon = 0;           // of released draws; not in `privacy`
  double delta = 0;
  std::string population = "";  // that paid it
  std::string crc32c = "";
  // Of the users' own kind; if not, the voter learned for two groups.
  bool alike = true;
};

struct CensusGroup {
  std::string words = "";  // "users of version 2"
  std::string rule = "";   // "column version = 2"
};

struct CensusRecord {
  Status status = Status::kCreated;
  std::string stage = "";  // "voter", "price", "thresholds", "votes", ""
  std::string version = "";
  std::string name = "";
  std::string question = "";
  bool simulation = false;
  bool part = false;      // of the inspection in whose folder it is
  std::string data = "";  // the dataset's name
  std::string origin = "";
  ReferenceRecord reference = {};
  std::vector<CensusGroup> groups = {};  // one, or two
  // Thresholds of two groups that were asked for.
  std::optional<Sourced> above = {};
  std::optional<Sourced> below = {};
  census::Design design = census::Design::kEverybody;
  double level = 0.01;
  std::string ledger_name = "";    // its name in the population's ledger
  std::string config_crc32c = "";  // what it began with
  std::string data_crc32c = "";
  std::string voter_crc32c = "";  // of the folder `voter`: what was voted with
  std::string judge_crc32c = "";  // of the model that two groups are chosen by
  PrivacyRecord privacy = {};
  census::NoiseLaw noise = {};
  census::Calibration calibration = {};  // no cells: no voter yet
  // Before asking: what share would be seen.
  std::vector<census::LeastSeen> power = {};
  // Once released: [group][cell].
  std::vector<std::vector<double>> counts = {};
  std::vector<double> asked = {};  // [group], where given
  std::optional<census::CensusAnswer> answer = {};
  std::vector<std::string> remarks = {};
  nlohmann::json simulation_only = nullptr;  // {"bug": "invert", "seconds": …}
};

nlohmann::json ToJson(const CensusRecord& record);
// Throws Corrupt when it is not a census's record, Unsupported for a newer
// program's.
CensusRecord CensusFromJson(const nlohmann::json& json,
                            const std::string& where);

// In a census's folder, locked by the process that works in it.
inline constexpr const char* kCensusLock = "census.lock";

// Where an inspection keeps the census that is part of it, in its own folder.
inline constexpr const char* kCensusFolder = "census";

bool IsCensus(const base::Path& folder);
// Throws BadInput if the folder holds no census, Unsupported if a newer program
// wrote it, Corrupt if it is damaged.
CensusRecord ReadCensus(const base::Path& folder);
void WriteCensus(const base::Path& folder, const CensusRecord& record);

// A checksum of all that a voter is, of its folder and of what is on record
// about its references: CensusRecord::voter_crc32c.
std::string SumOfVoter(const base::Path& folder,
                       const ReferenceRecord& reference);

// What became of what a census named earlier: "still_there" if any of it is
// named again, "gone", "cannot_say", or "nothing_before". `earlier` is from
// plan::EarlierIn. The text says it as a sentence.
std::string CensusVerifiedAs(const Earlier& earlier,
                             const census::CensusAnswer& answer);
std::string CensusVerifiedText(const Earlier& earlier,
                               const census::CensusAnswer& answer);

// "light and dark swapped, mirrored": what is supported; empty for nothing.
std::string NamedText(const census::CensusAnswer& answer);
// The keys of the families of these; an answer that stands for two families
// ("mirror_or_flip") gives both.
std::vector<std::string> NamedKeys(const census::CensusAnswer& answer);

// Supported answers first, then by the size of their share.
std::vector<census::CellAnswer> Ranked(const census::CensusAnswer& answer);

// What `--json` prints and scripts rely on: verdict, sentence, level, case,
// answers (key, words, share, low, high, supported, counts by group; of one
// group also count, of two share_a and share_b), epsilon, delta, simulation.
// Those that are supported come first, then by share. REQUIRES: an answer.
nlohmann::json AnswerJson(const CensusRecord& record);

}  // namespace sfumato::runs
