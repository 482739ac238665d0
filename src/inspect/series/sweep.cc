#include "inspect/series/sweep.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <thread>

#include "base/ascii.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "data/transform/bugs.h"
#include "fmt/format.h"
#include "plan/inspect_plan.h"
#include "plan/training_data.h"
#include "report/drawing.h"
#include "report/sweep_page.h"
#include "report/text_table.h"

namespace sfumato::inspect {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kClassifier = "classifier.safetensors";
constexpr std::int64_t kMostSeeds = 10'000;
constexpr auto kPause = std::chrono::milliseconds(20);
constexpr int kMostTries = 1'500;  // half a minute

std::vector<std::string> Parts(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    parts.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// What all inspections of a sweep share; the device changes nothing of it.
std::string Checksum(config::TrainConfig config) {
  config.device = {};
  config.data.bug = "";
  config.data.bug_share = 0;
  return fmt::format("{:08x}", base::Crc32c(config::ChangedKeys(config)));
}

bool Same(const runs::SweepTrial& one, const runs::SweepTrial& other) {
  return one.bug == other.bug && one.share == other.share &&
         one.seed == other.seed;
}

bool IsDone(const runs::Sweep& sweep, const runs::SweepTrial& trial) {
  return std::any_of(
      sweep.trials.begin(), sweep.trials.end(),
      [&](const runs::SweepTrial& done) { return Same(done, trial); });
}

// Nothing of an inspection inside a sweep is said, not even warnings: the page
// of each has them.
class QuietScope {
 public:
  QuietScope() : before_(base::ProcessTalk()) {
    base::ProcessTalk().quiet = base::ProcessTalk().mute = true;
  }
  ~QuietScope() { base::ProcessTalk() = before_; }
  QuietScope(const QuietScope&) = delete;
  QuietScope& operator=(const QuietScope&) = delete;

 private:
  base::Talk before_;
};

// None while another process holds it.
std::optional<base::FileLock> TryLock(const base::Path& path) {
  try {
    return base::FileLock(path);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kUnavailable) throw;
    return std::nullopt;
  }
}

// Held for moments alone, so it is waited for.
base::FileLock Wait(const base::Path& path) {
  for (int tries = 0; tries < kMostTries; ++tries) {
    if (auto lock = TryLock(path)) return std::move(*lock);
    std::this_thread::sleep_for(kPause);
  }
  return base::FileLock(path);  // or says why not
}

std::string NameOf(const runs::SweepTrial& trial) {
  return trial.bug.empty() ? fmt::format("no bug, seed {}", trial.seed)
                           : fmt::format("{} on {:g} %, seed {}", trial.bug,
                                         100 * trial.share, trial.seed);
}

std::string OutcomeOf(const runs::SweepTrial& trial) {
  if (trial.verdict == runs::kRefused) return "skipped: " + trial.why;
  const std::string verdict =
      trial.words.empty() ? trial.verdict
                          : fmt::format("{}, {}", trial.verdict, trial.words);
  if (trial.bug.empty()) {
    return verdict + (trial.noticed() ? ": a false alarm" : "");
  }
  return verdict + (trial.found() ? ": found" : "");
}

// The sweep at work.
class Sweeping {
 public:
  Sweeping(const config::TrainConfig& config, const base::Path& folder,
           const std::string& version, const InspectFunction& inspect)
      : config_(config), folder_(folder), inspect_(inspect) {
    sweep_ = {.name = config.name,
              .version = version,
              .config_crc32c = Checksum(config),
              .bug_of = config::Word(config.data.bug_of)};
    GoOn();
  }

  void Run(const std::vector<runs::SweepTrial>& trials);
  const runs::Sweep& sweep() const { return sweep_; }

