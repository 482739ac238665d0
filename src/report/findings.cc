#include "report/findings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <set>

#include "base/ascii.h"
#include "base/error.h"
#include "base/json_lines.h"
#include "base/safetensors.h"
#include "config/config_fields.h"
#include "dp/accounting/accountant.h"
#include "dp/accounting/overloaded.h"
#include "fmt/format.h"
#include "runs/checkpoint.h"

namespace sfumato::report {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

// Outside simulations these may be shown, and no others: they were released,
// are computed from what was, or are functions of config and rounds.
constexpr std::array<std::string_view, 9> kShownAnywhere = {
    "epsilon",      "delta",          "noise_multiplier",
    "clip_norm",    "update_norm",    "signal_to_noise",
    "share_within", "generator_loss", "batch_spread"};

// `simulation`: the inspection is one, too; a run alone cannot say so.
void ReadMetrics(const base::Path& path, bool simulation, RunFindings& run) {
  if (!fs::exists(path)) return;
  const bool all = simulation && run.record.gate().simulation();
  try {
    base::ReadJsonLines(path, [&](const json& line, int) {
      const auto round = line.at("round").get<std::int64_t>();
      run.rounds_done = std::max(run.rounds_done, round);
      for (const auto& [key, value] : line.items()) {
        if (key == "round" || !value.is_number() ||
            !(all || IsShownAnywhere(key)))
          continue;
        run.curves[key].push_back({round, value.get<double>()});
      }
    });
  } catch (const json::exception& error) {
    throw Corrupt(fmt::format("damaged: {}", error.what()), path.string(),
                  "restore the file, or begin another run");
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kBadInput) throw;
    throw Corrupt(error.what(), error.where(),
                  "restore the file, or begin another run");
  }
}

// A process that was killed could not say so: what is under way, and nobody
// held its lock before that was read, was interrupted.
void CorrectStatus(bool held, runs::Status& status) {
  const bool under_way =
      status == runs::Status::kCreated || status == runs::Status::kRunning;
  if (under_way && !held) status = runs::Status::kInterrupted;
}

runs::RunRecord ReadRunNow(const base::Path& folder) {
  const bool held = base::IsHeld(folder / runs::kRunLock);
  runs::RunRecord record = runs::ReadRun(folder);
  CorrectStatus(held, record.status);
  return record;
}

// Nothing where there is no run yet.
std::optional<RunFindings> ReadOneRun(const base::Path& folder,
                                      const std::string& name,
                                      bool simulation) {
  if (!fs::exists(folder / "run.json")) return std::nullopt;
  RunFindings run{.name = name, .record = ReadRunNow(folder)};
  ReadMetrics(folder / "metrics.jsonl", simulation, run);
  return run;
}

void LeaveOut(std::optional<runs::Sourced>& value) {
  if (value && value->source == "simulation_only") value.reset();
}

void LeaveOut(runs::Sourced& value) {
  if (value.source != "simulation_only") return;
  value = {.value = std::numeric_limits<double>::quiet_NaN(),
           .source = "not released"};
}

// Rule 7: outside simulation what no mechanism made is not shown.
void LeaveOutSimulationOnly(runs::InspectionRecord& record) {
  record.simulation_only = nullptr;
  LeaveOut(record.above);
  LeaveOut(record.below);
  LeaveOut(record.correction_rate);
  LeaveOut(record.a.users);
  LeaveOut(record.b.users);
  for (std::optional<runs::HistogramRecord>* bars :
       {&record.histogram, &record.unknown_a, &record.unknown_b}) {
    if (*bars && (*bars)->source == "simulation_only") bars->reset();
  }
}

std::string ConfigWithoutPlaces(config::TrainConfig config) {
  for (const config::Field* input : config::Inputs()) {
    std::string& path = *std::get<std::string*>(input->slot(config));
    path = WithoutPlace(path);
  }
  return config::ToToml(config);
}

std::string ReadConfig(const base::Path& path) {
  try {
    return ConfigWithoutPlaces(config::ReadTrainConfig(path));
  } catch (const Error& error) {
    throw Corrupt(error.what(), error.where(),
                  "restore the file; the inspection wrote it");
  }
}

void CheckHistogram(const std::optional<runs::HistogramRecord>& bars,
                    const std::string& where) {
  if (!bars) return;
  const runs::HistogramRecord& histogram = *bars;
  const auto finite = [](double value) { return std::isfinite(value); };
  if (histogram.counts.empty() ||
      histogram.edges.size() != histogram.counts.size() + 1 ||
      !std::ranges::all_of(histogram.edges, finite) ||
      !std::ranges::all_of(histogram.counts, finite) ||
      std::ranges::adjacent_find(histogram.edges, std::greater_equal()) !=
          histogram.edges.end()) {
    throw Corrupt("a histogram whose edges and bars do not fit", where,
                  "the file was changed by hand");
  }
}

