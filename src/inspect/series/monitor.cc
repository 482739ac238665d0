#include "inspect/series/monitor.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include "base/ascii.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/secure_random.h"
#include "fmt/format.h"
#include "plan/budget_text.h"
#include "plan/consent.h"
#include "plan/dataset_ledger.h"
#include "plan/guarantee_text.h"
#include "plan/inspect_ledger.h"
#include "plan/inspect_plan_text.h"
#include "plan/monitor_plan.h"
#include "plan/plan_file.h"
#include "plan/training_data.h"
#include "report/drawing.h"
#include "report/monitor_page.h"
#include "report/number_text.h"
#include "report/page.h"
#include "report/text_table.h"
#include "runs/monitor.h"
#include "runs/writable_folder.h"

namespace sfumato::inspect {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kClassifier = "classifier.safetensors";
constexpr const char* kFile = "monitor.json";
constexpr const char* kLock = "monitor.lock";
constexpr double kLongest = 366 * 86400.0;

std::string Checksum(config::TrainConfig config, const MonitorGiven& given) {
  config.device = {};
  std::string text =
      config::ChangedKeys(config) + fmt::format("{}", given.repeat);
  for (const SetAt& change : given.changes) {
    text += fmt::format("\n{}:{}", change.first, change.set);
  }
  return fmt::format("{:08x}", base::Crc32c(text));
}

// Whether somebody's files are there. What a process left that was killed
// before there was a monitor is nobody's.
bool IsTaken(const base::Path& folder) {
  if (!fs::exists(folder)) return false;
  if (!fs::is_directory(folder)) return true;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool left = fs::exists(folder / kLock) &&
                      (name == kLock || name.starts_with("config.toml") ||
                       name.starts_with("plan.json"));
    if (!left) return true;
  }
  return false;
}

class Monitoring {
 public:
  Monitoring(config::TrainConfig config, const MonitorGiven& given,
             const base::Path& folder, const InspectFunction& inspect)
      : config_(std::move(config)),
        given_(given),
        folder_(folder),
        inspect_(inspect) {}

  SeriesAnswer DryRun();
  SeriesAnswer Run();

 private:
  void Begin();
  void Plan();
  void Check() const;
  void Pay(std::optional<base::FileLock>& lock);
  void MakeFolder(std::optional<base::FileLock>& lock);
  bool NothingIsSpent() const;
  void Clear();
  void Work(std::optional<base::FileLock>& lock);
  std::size_t Over(dp::Ledger& ledger) const;
  bool HasVerdict(const runs::MonitorRow& row) const;
  bool MustStop() const;
  void GiveBackRefused() const;
  void CountRepeated();
  void RunOne(std::int64_t number);
  void Wait(Clock::time_point start) const;
  void StopHere(std::int64_t number);
  void Write() const;
  SeriesAnswer Said() const;
  config::TrainConfig ConfigFor(std::int64_t number) const;
  InspectJob JobFor(std::int64_t number) const;
  void KeepPrimary(const base::Path& from) const;
  dp::Ledger OpenLedger() const {
    return plan::InspectionLedger(config_, plan_.inspections.front(), folder_,
                                  given_.ledger_key);
  }
  base::Interrupted WithResume(const base::Interrupted& interrupted) const {
    return base::Interrupted(
        interrupted.signal(), folder_.string(),
        "what was done is kept; the same command resumes from here");
  }

  config::TrainConfig config_;
  const MonitorGiven& given_;
  base::Path folder_;
  const InspectFunction& inspect_;
  plan::DataFacts facts_;
  plan::MonitorPlan plan_;
  runs::Monitor monitor_;
  bool made_ = false;  // by this process, from an empty or no folder
};

