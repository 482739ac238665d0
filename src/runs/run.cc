#include "runs/run.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <stdexcept>
#include <utility>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/json.h"
#include "base/schema.h"
#include "fmt/format.h"

namespace sfumato::runs {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr std::string_view kSchema = "sfumato.run/1";
constexpr std::array kStatuses = {Status::kCreated, Status::kRunning,
                                  Status::kFinished, Status::kInterrupted,
                                  Status::kFailed};
constexpr std::uint64_t kMostBytes = 1 << 20;

base::Path RecordPath(const base::Path& folder) { return folder / "run.json"; }
base::Path ConfigPath(const base::Path& folder) {
  return folder / "config.toml";
}
base::Path LockPath(const base::Path& folder) { return folder / kRunLock; }

bool Exists(const base::Path& path) {
  std::error_code unknown;  // what cannot be looked at is not there
  return fs::exists(path, unknown);
}

std::string Checksum(std::string_view text) {
  return fmt::format("{:08x}", base::Crc32c(text));
}

json ToJson(const RunRecord& record) {
  const RunFacts& facts = record.facts;
  return {
      {"schema", kSchema},
      {"status", Name(record.status)},
      {"version", facts.version},
      {"simulation", record.started ? json(facts.simulation) : json()},
      {"seed", record.config.seed},
      {"config_crc32c", record.config_crc32c},
      {"machine",
       {{"cpu_count", facts.cpu_count},
        {"device_kind", facts.device_kind},
        {"device_name", facts.device_name},
        {"libtorch_version", facts.libtorch_version}}},
      {"setup",
       {{"threads", facts.threads},
        {"lanes", facts.lanes},
        {"ranks", facts.ranks}}},
      {"ledger_run", facts.ledger_run},
      {"data_crc32c", facts.data_crc32c},
  };
}

// The whole record but its config. Throws std::exception on anything odd.
RunRecord FromJson(const json& j) {
  RunRecord record;
  const auto status = j.at("status").get<std::string>();
  const auto* known = std::find_if(kStatuses.begin(), kStatuses.end(),
                                   [&](Status s) { return Name(s) == status; });
  if (known == kStatuses.end()) {
    throw std::invalid_argument(fmt::format("status is '{}'", status));
  }
  record.status = *known;
  record.started = !j.at("simulation").is_null();
  record.config_crc32c = j.at("config_crc32c").get<std::string>();
  const json& machine = j.at("machine");
  const json& setup = j.at("setup");
  record.facts = {
      .version = j.at("version").get<std::string>(),
      .simulation = record.started && j.at("simulation").get<bool>(),
      .cpu_count = machine.at("cpu_count").get<std::int64_t>(),
      .device_kind = machine.at("device_kind").get<std::string>(),
      .device_name = machine.at("device_name").get<std::string>(),
      .libtorch_version = machine.at("libtorch_version").get<std::string>(),
      .threads = setup.at("threads").get<std::int64_t>(),
      .lanes = setup.at("lanes").get<std::int64_t>(),
      .ranks = setup.at("ranks").get<std::int64_t>(),
      .ledger_run = j.at("ledger_run").get<std::string>(),
      .data_crc32c = j.at("data_crc32c").get<std::string>(),
  };
  return record;
}

void CheckSchema(const json& j, const std::string& where) {
  const std::string schema =
      j.is_object() && j.contains("schema") && j["schema"].is_string()
          ? j["schema"].get<std::string>()
          : "";
  if (schema == kSchema) return;
  if (base::IsOtherVersion(schema, kSchema)) {
    throw Unsupported(fmt::format("another version of the program wrote it: "
                                  "schema {}, and this one reads {}",
                                  schema, kSchema),
                      where, "use that version");
  }
  throw Corrupt("not the record of a run", where,
                "restore the file, or begin another run");
}

// Why there is no run.json.
Error NoRun(const base::Path& folder) {
  if (!Exists(folder)) {
    return BadInput("no such run", folder.string(), "check the path");
  }
  if (Exists(folder / "metrics.jsonl") || Exists(folder / "checkpoints")) {
    return Corrupt("run.json is missing", folder.string(),
                   "restore the file, or begin another run");
  }
  if (Exists(LockPath(folder))) {
    return BadInput("the run was ended before it began", folder.string(),
                    "train again with the same --out");
  }
  return BadInput("is not the folder of a run: there is no run.json",
                  folder.string(), "check the path");
}

RunRecord ReadRecord(const base::Path& folder) {
  const std::string where = RecordPath(folder).string();
  const json j =
      base::ParseJson(base::ReadFile(RecordPath(folder), kMostBytes));
  CheckSchema(j, where);
  try {
    RunRecord record = FromJson(j);
    const std::string config = base::ReadFile(ConfigPath(folder), kMostBytes);
    if (Checksum(config) != record.config_crc32c) {
      throw Corrupt("was changed since the run was made",
                    ConfigPath(folder).string(),
                    "undo the change, or begin another run with it");
    }
    record.config =
        config::ParseTrainConfig(config, ConfigPath(folder).string());
    return record;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kBadInput) throw;
    throw Corrupt(error.what(), error.where(),
                  "restore the file, or begin another run");
  } catch (const std::exception& error) {
    throw Corrupt(fmt::format("damaged: {}", error.what()), where,
                  "restore the file, or begin another run");
  }
}

