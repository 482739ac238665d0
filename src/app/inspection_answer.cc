#include "app/inspection_answer.h"

#include <filesystem>

#include "app/torch_part.h"
#include "app/version.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/launcher.h"
#include "base/progress.h"
#include "fmt/format.h"
#include "report/page.h"
#include "runs/train_config.h"

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

// One process at a time, from an empty folder or from where another one was
// stopped.
base::FileLock HoldFolder(const base::Path& folder,
                          const runs::TrainConfig& config) {
  base::FileLock lock(folder / "inspection.lock");
  if (!runs::IsInspection(folder)) {
    base::WriteFileAtomically(folder / "config.toml", runs::ToToml(config));
    runs::WriteInspection(folder, {.version = kVersion, .name = config.name});
  } else if (!(runs::ReadTrainConfig(folder / "config.toml") == config)) {
    throw BadInput("an inspection with another config is there",
                   folder.string(),
                   "name another folder with --out, or go on with that one: "
                   "sfumato resume " +
                       folder.string());
  }
  return lock;
}

// A folder that this process made goes away again when nothing was begun: bad
// input, no consent. What an interrupt says is saved stays.
void InspectOrClear(const InspectJob& job, bool made, InspectOutcome& outcome) {
  const auto clear = [&](bool stays) {
    std::error_code ignored;
    if (made && !stays) fs::remove_all(job.folder, ignored);
  };
  try {
    TorchFunction<decltype(SfumatoInspect)>("SfumatoInspect")(&job, &outcome);
  } catch (const base::Interrupted&) {
    clear(!outcome.record.stage.empty());
    throw;
  } catch (const std::exception&) {
    clear(IsBegun(job.folder));
    throw;
  }
}

std::string VerifiedText(const runs::InspectionRecord& record,
                         const runs::Contrast& contrast) {
  if (!record.earlier) return "";
  const std::string before = record.earlier->hypothesis.empty()
                                 ? record.earlier->verdict
                                 : record.earlier->hypothesis;
  const char* now =
      contrast.verdict == runs::Verdict::kDiffers ? "still differs"
      : contrast.verdict == runs::Verdict::kSame  ? "is gone"
                                                  : "cannot be judged";
  return fmt::format("Verified against {}: what was seen there ({}) {}\n",
                     record.earlier->folder, before, now);
}

}  // namespace

InspectJob JobOf(const base::Path& folder) {
  return {.folder = folder,
          .config = runs::ReadTrainConfig(folder / "config.toml"),
          .version = kVersion};
}

Answer InspectInto(const base::Path& folder, const InspectJob& job,
                   const std::string& fail_on) {
  RefuseLaunchers();
  if (fs::exists(folder) && !runs::IsInspection(folder) &&
      !fs::is_empty(folder)) {
    throw BadInput("the folder is there and not empty", folder.string(),
                   "name another with --out");
  }
  const bool made = fs::create_directories(folder);
  const base::FileLock lock = HoldFolder(folder, job.config);
  InspectOutcome outcome;
  InspectOrClear(job, made, outcome);
  const report::Report report = report::MakeReport(folder);
  const base::Path page = folder / "report.html";
  const runs::InspectionRecord& record = outcome.record;
  Answer answer;
  answer.text = report.summary;
  if (!answer.text.empty() && answer.text.back() != '\n') answer.text += '\n';
  answer.text += VerifiedText(record, outcome.contrast);
  answer.text += fmt::format("Report   {}   ({})", page.string(),
                             base::HumanBytes(report.html.size()));
  answer.json = {{"folder", folder.string()},
                 {"report", page.string()},
                 {"verdict", runs::Name(outcome.contrast.verdict)},
                 {"sentence", outcome.contrast.sentence},
                 {"told_apart", outcome.contrast.told_apart.value},
                 {"told_apart_floor", outcome.contrast.told_apart_floor},
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
  if (record.simulation) answer.json["seconds"] = outcome.seconds;
  if (fail_on == runs::Name(outcome.contrast.verdict)) answer.exit_code = 1;
  return answer;
}

}  // namespace sfumato::app