void Monitoring::Plan() {
  facts_ = plan::FactsOf(config_.data);
  const bool simulation = facts_.origin != data::Origin::kPrivate;
  if (!given_.changes.empty() && !simulation) {
    throw Unsupported("private data that change on command", "--set-at",
                      "it is for simulations alone; leave it out");
  }
  if (!simulation) plan::UseLedgersDelta(config_, facts_, given_.ledger_key);
  const auto make = [&](const config::TrainConfig& config) {
    return plan::PlanMonitor(
        config, facts_,
        {.name = monitor_.ledger_name, .repeat = given_.repeat});
  };
  // A file without a monitor is of a process that was killed before it reserved
  // anything.
  plan_ = fs::exists(folder_ / kFile) ? plan::PlanAsKept(folder_, config_, make)
                                      : make(config_);
  for (std::int64_t i = 1; i <= given_.repeat; ++i) ConfigFor(i);  // or throws
}

// Before anything is asked or paid for.
void Monitoring::Check() const {
  if (!given_.check) return;
  std::string last;
  for (std::int64_t i = 1; i <= given_.repeat; ++i) {
    const config::TrainConfig own = ConfigFor(i);
    config::TrainConfig told = own;  // of these the data alone change
    told.seed = 0;
    told.select.above_quantile = told.select.below_quantile = 0;
    const std::string text = config::ChangedKeys(told);
    if (text != last) given_.check(own);
    last = text;
  }
}

// What was begun before, or a new name.
void Monitoring::Begin() {
  runs::RequireWritableFolder(folder_);
  const std::string checksum = Checksum(config_, given_);
  if (fs::exists(folder_ / kFile)) {
    monitor_ = runs::ReadMonitor(folder_ / kFile);
    if (monitor_.config_crc32c != checksum) {
      throw BadInput("the folder holds a monitor of another config",
                     folder_.string(), "name another with --out");
    }
    return;
  }
  if (IsTaken(folder_)) {
    throw BadInput("the folder is there and not empty", folder_.string(),
                   "name another with --out");
  }
  monitor_ = {
      .name = config_.name,
      .ledger_name = fmt::format("{}-{:08x}", plan::LedgerNameOf(folder_),
                                 base::SecureRandom()() & 0xffffffffu),
      .version = given_.version,
      .config_crc32c = checksum,
      .planned = given_.repeat,
      .every = given_.every};
}

// The price of all, a yes, and everything set aside before the first question.
void Monitoring::Pay(std::optional<base::FileLock>& lock) {
  const bool begun = fs::exists(folder_ / kFile);
  std::optional<dp::Ledger> ledger;
  if (!plan_.simulation) ledger.emplace(OpenLedger());
  const std::size_t over = ledger && begun ? Over(*ledger) : 0;
  const bool agreed =
      begun && (!ledger || monitor_.finished() ||
                plan::IsReserved(*ledger, plan_.Remaining(over)));
  if (!agreed) {
    std::optional<plan::LedgerPrice> price;
    // What a process that was killed had reserved already is not asked for
    // again; the sum is that of the plan.
    if (ledger && !begun) price = plan::GrantedIn(*ledger, plan_);
    plan::RequireYes(plan::PriceLines(plan_, price ? &*price : nullptr) +
                         plan::WillSeeLine(given_.power),
                     plan_.simulation || given_.yes);
  }
  if (!begun) {
    for (const std::string& remark : plan_.inspections.front().remarks) {
      base::Warning(remark);
    }
    monitor_.simulation = plan_.simulation;
    monitor_.epsilon = plan_.epsilon;
    monitor_.delta = plan_.delta;
    monitor_.noise_multiplier = plan_.noise_multiplier;
    monitor_.correction_level = config_.survey.correction_level;
    monitor_.population = plan_.inspections.front().root;
    monitor_.against = plan_.against;
    MakeFolder(lock);
    base::WriteFileAtomically(folder_ / "config.toml", config::ToToml(config_));
    plan::WritePlan(folder_, plan_);
    Write();
  }
  if (!ledger || monitor_.finished()) return;
  plan::BindToLedger(config_.data, *ledger);
  plan::CheckProvenance(*ledger, plan_.inspections.front());
  plan::Reserve(*ledger, plan_.Remaining(over));
}