 private:
  void GoOn();
  base::FileLock LockTable() const { return Wait(folder_ / "sweep.lock"); }
  void ReadBooks();
  void WriteBooks() const;
  std::optional<base::FileLock> Claim(const runs::SweepTrial& trial) const;
  void RunOne(runs::SweepTrial trial);
  void Inspect(runs::SweepTrial& trial);
  base::Path PrimaryOf(const runs::SweepTrial& trial) const {
    return folder_ / "primary" / fmt::format("{}", trial.seed);
  }
  base::Path JudgeOf(const runs::SweepTrial& trial) const;
  std::string VoterOf(const runs::SweepTrial& trial) const;
  void KeepPrimary(const runs::SweepTrial& trial) const;
  void KeepVoter(const runs::SweepTrial& trial) const;
  void Say(const runs::SweepTrial& trial, std::size_t done,
           std::size_t total) const;

  const config::TrainConfig& config_;
  base::Path folder_;
  const InspectFunction& inspect_;
  runs::Sweep sweep_;
  Clock::time_point start_ = Clock::now();
  std::size_t done_before_ = 0;  // when this process came
};

void Sweeping::GoOn() {
  // In this order: another process may be making the folder just now, `claims`
  // first.
  const bool full = fs::exists(folder_) && !fs::is_empty(folder_);
  const bool known = fs::exists(folder_ / "claims") ||
                     fs::exists(folder_ / "sweep.lock") ||
                     fs::exists(folder_ / "sweep.json");
  if (full && !known) {
    throw BadInput("the folder is there and holds no sweep", folder_.string(),
                   "name another with --out");
  }
  fs::create_directories(folder_ / "claims");
  const base::FileLock lock = LockTable();
  if (fs::exists(folder_ / "sweep.json")) return ReadBooks();
  base::WriteFileAtomically(folder_ / "config.toml", config::ToToml(config_));
  WriteBooks();
}

// What other processes did comes along.
void Sweeping::ReadBooks() {
  runs::Sweep now = runs::ReadSweep(folder_ / "sweep.json");
  if (now.config_crc32c != sweep_.config_crc32c) {
    throw BadInput("the folder holds a sweep of another config",
                   folder_.string(), "name another with --out");
  }
  sweep_.trials = std::move(now.trials);
}

void Sweeping::WriteBooks() const {
  base::WriteFileAtomically(folder_ / "sweep.json",
                            runs::ToJson(sweep_).dump(2) + "\n");
  const report::Drawing curve = report::Draw(report::SweepCurve(sweep_));
  base::WriteFileAtomically(folder_ / "sweep.svg", report::ToSvg(curve));
  base::WriteFileAtomically(folder_ / "sweep.png",
                            base::EncodePng(report::ToImage(curve, 2)));
  base::WriteFileAtomically(folder_ / "sweep.html",
                            report::SweepPage(sweep_, folder_));
}

// One inspection for this process alone; none while another process has it.
std::optional<base::FileLock> Sweeping::Claim(
    const runs::SweepTrial& trial) const {
  const std::string name = base::Path(trial.folder).filename().string();
  return TryLock(folder_ / "claims" / name);
}

// The classifier alone is kept: whom it was trained on can be made again.
void Sweeping::KeepPrimary(const runs::SweepTrial& trial) const {
  const base::Path made = folder_ / trial.folder / "primary" / kClassifier;
  const base::Path kept = PrimaryOf(trial) / kClassifier;
  if (!fs::exists(made) || fs::exists(kept)) return;
  fs::create_directories(kept.parent_path());
  fs::rename(made, kept);
}

// The seed's classifier; none where an inspection that was stopped has one of
// its own, made while another process made the seed's: it continues with
// the one that it began with.
base::Path Sweeping::JudgeOf(const runs::SweepTrial& trial) const {
  const base::Path kept = PrimaryOf(trial);
  const base::Path own = folder_ / trial.folder / "primary";
  return !fs::exists(own / kClassifier) && fs::exists(kept / kClassifier) ? kept
                                                                          : "";
}

// The seed's voter, with the record that says what it learned from; "" where
// there is none yet. An inspection that was stopped continues with the one that
// it began with.
std::string Sweeping::VoterOf(const runs::SweepTrial& trial) const {
  if (!config_.census.voter.empty()) return config_.census.voter;
  const base::Path begun = folder_ / trial.folder / "config.toml";
  if (fs::exists(begun)) return config::ReadTrainConfig(begun).census.voter;
  const base::Path kept = PrimaryOf(trial) / runs::kCensusFolder / "voter";
  return fs::exists(kept) ? kept.string() : "";
}

void Sweeping::KeepVoter(const runs::SweepTrial& trial) const {
  const base::Path made = folder_ / trial.folder / runs::kCensusFolder;
  const base::Path kept = PrimaryOf(trial) / runs::kCensusFolder;
  if (!fs::exists(made / "voter") || fs::exists(kept)) return;
  base::StagedFolder staged(kept);
  fs::copy_file(made / "census.json", staged.path() / "census.json");
  fs::copy(made / "voter", staged.path() / "voter");
  staged.Commit();
}

void Sweeping::Inspect(runs::SweepTrial& trial) {
  const base::Path folder = folder_ / trial.folder;
  InspectJob job{.folder = folder,
                 .config = ConfigFor(config_, trial, JudgeOf(trial)),
                 .version = sweep_.version,
                 .yes = true};
  job.config.census.voter = VoterOf(trial);
  fs::create_directories(folder);
  const base::FileLock lock(folder / runs::kInspectionLock);
  base::WriteFileAtomically(folder / "config.toml", config::ToToml(job.config));
  InspectOutcome outcome;
  try {
    const QuietScope quiet;
    inspect_(job, outcome);
    runs::Enter(outcome.contrast, trial);
  } catch (const Error& error) {
    if (!IsTooFew(error)) throw;
    trial.verdict = runs::kRefused;
    trial.why = error.what();
  }
  if (outcome.census) runs::Enter(*outcome.census, trial);
}

void Sweeping::RunOne(runs::SweepTrial trial) {
  const auto start = Clock::now();
  try {
    Inspect(trial);
  } catch (const base::Interrupted& interrupted) {
    throw base::Interrupted(
        interrupted.signal(), folder_.string(),
        "what was done is kept; the same command resumes from here");
  }
  trial.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  KeepPrimary(trial);
  {
    const base::FileLock lock = LockTable();
    KeepVoter(trial);
  }
  const bool refused = trial.verdict == runs::kRefused;
  if (refused) {
    fs::remove_all(folder_ / trial.folder);
    trial.folder = "";
  }
  const base::Path held = folder_ / trial.folder;
  {
    const base::FileLock lock = LockTable();
    ReadBooks();
    sweep_.trials.push_back(std::move(trial));
    WriteBooks();
  }
  // Only once it is recorded: until then it may have to resume from them.
  if (!refused) RemoveDataAndCheckpoints(held);
}

void Sweeping::Say(const runs::SweepTrial& trial, std::size_t done,
                   std::size_t total) const {
  const double seconds =
      std::chrono::duration<double>(Clock::now() - start_).count();
  const double left = seconds / static_cast<double>(done - done_before_) *
                      static_cast<double>(total - done);
  base::Note(fmt::format(
      "{} of {}   {}: {} ({}){}", done, total, NameOf(trial), OutcomeOf(trial),
      base::HumanDuration(trial.seconds),
      done == total ? ""
                    : fmt::format(" · {} left", base::HumanDuration(left))));
}

void Sweeping::Run(const std::vector<runs::SweepTrial>& trials) {
  const auto done = [&] {
    return static_cast<std::size_t>(std::count_if(
        trials.begin(), trials.end(),
        [&](const runs::SweepTrial& trial) { return IsDone(sweep_, trial); }));
  };
  done_before_ = done();
  if (done_before_ > 0) {
    base::Note(fmt::format("{} of {} inspections were done before",
                           done_before_, trials.size()));
  }
  std::size_t with_others = 0;
  for (const runs::SweepTrial& trial : trials) {
    base::CheckInterrupted();
    if (IsDone(sweep_, trial)) continue;
    const std::optional<base::FileLock> claim = Claim(trial);
    if (!claim) {
      ++with_others;
      continue;
    }
    ReadBooks();
    if (IsDone(sweep_, trial)) continue;  // by another process, just now
    RunOne(trial);
    Say(sweep_.trials.back(), done(), trials.size());
  }
  if (with_others > 0) {
    base::Note(fmt::format("{} of {} inspections are with other processes",
                           with_others, trials.size()));
  }
}

std::string RateCell(std::int64_t hits, std::int64_t of) {
  const runs::SharesInterval interval = runs::WilsonInterval(hits, of);
  return fmt::format("{}/{} ({:.0f}-{:.0f} %)", hits, of, 100 * interval.low,
                     100 * interval.high);
}

std::string TableText(const runs::Sweep& sweep) {
  const std::vector<runs::SweepRate> rates = runs::RatesOf(sweep.trials);
  const bool voted = std::ranges::any_of(
      rates, [](const runs::SweepRate& rate) { return rate.voted > 0; });
  std::vector<std::string> heads = {"bug", "share", "found", "noticed",
                                    "skipped"};
  if (voted) heads.insert(heads.begin() + 2, "census");
  report::TextTable table(heads);
  for (const runs::SweepRate& rate : rates) {
    const bool none = rate.bug.empty();
    std::vector<std::string> cells = {
        none ? "none (false alarms)" : rate.bug,
        fmt::format("{:g} %", 100 * rate.share),
        none ? "" : RateCell(rate.found, rate.of),
        RateCell(rate.noticed, rate.of),
        rate.refused == 0 ? "" : fmt::format("{}", rate.refused)};
    if (voted) {
      cells.insert(
          cells.begin() + 2,
          RateCell(none ? rate.census_noticed : rate.named, rate.voted));
    }
    table.Add(cells);
  }
  return table.Text();
}

void CheckSimulation(const config::TrainConfig& config) {
  config::DataConfig data = config.data;
  data.bug = "";  // what a sweep is for
  if (plan::FactsOf(data).origin != data::Origin::kPrivate) return;
  throw Unsupported("a sweep of private data", "--sweep",
                    "a sweep breaks data on purpose: give generated or public "
                    "ones");
}

std::string BugsOf(data::Kind kind) {
  std::vector<std::string> names;
  for (const data::BugInfo& bug : data::BugCatalogue()) {
    if (bug.kind == kind) names.push_back(bug.name);
  }
  return fmt::format("{}", fmt::join(names, ","));
}

}  // namespace