// Drawn images per model on the map; more would not show more.
constexpr std::size_t kMostPoints = 300;

void ThinMap(std::vector<runs::MapPoint>& map) {
  std::map<std::string, std::size_t> all;
  for (const runs::MapPoint& point : map) ++all[point.model];
  std::map<std::string, std::size_t> seen;
  std::erase_if(map, [&](const runs::MapPoint& point) {
    const std::size_t total = all[point.model];
    const std::size_t i = seen[point.model]++;
    return total > kMostPoints &&
           i * kMostPoints / total == (i + 1) * kMostPoints / total;
  });
  for (runs::MapPoint& point : map) {
    point.x = std::round(point.x * 1e4) / 1e4;
    point.y = std::round(point.y * 1e4) / 1e4;
  }
}

void ReadContrast(const base::Path& folder, Findings& findings) {
  if (!runs::HasContrast(folder)) {
    findings.missing.push_back(
        "The models were not compared yet: there is no verdict, no hypothesis "
        "and no number of the contrast.");
    return;
  }
  findings.contrast = runs::ReadContrast(folder);
  if (!findings.record.simulation) findings.contrast->simulation_only = nullptr;
  ThinMap(findings.contrast->map);
}

void ReadRuns(const base::Path& folder, Findings& findings) {
  for (const runs::SideRecord* side :
       {&findings.record.a, &findings.record.b}) {
    for (const std::string& name : side->runs) {
      if (name.empty() || base::Path(name).filename() != name) {
        throw Corrupt(fmt::format("'{}' is not the folder of a run", name),
                      (folder / "inspection.json").string(),
                      "the file was changed by hand");
      }
      auto run = ReadOneRun(folder / name, name, findings.record.simulation);
      if (!run) {
        findings.missing.push_back(
            fmt::format("Model {} was not begun.", name));
        continue;
      }
      if (run->record.status != runs::Status::kFinished) {
        findings.missing.push_back(fmt::format("Model {} has {} of {} rounds.",
                                               name, run->rounds_done,
                                               run->record.config.rounds));
      }
      findings.runs.push_back(*std::move(run));
    }
  }
}

// The census that came first, if there is one.
void ReadVotes(const base::Path& folder, Findings& findings) {
  const base::Path votes = folder / runs::kCensusFolder;
  if (!runs::IsCensus(votes)) return;
  findings.votes = runs::ReadCensus(votes);
  runs::CensusRecord& record = *findings.votes;
  if (!findings.record.simulation) record.simulation_only = nullptr;
  record.data = WithoutPlace(record.data);
  record.reference.words = WithoutPlace(record.reference.words);
  if (!record.answer) {
    findings.missing.push_back("The census has no answer yet.");
  }
}

Findings ReadInspectionFolder(const base::Path& folder) {
  const bool held = base::IsHeld(folder / runs::kInspectionLock);
  Findings findings{.record = runs::ReadInspection(folder)};
  CorrectStatus(held, findings.record.status);
  CheckHistogram(findings.record.histogram,
                 (folder / "inspection.json").string());
  CheckHistogram(findings.record.unknown_a,
                 (folder / "inspection.json").string());
  CheckHistogram(findings.record.unknown_b,
                 (folder / "inspection.json").string());
  if (!findings.record.simulation) LeaveOutSimulationOnly(findings.record);
  if (findings.record.earlier) {
    findings.record.earlier->folder =
        WithoutPlace(findings.record.earlier->folder);
  }
  ReadVotes(folder, findings);
  ReadRuns(folder, findings);
  ReadContrast(folder, findings);
  if (fs::exists(folder / "config.toml")) {
    findings.config = ReadConfig(folder / "config.toml");
  }
  return findings;
}

double LastOf(const RunFindings& run, const std::string& key) {
  const auto found = run.curves.find(key);
  return found == run.curves.end() || found->second.empty()
             ? 0
             : found->second.back().value;
}