// For this process alone: another may have begun while somebody thought about
// the price.
void Monitoring::MakeFolder(std::optional<base::FileLock>& lock) {
  fs::create_directories(folder_);
  lock.emplace(folder_ / kLock);
  if (fs::exists(folder_ / kFile)) {
    throw BadInput("another process has begun this monitor", folder_.string(),
                   "run the same command again to resume it");
  }
  made_ = true;
}

// Inspections that have their row, and one that gave back what its models would
// cost and was stopped before it had its row: it will say the same again.
std::size_t Monitoring::Over(dp::Ledger& ledger) const {
  const std::size_t rows = monitor_.rows.size();
  const base::Path next =
      folder_ / plan::NumberName(static_cast<std::int64_t>(rows) + 1);
  const bool told = runs::IsInspection(next) &&
                    runs::ReadInspection(next).surveyed &&
                    plan::WasGivenBack(ledger, plan_.inspections[rows]);
  return rows + (told ? 1 : 0);
}

// Does nothing for what is back already.
void Monitoring::GiveBackRefused() const {
  if (plan_.simulation) return;
  std::optional<dp::Ledger> ledger;
  for (std::size_t i = 0; i < monitor_.rows.size(); ++i) {
    if (monitor_.rows[i].verdict != runs::kRefused) continue;
    if (!ledger) ledger.emplace(OpenLedger());
    plan::GiveBack(*ledger, plan_.inspections[i]);
  }
}

config::TrainConfig Monitoring::ConfigFor(std::int64_t number) const {
  config::TrainConfig own = plan::ConfigOfRepetition(config_, plan_, number);
  std::vector<std::string> sets;
  for (const SetAt& change : given_.changes) {
    if (number >= change.first) sets.push_back(change.set);
  }
  if (sets.empty()) return own;
  const double above = own.select.above_quantile;
  const double below = own.select.below_quantile;
  own = config::ParseTrainConfig(config::ToToml(own), "--set-at", sets);
  // Later ones have the first one's thresholds (JobFor).
  own.select.above_quantile = above;
  own.select.below_quantile = below;
  return own;
}

InspectJob Monitoring::JobFor(std::int64_t number) const {
  InspectJob job{.folder = folder_ / plan::NumberName(number),
                 .config = ConfigFor(number),
                 .version = given_.version,
                 .ledger_key = given_.ledger_key,
                 .power = given_.power,
                 .series_inspections = monitor_.planned,
                 .series_epsilon = monitor_.epsilon,
                 .yes = given_.yes};
  if (!plan_.simulation) {
    job.plan = plan_.inspections[static_cast<std::size_t>(number - 1)];
  }
  if (fs::exists(folder_ / "primary" / kClassifier) &&
      job.config.select.model.empty()) {
    job.config.select.model = (folder_ / "primary").string();
    job.config.select.model_is = config::Provenance::kPublic;
  }
  if (number == 1) return job;
  // All vote as the first did: its voter was learned from the references.
  const base::Path voter =
      folder_ / plan::NumberName(1) / runs::kCensusFolder / "voter";
  if (config_.census.voter.empty() && fs::exists(voter)) {
    job.config.census.voter = voter.string();
  }
  for (auto row = monitor_.rows.rbegin(); row != monitor_.rows.rend(); ++row) {
    if (row->verdict == runs::kRefused) continue;
    job.verify = (folder_ / row->folder).string();
    break;
  }
  // The thresholds of the first one, where it asked for them.
  job.above_released = config_.select.above_quantile > 0;
  job.below_released = config_.select.below_quantile > 0;
  if (!job.above_released && !job.below_released) return job;
  const base::Path first = folder_ / plan::NumberName(1);
  const auto record = runs::IsInspection(first) ? runs::ReadInspection(first)
                                                : runs::InspectionRecord{};
  if (!record.surveyed || !record.above || !record.below) {
    throw BadInput("the first inspection told no thresholds", first.string(),
                   "give them: select.above, select.below");
  }
  job.config.select.above = record.above->value;
  job.config.select.below = record.below->value;
  return job;
}

