#include "train/run_model.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "base/ascii.h"
#include "base/error.h"
#include "fmt/format.h"
#include "plan/run_vocabulary.h"
#include "runs/checkpoint.h"
#include "runs/run.h"
#include "train/language_model.h"

namespace sfumato::train {
namespace {

base::Path CheckpointOf(const base::Path& run, std::int64_t round) {
  const base::Path folder = run / "checkpoints";
  if (round >= 0) {
    const base::Path path = runs::CheckpointPath(folder, round);
    if (!std::filesystem::exists(path)) {
      throw BadInput(fmt::format("no checkpoint of round {}", round),
                     folder.string(),
                     "leave --round out for the last; checkpoint.keep_every "
                     "keeps more of them");
    }
    return path;
  }
  const auto latest = runs::LatestCheckpoint(folder);
  if (!latest) {
    throw BadInput("a run without a checkpoint", run.string(),
                   "train it first: sfumato resume " + run.string());
  }
  return latest->path;
}

// What the model takes (`input`) or draws (`image`), and of how many classes.
ModelSize SizeIn(const base::Metadata& metadata, const std::string& where) {
  const auto shape = models::ShapeFromText(
      base::ValueOf(metadata, metadata.contains("image") ? "image" : "input"));
  if (!shape) {
    throw Corrupt("a checkpoint that does not say what its model takes", where,
                  "the file was changed by hand");
  }
  return {
      .shape = *shape,
      .classes = std::max<std::int64_t>(
          0, base::ParseNumber<std::int64_t>(base::ValueOf(metadata, "classes"))
                 .value_or(0))};
}

}  // namespace

Drawn RunModel::Draw(DrawOptions options) const {
  options.round = round;
  Drawn drawn = model->Draw(params, options);
  if (auto* text = std::get_if<runs::TextSamples>(&drawn)) {
    text->label = metadata;
  }
  return drawn;
}

RunModel ReadRunModel(const base::Path& folder, std::int64_t round) {
  config::TrainConfig config = runs::ReadRun(folder).config;
  const base::Path path = CheckpointOf(folder, round);
  const base::SafetensorsFile file(path);
  const Reads reads = TraitsFor(config).reads;
  std::optional<data::Vocabulary> vocabulary;
  ModelSize size;
  if (reads == Reads::kPixels) {
    size = SizeIn(file.metadata(), path.string());
  } else {
    vocabulary = plan::KeptVocabulary(folder);
    size.vocabulary = &*vocabulary;
    size.classes = SymbolsFor(reads, std::ssize(vocabulary->words()));
  }
  std::unique_ptr<TrainedModel> model = ModelFor(config, size);
  model->CheckCheckpoint(file.metadata(), folder.string());
  at::Tensor params = model->ParamsIn(file);
  return {.config = std::move(config),
          .model = std::move(model),
          .params = std::move(params),
          .metadata = file.metadata(),
          .shape = size.shape,
          .classes = size.classes,
          .round = runs::CheckpointRound(file.metadata(), path.string())};
}

}  // namespace sfumato::train
