#include "census/drawn_references.h"

#include <filesystem>
#include <span>
#include <string>
#include <variant>

#include "base/error.h"
#include "data/dataset_writer.h"
#include "fmt/format.h"
#include "runs/samples.h"
#include "runs/text_samples.h"
#include "train/run_model.h"

namespace sfumato::census {
namespace {

data::DatasetInfo PoolNamed(const std::string& name) {
  data::DatasetInfo info;
  info.name = name;
  info.origin = data::Origin::kGenerated;
  info.grouped = false;
  info.declared = true;
  info.provenance.push_back({{"step", "draw"}, {"run", name}});
  return info;
}

void Write(const runs::ImageSamples& samples, data::DatasetInfo info,
           const base::Path& folder) {
  info.kind = data::Kind::kImages;
  info.image = {samples.height, samples.width, samples.channels};
  data::DatasetWriter writer(folder, info);
  writer.BeginUser("drawn");
  const std::span<const std::uint8_t> pixels(samples.pixels);
  for (std::size_t i = 0; i < samples.count(); ++i) {
    writer.Add({.pixels = pixels.subspan(i * samples.image_size(),
                                         samples.image_size())});
  }
  writer.Finish();
}

void Write(const runs::TextSamples& samples, data::DatasetInfo info,
           const base::Path& folder) {
  info.kind = data::Kind::kText;
  info.text_form = data::TextForm::kTokens;
  data::DatasetWriter writer(folder, info);
  writer.BeginUser("drawn");
  for (const std::vector<std::string>& words : samples.sentences) {
    std::string sentence;
    for (const std::string& word : words) {
      if (word.empty()) continue;  // unknown
      sentence += (sentence.empty() ? "" : " ") + word;
    }
    if (!sentence.empty()) writer.Add({.text = sentence});
  }
  writer.Finish();
}

}  // namespace

void CheckDraws(const base::Path& run, const data::DatasetInfo& own) {
  const train::RunModel model = train::ReadRunModel(run);
  if (own.kind != data::Kind::kImages) return;
  const models::Shape& shape = model.shape;
  if (shape.height == own.image.height && shape.width == own.image.width &&
      shape.channels == own.image.channels) {
    return;
  }
  throw BadInput(
      fmt::format("references are images of {}×{}×{}, where the users have "
                  "{}×{}×{}",
                  shape.height, shape.width, shape.channels, own.image.height,
                  own.image.width, own.image.channels),
      "census.reference", "give references of the same kind and shape");
}

void DrawReferences(const base::Path& run, const DrawOptions& options,
                    const base::Path& folder) {
  if (std::filesystem::exists(folder)) return;
  const train::Drawn drawn = train::ReadRunModel(run).Draw(
      {.seed = options.seed, .count = options.count});
  const data::DatasetInfo info = PoolNamed(run.filename().string());
  std::visit([&](const auto& samples) { Write(samples, info, folder); }, drawn);
}

}  // namespace sfumato::census