void Monitoring::KeepPrimary(const base::Path& from) const {
  const base::Path made = from / "primary" / kClassifier;
  const base::Path kept = folder_ / "primary" / kClassifier;
  if (!fs::exists(made) || fs::exists(kept)) return;
  fs::create_directories(kept.parent_path());
  fs::copy_file(made, kept);
}

void Monitoring::RunOne(std::int64_t number) {
  const InspectJob job = JobFor(number);
  base::Note(fmt::format("Inspection {} of {}", number, monitor_.planned));
  fs::create_directories(job.folder);
  const base::FileLock lock(job.folder / runs::kInspectionLock);
  base::WriteFileAtomically(job.folder / "config.toml",
                            config::ToToml(job.config));
  InspectOutcome outcome;
  try {
    inspect_(job, outcome);
    monitor_.rows.push_back(runs::RowOf(plan::NumberName(number),
                                        outcome.record, outcome.contrast));
  } catch (const base::Interrupted& interrupted) {
    throw WithResume(interrupted);
  } catch (const Error& error) {
    if (!IsTooFew(error)) throw;
    monitor_.rows.push_back({.folder = plan::NumberName(number),
                             .verdict = runs::kRefused,
                             .why = error.what()});
    base::Warning(
        fmt::format("inspection {} was skipped: {}", number, error.what()));
  }
  if (outcome.census) runs::Enter(*outcome.census, monitor_.rows.back());
  KeepPrimary(job.folder);
  CountRepeated();
  // The row comes first: what resumes after a crash gives back by the rows.
  Write();
  GiveBackRefused();
}

// What a crash lost and this process, or one before it, did again was paid
// again.
void Monitoring::CountRepeated() {
  if (plan_.simulation) return;  // there it is the same draw
  dp::Ledger ledger = OpenLedger();
  const auto epsilon = plan::EpsilonWithRepeated(ledger, plan_);
  if (!epsilon || *epsilon == monitor_.epsilon) return;
  monitor_.epsilon = *epsilon;
  monitor_.repeated = true;
  // The pages of the inspections so far say what all of them cost together.
  for (const runs::MonitorRow& row : monitor_.rows) {
    const base::Path folder = folder_ / row.folder;
    if (!runs::IsInspection(folder)) continue;
    runs::InspectionRecord record = runs::ReadInspection(folder);
    record.privacy.series_epsilon = monitor_.epsilon;
    runs::WriteInspection(folder, record);
    if (record.status == runs::Status::kFinished) report::WriteReport(folder);
  }
}

void Monitoring::Wait(Clock::time_point start) const {
  const auto next = start + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(given_.every));
  const double left =
      std::chrono::duration<double>(next - Clock::now()).count();
  if (!(left > 0)) return;
  base::Note(
      fmt::format("The next one begins in {}", base::HumanDuration(left)));
  try {
    while (Clock::now() < next) {
      base::CheckInterrupted();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  } catch (const base::Interrupted& interrupted) {
    throw WithResume(interrupted);
  }
}

// Whether the census or the generators came to the verdict of --fail-on.
bool Monitoring::HasVerdict(const runs::MonitorRow& row) const {
  return row.verdict == given_.fail_on ||
         (!given_.fail_on.empty() && row.census_verdict == given_.fail_on);
}

bool Monitoring::MustStop() const {
  return !monitor_.rows.empty() && HasVerdict(monitor_.rows.back());
}

// The inspections after `number` are skipped, and cost nothing.
void Monitoring::StopHere(std::int64_t number) {
  monitor_.stopped = number < monitor_.planned;
  if (!plan_.simulation && monitor_.stopped) {
    dp::Ledger ledger = OpenLedger();
    for (auto i = static_cast<std::size_t>(number);
         i < plan_.inspections.size(); ++i) {
      plan::GiveBack(ledger, plan_.inspections[i]);
    }
  }
  Write();
}

void Monitoring::Write() const {
  base::WriteFileAtomically(folder_ / kFile,
                            runs::ToJson(monitor_).dump(2) + "\n");
  base::WriteFileAtomically(folder_ / "monitor.html",
                            report::MonitorPage(monitor_));
  if (monitor_.rows.empty()) return;
  base::WriteFileAtomically(
      folder_ / "monitor.svg",
      report::ToSvg(report::Draw(report::CorrectionCurve(monitor_))));
}

