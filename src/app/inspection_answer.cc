#include "app/inspection_answer.h"

#include <filesystem>

#include "app/torch_part.h"
#include "app/version.h"
#include "base/error.h"
#include "base/progress.h"
#include "fmt/format.h"
#include "report/page.h"
#include "runs/train_config.h"

namespace sfumato::app {
namespace {

namespace fs = std::filesystem;

// Takes the folder away again when the inspection ended before it began: bad
// input, no consent.
class UnlessBegun {
 public:
  explicit UnlessBegun(const base::Path& folder)
      : folder_(folder), made_(!fs::exists(folder)) {}
  ~UnlessBegun() {
    std::error_code ignored;
    if (!made_ || runs::IsInspection(folder_)) return;
    fs::remove_all(folder_, ignored);
  }
  UnlessBegun(const UnlessBegun&) = delete;
  UnlessBegun& operator=(const UnlessBegun&) = delete;

 private:
  base::Path folder_;
  bool made_;
};

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
  if (fs::exists(folder) && !runs::IsInspection(folder) &&
      !fs::is_empty(folder)) {
    throw BadInput("the folder is there and not empty", folder.string(),
                   "name another with --out");
  }
  const UnlessBegun cleared(folder);
  fs::create_directories(folder);
  base::WriteFileAtomically(folder / "config.toml", runs::ToToml(job.config));
  InspectOutcome outcome;
  TorchFunction<decltype(SfumatoInspect)>("SfumatoInspect")(&job, &outcome);
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
