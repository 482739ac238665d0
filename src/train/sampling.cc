#include "train/sampling.h"

#include <filesystem>
#include <utility>
#include <variant>

#include "base/ascii.h"
#include "base/error.h"
#include "base/json.h"
#include "base/suggest.h"
#include "data/dataset.h"
#include "data/generate/handwriting.h"
#include "fmt/format.h"
#include "runs/run.h"
#include "train/run_model.h"
#include "train/trained_model.h"

namespace sfumato::train {
namespace {

// Names of the classes; none if the data is gone.
std::vector<std::string> ClassNames(const config::TrainConfig& config,
                                    const base::Path& run) {
  if (!config.data.generate.empty()) {
    return data::Handwriting({}).Info(config.data.generate).classes;
  }
  for (const base::Path& folder :
       {base::Path(config.data.path), run / "data"}) {
    const base::Path path = folder / "dataset.json";
    if (!std::filesystem::exists(path)) continue;
    try {
      const data::DatasetInfo info = data::InfoFromJson(
          base::ParseJson(base::ReadFile(path)), path.string());
      data::CheckDeclared(info, path.string());
      return info.classes;
    } catch (const Error&) {
      return {};  // a generator does not need its data
    }
  }
  return {};
}

// The class that is asked for; -1: all.
std::int64_t LabelOf(const SampleJob& job, std::int64_t classes,
                     const std::vector<std::string>& names) {
  if (job.label.empty()) return -1;
  if (classes == 0) {
    throw BadInput("a model that cannot be asked for a class",
                   job.folder.string(),
                   "leave --label out; gan.conditional = true trains a "
                   "generator that can");
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == job.label) return static_cast<std::int64_t>(i);
  }
  const std::int64_t number =
      base::ParseNumber<std::int64_t>(job.label).value_or(-1);
  if (number >= 0 && number < classes) return number;
  throw BadInput(fmt::format("no class '{}'", job.label), "--label",
                 names.empty()
                     ? fmt::format("a number from 0 to {}", classes - 1)
                     : base::DidYouMean(job.label, names));
}

}  // namespace

extern "C" void SfumatoSample(const SampleJob* job, SampleOutcome* outcome) {
  const config::TrainConfig config = runs::ReadRun(job->folder).config;
  const ModelTraits traits = TraitsFor(config);
  if (!traits.draws) {
    throw BadInput(fmt::format("a run of {}, which draws nothing",
                               config::Word(config.algorithm)),
                   job->folder.string(),
                   "judge it: sfumato eval " + job->folder.string());
  }
  const RunModel run = ReadRunModel(job->folder, job->round);
  outcome->metadata = run.metadata;
  if (traits.reads == Reads::kPixels) {
    outcome->classes = ClassNames(config, job->folder);
  }
  Drawn drawn = run.Draw(
      {.seed = job->seed,
       .count = job->count,
       .label = LabelOf(*job, run.model->label_count(), outcome->classes)});
  if (auto* text = std::get_if<runs::TextSamples>(&drawn)) {
    outcome->text = std::move(*text);
  } else {
    outcome->samples = std::get<runs::ImageSamples>(std::move(drawn));
  }
}

}  // namespace sfumato::train