SeriesAnswer Monitoring::Said() const {
  const bool voted = std::ranges::any_of(
      monitor_.rows,
      [](const runs::MonitorRow& row) { return !row.census_verdict.empty(); });
  std::vector<std::string> heads = {"inspection", "verdict", "separated",
                                    "floor", "users*"};
  if (voted) heads.insert(heads.begin() + 1, "census");
  report::TextTable table(heads);
  bool asked = false;
  bool text = false;
  bool failed = false;
  for (const runs::MonitorRow& row : monitor_.rows) {
    const bool held = row.verdict != runs::kRefused;
    std::vector<std::string> cells = {
        row.folder,
        held && !row.words.empty()
            ? fmt::format("{} ({})", row.verdict, row.words)
            : row.verdict,
        held ? fmt::format("{:.2f}", row.separation.value) : "",
        held ? fmt::format("{:.2f}", row.floor) : "",
        row.correction_rate < 0
            ? runs::UnknownShareText(row)
            : fmt::format("{:.1f} % ± {:.1f}", 100 * row.correction_rate,
                          100 * row.correction_deviation)};
    if (voted) cells.insert(cells.begin() + 1, runs::CensusText(row));
    table.Add(cells);
    failed = failed || HasVerdict(row);
    asked = asked || row.correction_rate >= 0;
    text = text || !runs::UnknownShareText(row).empty();
  }
  SeriesAnswer answer{.text = table.Text(), .json = runs::ToJson(monitor_)};
  if (asked) {
    answer.text +=
        fmt::format("* share of users who {}, with the noise's deviation\n",
                    runs::CorrectingText(monitor_.correction_level));
  } else if (text) {
    answer.text += "* share of a user's words that is unknown, A → B\n";
  }
  const auto left =
      monitor_.planned - static_cast<std::int64_t>(monitor_.rows.size());
  if (monitor_.stopped) {
    answer.text += fmt::format(
        "Stopped  {} skipped{}\n",
        base::HumanCount(static_cast<std::uint64_t>(left), "inspection"),
        monitor_.simulation ? "" : "; what was set aside for them is back");
  }
  answer.text += fmt::format(
      "Costs    ε {} at δ {} for all {} inspections together ({}){}\n",
      report::BoundText(monitor_.epsilon), report::SmallText(monitor_.delta),
      monitor_.planned,
      monitor_.simulation ? "would cost: a simulation spends nothing"
      : monitor_.repeated ? plan::kIfRepeated
                          : "proven",
      monitor_.repeated ? ", with what was repeated after a stop and paid again"
                        : "");
  const base::Path page = folder_ / "monitor.html";
  answer.text += fmt::format("Report   {}", page.string());
  answer.json["folder"] = folder_.string();
  answer.json["report"] = page.string();
  if (failed) answer.exit_code = 1;
  if (std::ranges::all_of(monitor_.rows, [](const runs::MonitorRow& row) {
        return row.verdict == runs::kRefused;
      })) {
    base::Note(answer.text);
    throw BadInput(
        monitor_.rows.size() == 1
            ? "the inspection was refused: " + monitor_.rows.back().why
            : fmt::format("all {} inspections were refused, the last one: {}",
                          monitor_.rows.size(), monitor_.rows.back().why),
        folder_.string(),
        "choose wider thresholds or smaller cohorts, and another --out");
  }
  return answer;
}

