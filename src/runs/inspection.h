// inspection.json: what an inspection asked, of whom, at what price, and how
// far it got. A report is made from it, contrast.json and the runs' folders.
//
//   InspectionRecord record = ReadInspection("runs/2026-11-15_0319_phones");
//
// Layout of the folder:
//   inspection.json  this
//   config.toml      effective
//   data/            generated people, if any
//   primary/         the classifier that was trained for them
//   census/          the census that came first, if any: runs/census.h
//   a1/ a2/ b1/ b2/  runs, one for each model (twins 1: a1/ b1/)
//   contrast.json    runs/contrast.h, once the models are trained
//   pictures/        what contrast.json names
//   report.html      report.json report.md
//
// Only what passed the gate is in it: numbers are given, released or public.
// What is for simulations only is in `simulation_only`.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "config/train_config.h"
#include "nlohmann/json.hpp"
#include "runs/run.h"

namespace sfumato::runs {

// A number with where it came from.
struct Sourced {
  double value = 0;
  std::string source = "given";  // given, released, simulation_only
  double deviation = 0;          // of its noise, if released
};

// One of the two populations.
struct SideRecord {
  std::string words =
      "";                 // "users for whom the classifier is right above 0.94"
  std::string rule = "";  // "accuracy > 0.939"
  Sourced users = {};
  std::vector<std::string> runs = {};  // folders: "a1", "a2"
};

struct HistogramRecord {
  std::vector<double> edges = {};   // bars + 1
  std::vector<double> counts = {};  // noisy where released; may be negative
  std::string source = "released";
  double deviation = 0;
};

// The mean estimated from bar midpoints, with the deviation that the noise
// causes.
Sourced MeanOf(const HistogramRecord& histogram);

// Where the budget went.
struct PriceRecord {
  std::string what = "";  // "thresholds", "model a1", …
  double epsilon = 0;     // of this part by itself
  std::string events = "";
};

// What the population's ledger holds about one run of the inspection.
struct LedgerEntry {
  std::string run = "";         // its name there
  std::string population = "";  // that paid for it
  std::string released = "";    // events, in words; empty: none yet
  std::string reserved = "";    // events not yet released
  bool finished = false;        // the unused rest was given back
};

struct PrivacyRecord {
  double epsilon = 0;  // of everything in this inspection; proven
  double delta = 0;
  std::string unit = "user";
  std::string adjacency = "add-remove";
  std::string proof = "";    // "privacy loss distributions, …"
  std::string against = "";  // against whom it holds
  double guessed_right = 0;  // from even odds, at most
  bool seeded = false;       // noise came from a seed: it protects nobody
  bool published = false;    // a published mode without a proof
  bool pays_once = false;    // nobody is in both sides
  bool repeated = false;     // parts of the plan, after a stop: paid again
  std::vector<PriceRecord> parts = {};
  std::vector<std::string> taken_as_fixed = {};  // models, thresholds
  // What a judging model that is declared released cost by itself. That was
  // before this inspection and is not in `epsilon`. Empty if not known.
  PriceRecord judge = {};
  // Where the ledger stands, in its own shares of the budget (dp::SharesOf):
  // spent before; with this inspection; set aside for others; left.
  std::string population = "";
  double granted_epsilon = 0;
  double used_before = 0;
  double used_after = 0;
  double set_aside = 0;
  double left = 0;
  std::string ledger_head = "";
  std::vector<LedgerEntry> entries = {};
  // In a series paid for together: the number of inspections and the cost of
  // all of them. 0: not in a series.
  std::int64_t series_inspections = 0;
  double series_epsilon = 0;
  // For the table of costs at scale.
  double noise_multiplier = 0;
  double cohort = 0;
  std::int64_t rounds = 0;
  // Text: rounds of each word model's character model; 0: there is none.
  std::int64_t character_rounds = 0;
};

// As it is in inspection.json and census.json; reading throws nlohmann's own
// exceptions.
nlohmann::json ToJson(const PrivacyRecord& privacy);
PrivacyRecord PrivacyFromJson(const nlohmann::json& json);

// The earlier inspection that `--verify` or a monitor compares with.
struct Earlier {
  std::string folder = "";
  std::string verdict = "";
  std::string hypothesis = "";
  double explained = 0;
  std::string rule_b = "";  // who side B were …
  double users_b = 0;       // … and how many
  // Its census, if it ran one: the verdict, what was named, and in words.
  std::string census_verdict = "";
  std::vector<std::string> census_keys = {};
  std::string census_words = "";
  double census_share = 0;  // the least of them

