#include "inspect/inspection_pictures.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/image.h"
#include "fmt/format.h"
#include "runs/samples.h"
#include "train/image_tensors.h"

namespace sfumato::inspect {
namespace {

at::Tensor Together(const std::vector<at::Tensor>& models) {
  constexpr std::int64_t kCells = 36;
  const auto each = kCells / static_cast<std::int64_t>(models.size());
  std::vector<at::Tensor> parts;
  parts.reserve(models.size());
  for (const at::Tensor& images : models) {
    parts.push_back(images.narrow(0, 0, std::min(each, images.size(0))));
  }
  return at::cat(parts);
}

}  // namespace

void WriteGrid(const base::Path& folder, const std::string& name,
               const at::Tensor& images) {
  base::WriteFileAtomically(
      folder / name, base::EncodePng(runs::GridOf(train::SamplesOf(images))));
}

std::vector<runs::GridStep> DrawSteps(
    const base::Path& folder, const std::vector<plan::ModelPlan>& models,
    const LastDrawn& last) {
  std::map<std::int64_t, std::map<config::Side, std::vector<at::Tensor>>>
      rounds;
  for (const plan::ModelPlan& model : models) {
    for (const base::Path& path :
         runs::SamplesIn(folder / model.name / "samples")) {
      const runs::ImageSamples samples = runs::ReadSamples(path);
      rounds[samples.round][model.side].push_back(train::ImagesOf(samples));
    }
  }
  if (!rounds.empty())
    rounds.rbegin()->second = {{config::Side::kA, last.a},
                               {config::Side::kB, last.b}};
  std::vector<runs::GridStep> steps;
  for (const auto& [round, sides] : rounds) {
    if (!sides.contains(config::Side::kA) || !sides.contains(config::Side::kB))
      continue;
    runs::GridStep step{.round = round,
                        .a = fmt::format("pictures/a_{:06}.png", round),
                        .b = fmt::format("pictures/b_{:06}.png", round)};
    WriteGrid(folder, step.a, Together(sides.at(config::Side::kA)));
    WriteGrid(folder, step.b, Together(sides.at(config::Side::kB)));
    steps.push_back(std::move(step));
  }
  if (!steps.empty() && last.transformed.defined()) {
    steps.back().transformed = "pictures/transformed.png";
    WriteGrid(folder, steps.back().transformed,
              Together(last.transformed.chunk(
                  static_cast<std::int64_t>(last.a.size()))));
  }
  return steps;
}

at::Tensor FirstImages(const models::Examples& examples,
                       const ImageLimits& limits) {
  const models::Shape shape = examples.shape();
  const auto size = static_cast<std::size_t>(shape.size());
  std::vector<float> values;
  std::int64_t count = 0;
  for (std::int64_t user = 0; user < examples.users() && count < limits.most;
       ++user) {
    const std::int64_t own =
        std::min(limits.per_user, examples.user_size(user));
    for (std::int64_t i = 0; i < own; ++i, ++count) {
      values.resize(values.size() + size);
      examples.Read(user, i, {values.data() + values.size() - size, size});
    }
  }
  return at::tensor(values).view(
      {count, shape.height, shape.width, shape.channels});
}

}  // namespace sfumato::inspect
