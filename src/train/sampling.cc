#include "train/sampling.h"

#include <charconv>
#include <filesystem>

#include "algorithms/dp_fedavg_gan.h"
#include "base/error.h"
#include "base/json.h"
#include "base/suggest.h"
#include "data/dataset.h"
#include "data/generate/handwriting.h"
#include "fmt/format.h"
#include "runs/checkpoint.h"
#include "runs/run.h"
#include "train/language_run.h"
#include "train/run_checkpoint.h"
#include "train/trained_model.h"

namespace sfumato::train {
namespace {

std::int64_t Whole(const std::string& text) {
  std::int64_t value = -1;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && at == end ? value : -1;
}

// "28x28x1".
models::Shape ImageOf(const base::Metadata& metadata,
                      const std::string& where) {
  const auto shape = models::ShapeFromText(base::ValueOf(metadata, "image"));
  if (!shape) {
    throw Corrupt("a generator's checkpoint that does not say what it draws",
                  where, "the file was changed by hand");
  }
  return *shape;
}

// Names of the classes; none when the data are not here any more.
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
    throw BadInput("a generator that cannot be asked for a class",
                   job.folder.string(),
                   "leave --label out, or train one with gan.conditional = "
                   "true");
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == job.label) return static_cast<std::int64_t>(i);
  }
  const std::int64_t number = Whole(job.label);
  if (number >= 0 && number < classes) return number;
  throw BadInput(fmt::format("no class '{}'", job.label), "--label",
                 names.empty()
                     ? fmt::format("a number from 0 to {}", classes - 1)
                     : base::DidYouMean(job.label, names));
}

}  // namespace

extern "C" void SfumatoSample(const SampleJob* job, SampleOutcome* outcome) {
  const config::TrainConfig config = runs::ReadRun(job->folder).config;
  if (config::ModelsLanguage(config)) {
    if (!job->label.empty()) {
      throw BadInput("a language model, which has no classes",
                     job->folder.string(), "leave --label out");
    }
    outcome->text = DrawnFrom(ReadLanguageRun(job->folder, job->round),
                              {.seed = job->seed, .count = job->count});
    outcome->metadata = outcome->text->label;
    return;
  }
  if (!TrainsGan(config)) {
    throw BadInput(fmt::format("a run of {}, which draws nothing",
                               config::Word(config.algorithm)),
                   job->folder.string(),
                   "judge it: sfumato eval " + job->folder.string());
  }
  const base::Path path = CheckpointOf(job->folder, job->round);
  const base::SafetensorsFile file(path);
  outcome->metadata = file.metadata();
  outcome->classes = ClassNames(config, job->folder);
  const std::int64_t classes = std::max<std::int64_t>(
      0, Whole(base::ValueOf(outcome->metadata, "classes")));
  const models::Gan gan =
      GanFor(config, ImageOf(outcome->metadata, path.string()), classes);
  outcome->samples = DrawSamples(
      gan, algorithms::DrawingGenerator(gan, config.gan.ema > 0, file),
      {.seed = job->seed,
       .count = job->count,
       .round = runs::CheckpointRound(outcome->metadata, path.string()),
       .label = LabelOf(*job, classes, outcome->classes)});
}

}  // namespace sfumato::train
