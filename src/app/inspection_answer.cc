#include "app/inspection_answer.h"

#include <filesystem>

#include "app/config_options.h"
#include "app/torch_part.h"
#include "app/version.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/launcher.h"
#include "base/progress.h"
#include "config/train_config.h"
#include "fmt/format.h"
#include "inspect/series/sweep.h"
#include "report/page.h"
#include "runs/census.h"
#include "runs/writable_folder.h"

namespace sfumato::app {
namespace {

namespace fs = std::filesystem;

void RefuseLaunchers() {
  if (!base::LaunchedRank()) return;
  throw Unsupported("an inspection over several processes", "mpirun",
                    "start it without the launcher: device.threads and "
                    "device.lanes use one machine whole");
}

// Whether it has a price that somebody agreed to: it stays, whatever happens.
bool IsBegun(const base::Path& folder) {
  return !runs::ReadInspection(folder).ledger_name.empty();
}

constexpr const char* kConfig = "config.toml";

bool IsTaken(const base::Path& folder) {
  return !runs::IsInspection(folder) &&
         runs::HoldsOtherFiles(folder, runs::kInspectionLock);
}

// Whether there was nothing in it before. Throws Unavailable.
bool MadeFolder(const base::Path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed || !fs::is_directory(folder)) {
    throw Unavailable("the folder cannot be made", folder.string(),
                      "choose another with --out");
  }
  return fs::is_empty(folder);
}

// One process at a time, from an empty folder or from where another one was
// stopped.
base::FileLock HoldFolder(const base::Path& folder,
                          const config::TrainConfig& config) {
  base::FileLock lock(folder / runs::kInspectionLock);
  if (!runs::IsInspection(folder)) {
    base::WriteFileAtomically(folder / kConfig, config::ToToml(config));
    runs::WriteInspection(folder, {.version = kVersion, .name = config.name});
  }
  return lock;
}

// What was released is paid for, so it resumes once the cause is fixed.
Error WithResume(const Error& error, const base::Path& folder) {
  return Error(error.kind(), error.what(), error.where(),
               fmt::format("{}{}then resume what is done: sfumato resume {}",
                           error.todo(), error.todo().empty() ? "" : "; ",
                           folder.string()));
}

// A folder that this process made goes away again when nothing was begun: bad
// input, no consent. What an interrupt says is saved stays.
void InspectOrClear(const inspect::InspectJob& job, bool made,
                    inspect::InspectOutcome& outcome) {
  const auto clear = [&](bool stays) {
    std::error_code ignored;
    if (made && !stays) fs::remove_all(job.folder, ignored);
  };
  try {
    TorchFunction<decltype(inspect::SfumatoInspect)>("SfumatoInspect")(
        &job, &outcome);
  } catch (const base::Interrupted&) {
    clear(!outcome.record.stage.empty());
    throw;
  } catch (const Error& error) {
    const bool stays = IsBegun(job.folder);
    clear(stays);
    if (!stays || inspect::IsTooFew(error)) throw;
    throw WithResume(error, job.folder);
  } catch (const std::exception&) {
    clear(IsBegun(job.folder));
    throw;
  }
}

std::string VerifiedLine(const inspect::InspectOutcome& outcome) {
  const runs::InspectionRecord& record = outcome.record;
  if (!record.earlier) return "";
  const std::string votes =
      outcome.census && outcome.census->answer
          ? runs::CensusVerifiedText(*record.earlier, *outcome.census->answer) +
                " "
          : "";
  const std::string before = record.earlier->hypothesis.empty()
                                 ? record.earlier->verdict
                                 : record.earlier->hypothesis;
  return fmt::format("Verified against {} ({}): {}{}{}\n",
                     record.earlier->folder, before, votes,
                     votes.empty() ? "" : "Generators: ",
                     runs::VerifiedText(*record.earlier, outcome.contrast));
}

// What the census said, if there was one; null otherwise.
nlohmann::json CensusJson(const inspect::InspectOutcome& outcome) {
  if (!outcome.census || !outcome.census->answer) return nullptr;
  nlohmann::json json = runs::AnswerJson(*outcome.census);
  if (outcome.record.earlier) {
    json["verified"] = runs::CensusVerifiedAs(*outcome.record.earlier,
                                              *outcome.census->answer);
  }
  return json;
}

// Whether the census or the generators came to that verdict.
bool HasVerdict(const inspect::InspectOutcome& outcome,
                const std::string& verdict) {
  return verdict == runs::Name(outcome.contrast.verdict) ||
         (outcome.census && outcome.census->answer &&
          verdict == census::Name(outcome.census->answer->verdict));
}

}  // namespace

inspect::InspectJob JobOf(const base::Path& folder) {
  return {.folder = folder,
          .config = config::ReadTrainConfig(folder / kConfig),
          .version = kVersion};
}

void CheckFolder(const base::Path& folder, const config::TrainConfig& config) {
  RefuseLaunchers();
  if (IsTaken(folder)) {
    throw BadInput("the folder is there and not empty", folder.string(),
                   "name another with --out");
  }
  if (runs::IsInspection(folder) &&
      !(config::ReadTrainConfig(folder / kConfig) == config)) {
    throw BadInput("an inspection with another config is there",
                   folder.string(),
                   "name another folder with --out, or resume that one: "
                   "sfumato resume " +
                       folder.string());
  }
  runs::RequireWritableFolder(folder);
}

Answer InspectInto(const base::Path& folder, const inspect::InspectJob& job,
                   const std::string& fail_on) {
  CheckFolder(folder, job.config);
  const bool made = MadeFolder(folder);
  const base::FileLock lock = HoldFolder(folder, job.config);
  inspect::InspectOutcome outcome;
  InspectOrClear(job, made, outcome);
  const report::Report report = report::MakeReport(folder);
  const base::Path page = folder / "report.html";
  const runs::InspectionRecord& record = outcome.record;
  Answer answer;
  answer.text = report.summary;
  if (!answer.text.empty() && answer.text.back() != '\n') answer.text += '\n';
  answer.text += VerifiedLine(outcome);
  answer.text += fmt::format("Report   {}   ({})", page.string(),
                             base::HumanBytes(report.html.size()));
  answer.json = {{"folder", folder.string()},
                 {"report", page.string()},
                 {"census", CensusJson(outcome)},
                 {"verdict", runs::Name(outcome.contrast.verdict)},
                 {"sentence", outcome.contrast.sentence},
                 {"told_apart", outcome.contrast.separation.value},
                 {"told_apart_floor", outcome.contrast.separation_floor},
                 {"epsilon", record.privacy.epsilon},
                 {"delta", record.privacy.delta},
                 {"simulation", record.simulation},
                 {"hypotheses", nlohmann::json::array()}};
  for (const runs::Hypothesis& hypothesis : outcome.contrast.hypotheses) {
    if (!hypothesis.supported) continue;
    answer.json["hypotheses"].push_back(
        {{"key", hypothesis.key},
         {"words", hypothesis.words},
         {"explained", hypothesis.explained.value},
         {"affected", hypothesis.affected}});
  }
  if (record.earlier) {
    answer.json["verified"] =
        runs::VerifiedAs(*record.earlier, outcome.contrast);
  }
  if (!outcome.contrast.compared) {
    answer.json["told_apart"] = answer.json["told_apart_floor"] = nullptr;
  }
  answer.json["compared"] = outcome.contrast.compared;
  if (record.simulation) answer.json["seconds"] = outcome.seconds;
  if (HasVerdict(outcome, fail_on)) answer.exit_code = 1;
  return answer;
}

}  // namespace sfumato::app