  bool found() const { return verdict == "differs"; }
};

// How often simulations of such an inspection found a bug on that share of the
// users; without a bug, how often they raised a false alarm. From generated or
// public people (runs/sweep.h), so it may be shown beside private data.
struct PowerRow {
  std::string bug = "";  // empty: none was there
  double share = 0;
  std::int64_t found = 0;
  std::int64_t of = 0;
  std::string bug_of = "users";  // the share is of them, or of "examples"
  // Of those that began with a census: it named the bug; without one, it named
  // anything.
  std::int64_t named = 0;
  std::int64_t voted = 0;
};

// "correct at least 20 % of their examples": describes the users whose share
// the survey estimates. A level of 0 is not known.
std::string CorrectingText(double level);

// One sentence: "a bug on 30 % of the users is found 19 times of 20; on 10 %, 6
// of 20; a false alarm 1 of 20", and the same of censuses, if any: "the census
// names …". Empty without rows.
std::string PowerText(const std::vector<PowerRow>& power);

struct Contrast;

struct InspectionRecord {
  Status status = Status::kCreated;
  std::string stage = "";  // "survey", "training a1", "contrast", ""
  std::string version = "";
  std::string name = "";
  std::string question = "";
  bool simulation = false;
  std::string data = "";  // the dataset's name
  std::string origin = "";
  std::string criterion = "";         // T2, T4 …, in words
  std::string model_words = "";       // the primary classifier, in words
  std::string model_provenance = "";  // public, released, fixed
  SideRecord a = {};
  SideRecord b = {};
  std::optional<Sourced> above = {};  // thresholds
  std::optional<Sourced> below = {};
  std::optional<HistogramRecord> histogram = {};
  // Text: users by their share of unknown words.
  std::optional<HistogramRecord> unknown_a = {};
  std::optional<HistogramRecord> unknown_b = {};
  // The share of users who correct at least `correction_level` of their
  // examples.
  std::optional<Sourced> correction_rate = {};
  double correction_level = 0;
  std::string ledger_name = "";    // its name in the population's ledger
  std::string config_crc32c = "";  // what it began with
  std::string data_crc32c = "";
  std::string judge_crc32c = "";
  bool surveyed = false;  // all questions were asked; the answers are here
  PrivacyRecord privacy = {};
  std::optional<Earlier> earlier = {};
  std::vector<PowerRow> power = {};
  std::vector<std::string> remarks = {};     // that came with the price
  nlohmann::json simulation_only = nullptr;  // {"bug": "invert", "seconds": …}
};

nlohmann::json ToJson(const InspectionRecord& record);
InspectionRecord InspectionFromJson(const nlohmann::json& json,
                                    const std::string& where);

// In an inspection's folder, locked by the process that works in it.
inline constexpr const char* kInspectionLock = "inspection.lock";

bool IsInspection(const base::Path& folder);
// Throws BadInput if the folder holds no inspection, Unsupported if a newer
// program wrote it, Corrupt if it is damaged.
InspectionRecord ReadInspection(const base::Path& folder);

// What became of an earlier finding: "still_there", "gone", "cannot_say", or
// "nothing_before" if there was none. VerifiedText says it as a sentence: "What
// was seen there is gone."
std::string VerifiedAs(const Earlier& earlier, const Contrast& contrast);
std::string VerifiedText(const Earlier& earlier, const Contrast& contrast);
void WriteInspection(const base::Path& folder, const InspectionRecord& record);

}  // namespace sfumato::runs
