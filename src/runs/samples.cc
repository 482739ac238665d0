#include "runs/samples.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include "base/ascii.h"
#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::runs {
namespace {

Error NoSamples(const base::Path& path) {
  return Corrupt("not a set of drawn images", path.string(),
                 "draw it again: sfumato sample");
}

}  // namespace

base::Image ImageAt(const ImageSamples& samples, std::size_t i) {
  base::Image image = base::BlankImage(samples.width, samples.height,
                                       samples.channels == 3 ? 3 : 1, 0);
  const std::uint8_t* from = samples.pixels.data() + i * samples.image_size();
  const auto step = static_cast<std::size_t>(samples.channels);
  const auto shown = static_cast<std::size_t>(image.channels);
  for (std::size_t p = 0; p < image.pixels.size() / shown; ++p) {
    std::copy_n(from + p * step, shown, image.pixels.data() + p * shown);
  }
  return image;
}

base::Image GridOf(const ImageSamples& samples, const SampleGrid& grid) {
  std::vector<base::Image> cells;
  const std::size_t most = grid.first + static_cast<std::size_t>(grid.columns) *
                                            static_cast<std::size_t>(grid.rows);
  for (std::size_t i = grid.first; i < std::min(most, samples.count()); ++i) {
    cells.push_back(ImageAt(samples, i));
  }
  return base::ImageGrid(cells, {.columns = grid.columns, .scale = grid.scale});
}

std::vector<base::TensorOut> TensorsOf(const ImageSamples& samples) {
  std::vector<base::TensorOut> tensors = {
      {.name = "images",
       .type = base::DType::kU8,
       .shape = {samples.count(), static_cast<std::uint64_t>(samples.height),
                 static_cast<std::uint64_t>(samples.width),
                 static_cast<std::uint64_t>(samples.channels)},
       .bytes = std::as_bytes(std::span(samples.pixels))}};
  if (!samples.labels.empty()) {
    tensors.push_back({.name = "labels",
                       .type = base::DType::kI32,
                       .shape = {samples.labels.size()},
                       .bytes = std::as_bytes(std::span(samples.labels))});
  }
  return tensors;
}

void WriteSampleFile(const base::Path& path, const ImageSamples& samples,
                     const base::Metadata& metadata) {
  base::Metadata all = metadata;
  all["schema"] = "sfumato.samples/1";
  all["round"] = fmt::format("{}", samples.round);
  base::WriteSafetensors(path, TensorsOf(samples), all);
}

void WriteSamples(const base::Path& folder, const ImageSamples& samples,
                  const base::Metadata& metadata) {
  std::filesystem::create_directories(folder);
  const std::string name = fmt::format("round_{:06}", samples.round);
  WriteSampleFile(folder / (name + ".safetensors"), samples, metadata);
  base::WriteFileAtomically(folder / (name + ".png"),
                            base::EncodePng(GridOf(samples)));
}

std::vector<base::Path> SamplesIn(const base::Path& folder,
                                  std::string_view ending) {
  std::vector<base::Path> found;
  if (!std::filesystem::is_directory(folder)) return found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("round_") && name.ends_with(ending)) {
      found.push_back(entry.path());
    }
  }
  std::ranges::sort(found);
  return found;
}

ImageSamples ReadSamples(const base::Path& path) {
  const base::SafetensorsFile file(path);
  const auto round = file.metadata().find("round");
  if (round == file.metadata().end() || !file.Has("images")) {
    throw NoSamples(path);
  }
  const std::vector<std::uint64_t>& shape = file.tensor("images").shape;
  constexpr std::uint64_t kMostSide = 16384;
  if (shape.size() != 4 || shape[1] > kMostSide || shape[2] > kMostSide ||
      shape[3] > 4) {
    throw NoSamples(path);
  }
  const std::span<const std::uint8_t> pixels = file.Get<std::uint8_t>("images");
  const auto number = base::ParseNumber<std::int64_t>(round->second);
  if (!number) throw NoSamples(path);
  ImageSamples samples{.round = *number,
                       .height = static_cast<int>(shape[1]),
                       .width = static_cast<int>(shape[2]),
                       .channels = static_cast<int>(shape[3]),
                       .pixels = {pixels.begin(), pixels.end()}};
  if (file.Has("labels")) {
    const auto labels = file.Get<std::int32_t>("labels");
    samples.labels.assign(labels.begin(), labels.end());
    if (samples.labels.size() != shape[0]) throw NoSamples(path);
  }
  return samples;
}

}  // namespace sfumato::runs