std::vector<double> ParseShares(std::string_view text) {
  std::set<double> shares;
  for (const std::string& part : Parts(text)) {
    const auto share = base::ParseNumber<double>(part);
    if (!share || !(*share >= 0 && *share <= 1)) {
      throw BadInput(fmt::format("'{}' is not a share", part), "--shares",
                     "give numbers from 0 to 1: 0.05,0.5");
    }
    if (*share > 0) shares.insert(*share);
  }
  return {shares.begin(), shares.end()};
}

std::vector<std::string> ParseBugs(std::string_view text,
                                   const std::string& usual, data::Kind kind) {
  if (text.empty() && usual.empty()) {
    throw BadInput("no bug to sweep", "--bugs",
                   fmt::format("name some ({}), or give the config data.bug",
                               BugsOf(kind)));
  }
  std::vector<std::string> bugs;
  for (const std::string& part :
       text.empty() ? std::vector<std::string>{usual} : Parts(text)) {
    const data::BugInfo& bug = data::FindBug(part);
    if (bug.kind != kind) {
      throw BadInput(fmt::format("'{}' is not a bug of {}", part, Name(kind)),
                     "--bugs", fmt::format("give some of {}", BugsOf(kind)));
    }
    if (std::find(bugs.begin(), bugs.end(), bug.name) == bugs.end()) {
      bugs.push_back(bug.name);
    }
  }
  return bugs;
}

