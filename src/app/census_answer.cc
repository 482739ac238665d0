#include "app/census_answer.h"

#include <filesystem>

#include "app/torch_part.h"
#include "app/version.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/launcher.h"
#include "base/progress.h"
#include "census/answer/census_answer.h"
#include "config/train_config.h"
#include "fmt/format.h"
#include "report/page.h"
#include "runs/writable_folder.h"

namespace sfumato::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfig = "config.toml";

bool IsTaken(const base::Path& folder) {
  return !runs::IsCensus(folder) &&
         runs::HoldsOtherFiles(folder, runs::kCensusLock);
}

// What belongs to an inspection is its part of one plan and one price.
void RefusePart(const base::Path& folder) {
  if (!runs::IsCensus(folder) || !runs::ReadCensus(folder).part) return;
  const std::string inspection =
      base::NormalFolder(folder).parent_path().string();
  throw BadInput(
      "a census that is part of an inspection", folder.string(),
      "resume that: sfumato resume " + (inspection.empty() ? "." : inspection));
}

void CheckFolder(const base::Path& folder, const config::TrainConfig& config) {
  if (base::LaunchedRank()) {
    throw Unsupported("a census over several processes", "mpirun",
                      "start it without the launcher: device.threads uses one "
                      "machine whole");
  }
  if (IsTaken(folder)) {
    throw BadInput("the folder is there and not empty", folder.string(),
                   "name another with --out");
  }
  RefusePart(folder);
  if (runs::IsCensus(folder) &&
      !(config::ReadTrainConfig(folder / kConfig) == config)) {
    throw BadInput("a census with another config is there", folder.string(),
                   "name another folder with --out, or resume that one: "
                   "sfumato resume " +
                       folder.string());
  }
  runs::RequireWritableFolder(folder);
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

base::FileLock HoldFolder(const census::CensusJob& job) {
  base::FileLock lock(job.folder / runs::kCensusLock);
  if (!runs::IsCensus(job.folder)) {
    base::WriteFileAtomically(job.folder / kConfig, config::ToToml(job.config));
    runs::CensusRecord record;
    record.version = kVersion;
    record.name = job.config.name;
    runs::WriteCensus(job.folder, record);
  }
  return lock;
}

// A folder that this process made goes away again when nothing was begun: bad
// input, no consent. What was released is paid for, and resumes.
void CensusOrClear(const census::CensusJob& job, bool made,
                   census::CensusOutcome& outcome) {
  const auto clear = [&](bool stays) {
    std::error_code ignored;
    if (made && !stays) fs::remove_all(job.folder, ignored);
  };
  const auto begun = [&] {
    return !runs::ReadCensus(job.folder).ledger_name.empty();
  };
  try {
    TorchFunction<decltype(census::SfumatoCensus)>("SfumatoCensus")(&job,
                                                                    &outcome);
  } catch (const base::Interrupted&) {
    clear(!outcome.record.stage.empty());
    throw;
  } catch (const Error& error) {
    const bool stays = begun();
    clear(stays);
    if (!stays) throw;
    throw Error(error.kind(), error.what(), error.where(),
                fmt::format("{}{}then resume what is done: sfumato resume {}",
                            error.todo(), error.todo().empty() ? "" : "; ",
                            job.folder.string()));
  } catch (const std::exception&) {
    clear(begun());
    throw;
  }
}

Answer AnswerOf(const base::Path& folder, const runs::CensusRecord& record,
                const std::string& fail_on) {
  const report::Report report = report::MakeReport(folder);
  const base::Path page = folder / "report.html";
  Answer answer{.text = report.summary, .json = runs::AnswerJson(record)};
  if (!answer.text.empty() && answer.text.back() != '\n') answer.text += '\n';
  answer.text += fmt::format("Report   {}   ({})", page.string(),
                             base::HumanBytes(report.html.size()));
  answer.json["folder"] = folder.string();
  answer.json["report"] = page.string();
  if (fail_on == census::Name(record.answer->verdict)) answer.exit_code = 1;
  return answer;
}

}  // namespace

void CheckCensus(const base::Path& folder, const config::TrainConfig& config) {
  CheckFolder(folder, config);
  TorchFunction<decltype(census::SfumatoCheckCensus)>("SfumatoCheckCensus")(
      &config);
}

Answer CensusInto(const census::CensusJob& job, const std::string& fail_on) {
  CheckFolder(job.folder, job.config);
  const bool made = MadeFolder(job.folder);
  const base::FileLock lock = HoldFolder(job);
  if (runs::ReadCensus(job.folder).status == runs::Status::kFinished) {
    base::Note(fmt::format("{} is finished: nothing is asked again.",
                           job.folder.string()));
  }
  census::CensusOutcome outcome;
  CensusOrClear(job, made, outcome);
  Answer answer = AnswerOf(job.folder, outcome.record, fail_on);
  if (outcome.record.simulation) answer.json["seconds"] = outcome.seconds;
  return answer;
}

Answer ResumeCensus(const base::Path& folder, const CensusResume& given) {
  RefusePart(folder);
  if (runs::ReadCensus(folder).status == runs::Status::kFinished) {
    if (!fs::exists(folder / "report.html")) report::WriteReport(folder);
    Answer answer{
        .text = fmt::format("{} is finished; nothing to do.", folder.string()),
        .json = runs::AnswerJson(runs::ReadCensus(folder))};
    answer.json["folder"] = folder.string();
    answer.json["status"] = "finished";
    return answer;
  }
  return CensusInto({.folder = folder,
                     .config = config::ReadTrainConfig(folder / kConfig),
                     .version = kVersion,
                     .ledger_key = given.ledger_key,
                     .yes = given.yes},
                    "");
}

}  // namespace sfumato::app