// Whether nothing is there but what Create itself makes first.
bool IsFree(const base::Path& folder) {
  const bool begun = Exists(LockPath(folder));
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
    const std::string name = entry.path().filename().string();
    const bool ours = name == kRunLock || name == "config.toml" ||
                      name.starts_with(".config.toml.partial-") ||
                      name.starts_with(".run.json.partial-");
    if (!begun || !ours) return false;
  }
  return !unreadable;
}

// REQUIRES: something is there.
void RequireFolder(const base::Path& folder) {
  std::error_code unknown;
  if (fs::is_directory(folder, unknown)) return;
  throw BadInput("is not a folder", folder.string(), "choose another --out");
}

void MakeFolder(const base::Path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (Exists(folder)) RequireFolder(folder);
  if (failure) {
    throw Unavailable(fmt::format("cannot make it: {}", failure.message()),
                      folder.string(), "choose a place that can be written");
  }
}

void RequireFree(const base::Path& folder) {
  if (IsFree(folder)) return;
  throw BadInput("already exists", folder.string(),
                 Exists(RecordPath(folder))
                     ? "resume it with sfumato resume, or choose another --out"
                     : "choose another --out");
}

}  // namespace

std::string_view Name(Status status) {
  switch (status) {
    case Status::kCreated:
      return "created";
    case Status::kRunning:
      return "running";
    case Status::kFinished:
      return "finished";
    case Status::kInterrupted:
      return "interrupted";
    case Status::kFailed:
      break;
  }
  return "failed";
}

RunRecord ReadRun(const base::Path& folder) {
  if (!Exists(RecordPath(folder))) throw NoRun(folder);
  return ReadRecord(folder);
}

Run::Run(base::Path folder, base::FileLock lock, RunRecord record)
    : folder_(std::move(folder)),
      lock_(std::move(lock)),
      record_(std::move(record)) {}

void Run::CheckFree(const base::Path& folder) {
  if (!Exists(folder)) return;
  RequireFolder(folder);
  RequireFree(folder);
}

Run Run::Create(const base::Path& folder, const config::TrainConfig& config,
                const RunFacts& facts) {
  MakeFolder(folder);
  RequireFree(folder);
  const std::string toml = config::ToToml(config);
  Run run(folder, base::FileLock(LockPath(folder)),
          {.facts = facts, .config = config, .config_crc32c = Checksum(toml)});
  RequireFree(folder);  // somebody else may have had the lock before
  base::SweepPartialFiles(folder);
  // run.json last: where it is, the rest is.
  base::WriteFileAtomically(ConfigPath(folder), toml);
  run.WriteRecord();
  return run;
}

Run Run::Open(const base::Path& folder) {
  if (!Exists(RecordPath(folder))) throw NoRun(folder);
  base::FileLock lock(LockPath(folder));
  base::SweepPartialFiles(folder);
  return {folder, std::move(lock), ReadRecord(folder)};
}

void Run::Start(const RunFacts& facts) {
  if (record_.started && record_.facts.simulation != facts.simulation) {
    throw BadInput(
        facts.simulation
            ? "the run was begun on private data, which now count as generated "
              "or public"
            : "the run was begun as a simulation, and its data now count as "
              "private",
        folder_.string(), "begin another run");
  }
  record_.facts = facts;
  record_.started = true;
  SetStatus(Status::kRunning);
}

void Run::SetStatus(Status status) {
  record_.status = status;
  WriteRecord();
}

void Run::WriteRecord() const {
  base::WriteFileAtomically(RecordPath(folder_),
                            ToJson(record_).dump(2) + "\n");
}

base::Path NewRunFolder(const base::Path& parent, std::string_view name,
                        std::chrono::sys_seconds now) {
  constexpr std::size_t kMostLetters = 64;
  std::string safe;
  for (const char c : name.substr(0, kMostLetters)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       (c >= '0' && c <= '9') || c == '-' || c == '.';
    safe += plain ? c : '_';
  }
  const std::time_t time = std::chrono::system_clock::to_time_t(now);
  std::tm utc = {};
  gmtime_r(&time, &utc);
  const std::string stem = fmt::format(
      "{:04}-{:02}-{:02}_{:02}{:02}_{}", utc.tm_year + 1900, utc.tm_mon + 1,
      utc.tm_mday, utc.tm_hour, utc.tm_min, safe.empty() ? "run" : safe);
  base::Path folder = parent / stem;
  for (int n = 2; fs::exists(fs::symlink_status(folder)); ++n) {
    folder = parent / fmt::format("{}-{}", stem, n);
  }
  return folder;
}

}  // namespace sfumato::runs