std::vector<runs::SweepTrial> TrialsOf(const SweepOptions& options) {
  std::vector<runs::SweepTrial> trials;
  const auto add = [&](const std::string& bug, double share,
                       std::int64_t seed) {
    trials.push_back({.bug = bug,
                      .share = share,
                      .seed = seed,
                      .folder = bug.empty()
                                    ? fmt::format("inspections/none_{}", seed)
                                    : fmt::format("inspections/{}_{:g}_{}", bug,
                                                  share, seed)});
  };
  for (std::int64_t seed = 1; seed <= options.seeds; ++seed) {
    add("", 0, seed);
    for (const std::string& bug : options.bugs) {
      for (const double share : options.shares) add(bug, share, seed);
    }
  }
  return trials;
}

config::TrainConfig ConfigFor(const config::TrainConfig& config,
                              const runs::SweepTrial& trial,
                              const base::Path& primary) {
  config::TrainConfig own = config;
  // Without one, two states of the data are the same, through a stage that
  // touches nobody.
  const bool two_states = config.select.by == config::By::kBeforeAfter;
  own.data.bug = trial.bug.empty() && two_states ? config.data.bug : trial.bug;
  own.data.bug_share = trial.share;
  own.seed += trial.seed - 1;
  own.data.seed += trial.seed - 1;
  own.data.bug_seed += trial.seed - 1;
  if (!primary.empty() && own.select.model.empty()) {
    own.select.model = primary.string();
    own.select.model_is = config::Provenance::kPublic;
  }
  return own;
}