// What the newest checkpoint's label says of its price.
void ReadLabel(const base::Path& folder, Findings& findings) {
  const auto latest = runs::LatestCheckpoint(folder / "checkpoints");
  if (!latest) {
    findings.missing.push_back("There is no checkpoint yet.");
    return;
  }
  const base::SafetensorsFile file(latest->path);
  const auto text = [&](const char* key) {
    const auto found = file.metadata().find(key);
    return found == file.metadata().end() ? std::string() : found->second;
  };
  runs::PrivacyRecord& privacy = findings.record.privacy;
  privacy.epsilon = base::ParseNumber<double>(text("epsilon"))
                        .value_or(std::numeric_limits<double>::infinity());
  findings.unprotected = !std::isfinite(privacy.epsilon);
  privacy.delta = base::ParseNumber<double>(text("delta")).value_or(0);
  privacy.unit = text("unit");
  privacy.adjacency = text("adjacency");
  privacy.proof = text("proof");
  privacy.repeated = text("repeated") == "true";
  privacy.ledger_head = text("ledger_head");
}

void ReadWritings(const base::Path& folder, RunFindings& run) {
  if (!config::ModelsLanguage(run.record.config)) return;
  const auto sets = runs::TextSamplesIn(folder / "samples");
  if (sets.empty()) return;
  run.writings.push_back(runs::ReadTextSamples(sets.front()));
  if (sets.size() > 1) {
    run.writings.push_back(runs::ReadTextSamples(sets.back()));
  }
}

Findings ReadPlainRun(const base::Path& folder) {
  Findings findings{.inspection = false};
  RunFindings run{.record = ReadRunNow(folder)};
  run.name = run.record.config.name;
  ReadMetrics(folder / "metrics.jsonl", /*simulation=*/true, run);
  ReadWritings(folder, run);
  const config::TrainConfig& config = run.record.config;
  runs::InspectionRecord& record = findings.record;
  record.status = run.record.status;
  record.version = run.record.facts.version;
  record.name = config.name;
  record.simulation = run.record.gate().simulation();
  record.data = config.data.generate.empty() ? WithoutPlace(config.data.path)
                                             : config.data.generate;
  record.privacy.against = dp::HoldsAgainst(
      {.secret_draw = config.cohort.sampling != config::Sampling::kEveryone});
  record.privacy.seeded = record.simulation;
  record.privacy.population = config.privacy.population;
  record.privacy.noise_multiplier = LastOf(run, "noise_multiplier");
  record.privacy.cohort = config.cohort.size;
  record.privacy.rounds = config.rounds;
  findings.unprotected =
      run.rounds_done > 0 && !config::Protects(config.algorithm);
  ReadLabel(folder, findings);
  if (record.status != runs::Status::kFinished) {
    findings.missing.push_back(fmt::format("{} of {} rounds are done.",
                                           run.rounds_done, config.rounds));
  }
  findings.config = ConfigWithoutPlaces(config);
  findings.runs.push_back(std::move(run));
  return findings;
}

}  // namespace

Findings ReadFindings(const base::Path& folder) {
  Findings findings = runs::IsInspection(folder) ? ReadInspectionFolder(folder)
                                                 : ReadPlainRun(folder);
  findings.folder =
      base::NormalFolder(fs::absolute(folder)).filename().string();
  return findings;
}

std::vector<ConfigDifference> UnmatchedKeys(
    const std::vector<RunFindings>& runs) {
  // Each model has its own place in the ledger, and of a larger side each user
  // is drawn less often.
  const std::set<std::string> meant = {"name",
                                       "seed",
                                       "select.side",
                                       "select.half",
                                       "privacy.population",
                                       "cohort.population"};
  std::vector<ConfigDifference> differences;
  for (const config::Field& field : config::Fields()) {
    if (meant.contains(field.FullKey())) continue;
    ConfigDifference difference{.key = field.FullKey()};
    bool equal = true;
    std::map<std::string, std::string> first;  // of text by kind of model
    for (const RunFindings& run : runs) {
      config::TrainConfig config = run.record.config;
      const bool two_states = config.select.by == config::By::kBeforeAfter;
      if (two_states && difference.key == "data.path") config.data.path = "";
      const std::string kind =
          config::ModelsLanguage(config) ? config.model.name : "";
      difference.values.push_back(std::visit(
          dp::Overloaded{
              [](const std::optional<double>* value) {
                return *value ? fmt::format("{}", **value) : "not given";
              },
              [](const config::Choice& value) { return value.Word(); },
              [](const auto* value) { return fmt::format("{}", *value); }},
          field.slot(config)));
      const auto& value =
          first.try_emplace(kind, difference.values.back()).first->second;
      equal = equal && difference.values.back() == value;
    }
    if (!equal) differences.push_back(difference);
  }
  return differences;
}

bool IsShownAnywhere(std::string_view key) {
  return std::ranges::find(kShownAnywhere, key) != kShownAnywhere.end();
}

std::string WithoutPlace(const std::string& path) {
  const base::Path given(path);
  if (!given.is_absolute()) return path;
  return "…/" + base::NormalFolder(given).filename().string();
}

}  // namespace sfumato::report