SeriesAnswer Monitoring::DryRun() {
  Begin();
  Plan();
  Check();
  std::optional<plan::LedgerPrice> price;
  if (!plan_.simulation && monitor_.rows.empty() &&
      fs::exists(plan::LedgerPath(config_, /*simulation=*/false, ""))) {
    dp::Ledger ledger = OpenLedger();
    plan::CheckProvenance(ledger, plan_.inspections.front());
    price = plan::GrantedIn(ledger, plan_);  // or says what would fit
  }
  std::string remarks;
  for (const std::string& remark : plan_.inspections.front().remarks) {
    remarks += fmt::format("But      {}\n", remark);
  }
  return {.text = plan::PriceLines(plan_, price ? &*price : nullptr) + remarks +
                  plan::WillSeeLine(given_.power) +
                  "Nothing was asked or trained: --dry-run",
          .json = {{"epsilon", plan_.epsilon},
                   {"delta", plan_.delta},
                   {"noise_multiplier", plan_.noise_multiplier},
                   {"inspections", plan_.inspections.size()},
                   {"epsilon_of_first", plan_.inspections.front().epsilon},
                   {"simulation", plan_.simulation},
                   {"trained", false}}};
}

SeriesAnswer Monitoring::Run() {
  // One process at a time.
  std::optional<base::FileLock> lock;
  if (fs::exists(folder_ / kFile)) lock.emplace(folder_ / kLock);
  Begin();
  Plan();
  Check();
  try {
    Work(lock);
  } catch (const base::Interrupted&) {
    throw;  // what was done is kept
  } catch (const std::exception&) {
    if (made_ && NothingIsSpent()) Clear();
    throw;
  }
  return Said();
}

// Whether not even the first inspection has begun.
bool Monitoring::NothingIsSpent() const {
  const base::Path first = folder_ / plan::NumberName(1);
  return monitor_.rows.empty() &&
         !(runs::IsInspection(first) &&
           !runs::ReadInspection(first).ledger_name.empty());
}

// Of one that failed before anything was asked nothing stays.
void Monitoring::Clear() {
  if (!plan_.simulation && fs::exists(folder_ / kFile)) {
    dp::Ledger ledger = OpenLedger();
    plan::GiveBack(ledger, plan_);
  }
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Monitoring::Work(std::optional<base::FileLock>& lock) {
  const auto held = [&] {
    return static_cast<std::int64_t>(monitor_.rows.size());
  };
  // A crash may have come between the last row and what follows from it.
  GiveBackRefused();
  const double before = monitor_.epsilon;
  if (fs::exists(folder_ / kFile)) CountRepeated();
  if (monitor_.epsilon != before) Write();
  if (!monitor_.finished() && MustStop()) StopHere(held());
  Pay(lock);
  while (!monitor_.finished()) {
    const auto start = Clock::now();
    RunOne(held() + 1);
    if (MustStop()) StopHere(held());
    if (!monitor_.finished()) Wait(start);
  }
}

}  // namespace

double ParseDuration(std::string_view text, const std::string& option) {
  const std::string_view units = "smhd";
  const double seconds[] = {1, 60, 3600, 86400};
  const auto unit =
      text.empty() ? std::string_view::npos : units.find(text.back());
  const auto number =
      unit == std::string_view::npos
          ? std::nullopt
          : base::ParseNumber<double>(text.substr(0, text.size() - 1));
  const double time = number ? *number * seconds[unit] : -1;
  if (!(time >= 0 && time <= kLongest)) {
    throw BadInput(fmt::format("'{}' is no time span", text), option,
                   "give a number and a unit: 90s, 10m, 2h, 1d");
  }
  return time;
}

SetAt ParseSetAt(std::string_view text) {
  const auto colon = std::min(text.find(':'), text.size());
  const auto first = base::ParseNumber<std::int64_t>(text.substr(0, colon));
  const std::string set(text.substr(std::min(colon + 1, text.size())));
  if (!first || *first < 1 || !set.starts_with("data.") ||
      set.find('=') == std::string::npos) {
    throw BadInput(fmt::format("'{}' is no change of the data", text),
                   "--set-at", "NUMBER:data.KEY=VALUE: 3:data.bug_share=0.5");
  }
  return {.first = *first, .set = set};
}

SeriesAnswer RunMonitor(const config::TrainConfig& config,
                        const MonitorGiven& given, const base::Path& folder,
                        const InspectFunction& inspect) {
  Monitoring monitoring(config, given, folder, inspect);
  return given.dry_run ? monitoring.DryRun() : monitoring.Run();
}

}  // namespace sfumato::inspect