bool IsTooFew(const Error& error) {
  static const std::set<std::string> kWheres = {
      "select", "cohort.size", "select.users_a", "select.users_b"};
  return error.kind() == ErrorKind::kBadInput &&
         kWheres.contains(error.where());
}

void RemoveDataAndCheckpoints(const base::Path& folder) {
  static const std::set<std::string> kKept = {
      "inspection.json", "contrast.json", "config.toml", "pictures",
      "report.html",     "report.json",   "report.md",   runs::kCensusFolder};
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!kKept.contains(entry.path().filename().string())) {
      fs::remove_all(entry.path());
    }
  }
  fs::remove_all(folder / runs::kCensusFolder / "voter");
}

SeriesAnswer RunSweep(const config::TrainConfig& config,
                      const SweepOptions& options, const base::Path& folder,
                      const std::string& version,
                      const InspectFunction& inspect) {
  if (!(options.seeds >= 1 && options.seeds <= kMostSeeds)) {
    throw BadInput(fmt::format("{} seeds", options.seeds), "--seeds",
                   fmt::format("give 1 to {}", kMostSeeds));
  }
  CheckSimulation(config);
  plan::PlanInspection(config, plan::FactsOf(config.data),
                       {});  // or says what is wrong
  Sweeping sweeping(config, folder, version, inspect);
  const std::vector<runs::SweepTrial> trials = TrialsOf(options);
  const auto counted = [](std::size_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  base::Note(fmt::format(
      "{}: {} × (no bug{})", counted(trials.size(), "inspection"),
      counted(static_cast<std::size_t>(options.seeds), "seed"),
      options.shares.empty()
          ? ""
          : fmt::format(", {} × {}", counted(options.bugs.size(), "bug"),
                        counted(options.shares.size(), "share"))));
  sweeping.Run(trials);
  const base::Path page = folder / "sweep.html";
  SeriesAnswer answer{.text = TableText(sweeping.sweep()) +
                              fmt::format("Report   {}", page.string()),
                      .json = runs::ToJson(sweeping.sweep())};
  answer.json["folder"] = folder.string();
  answer.json["report"] = page.string();
  return answer;
}

}  // namespace sfumato::inspect
