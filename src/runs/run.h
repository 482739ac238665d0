// A run's folder: what was asked, on what, and how far it got.
//
//   Run run = Run::Create("runs/first", config, {.version = "0.1.0"});
//   // Once the data is open:
//   run.Start({.version = "0.1.0", .simulation = true, .threads = 2});
//   Metrics metrics = Metrics::Open(run.metrics_path(), run.gate());
//   run.SetStatus(Status::kFinished);
//
// The folder holds run.json and config.toml before anything else happens, and
// is locked while a Run lives. docs/run_format.md has every file and key.
// Of the machine only RunFacts is written: no names of hosts or people, no
// paths, no times.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/file.h"
#include "config/train_config.h"
#include "runs/gate.h"

namespace sfumato::runs {

// In a run's folder, locked by the process that writes it.
inline constexpr const char* kRunLock = "run.lock";

enum class Status { kCreated, kRunning, kFinished, kInterrupted, kFailed };
std::string_view Name(Status status);  // "created", …

// Facts about the process that last worked on a run.
struct RunFacts {
  std::string version = "";  // of the program
  bool simulation = false;   // data is generated or public; seeded
  std::int64_t cpu_count = 0;
  std::string device_kind = "";  // "cpu", "cuda"
  std::string device_name = "";  // "NVIDIA H200"
  std::string libtorch_version = "";
  std::int64_t threads = 0;  // clients at a time, as it was set up: the same
  std::int64_t lanes = 0;    // numbers on the same machine give the same bits
  std::int64_t ranks = 1;
  std::string ledger_run = "";   // the run's name in its population's ledger
  std::string data_crc32c = "";  // of the description of the data it began with

  bool operator==(const RunFacts&) const = default;
};

// What a run's folder holds; it can be read while the run is written.
struct RunRecord {
  Status status = Status::kCreated;
  bool started = false;  // whether facts.simulation is known
  RunFacts facts = {};
  config::TrainConfig config = {};
  std::string config_crc32c = "";  // of config.toml as it was written

  Gate gate() const {
    return started && facts.simulation ? Gate::Simulation()
                                       : Gate::PrivateData();
  }
};

// Throws BadInput when `folder` holds no run, Unsupported when a newer program
// wrote it, Corrupt when it is damaged or its config was changed since.
RunRecord ReadRun(const base::Path& folder);

class Run {
 public:
  // Throws BadInput if `folder` exists and is not empty, Unavailable if it
  // cannot be written or another process is creating it. Reuses what a process
  // left that was killed before the run existed.
  static Run Create(const base::Path& folder, const config::TrainConfig& config,
                    const RunFacts& facts);
  // Throws BadInput as Create; creates nothing.
  static void CheckFree(const base::Path& folder);
  // Opens a run to resume it. Throws as ReadRun, and Unavailable if another
  // process is writing it.
  static Run Open(const base::Path& folder);

  // Records whether this is a simulation and sets the status to `running`.
  // Throws BadInput if the run was started before as the other kind.
  void Start(const RunFacts& facts);
  void SetStatus(Status status);

  const base::Path& path() const { return folder_; }
  base::Path metrics_path() const { return folder_ / "metrics.jsonl"; }
  base::Path checkpoints_path() const { return folder_ / "checkpoints"; }
  base::Path samples_path() const { return folder_ / "samples"; }
  base::Path tensorboard_path() const { return folder_ / "tb"; }
  const config::TrainConfig& config() const { return record_.config; }
  const RunFacts& facts() const { return record_.facts; }
  Status status() const { return record_.status; }
  Gate gate() const { return record_.gate(); }

 private:
  Run(base::Path folder, base::FileLock lock, RunRecord record);
  void WriteRecord() const;

  base::Path folder_;
  base::FileLock lock_;
  RunRecord record_;
};

// The default folder for a run without --out, new and below `parent`:
// 2026-11-15_0319_name (UTC), with -2, -3 … if taken.
base::Path NewRunFolder(const base::Path& parent, std::string_view name,
                        std::chrono::sys_seconds now);

}  // namespace sfumato::runs
