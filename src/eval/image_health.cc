#include "eval/image_health.h"

#include "eval/image_features.h"
#include "fmt/format.h"

namespace sfumato::eval {
namespace {

constexpr std::int64_t kMostImages = 500;
// Generated handwriting has about 0.9; one image with noise of 5 % about 0.1.
constexpr double kLeastDiversity = 0.15;
// Fewer different images than this do not show a population.
constexpr double kFewImages = 12;
// Contrast (0 … 0.5) of an image in which nothing is to be seen.
constexpr double kPlain = 0.04;
constexpr double kMostlyPlain = 0.9;
// Of neighbouring pixels: 0 for noise, 0.7 and more for drawings.
constexpr double kLeastCorrelation = 0.2;
// Of 1 … classes: a classifier finds nothing in what is drawn.
constexpr double kNothingRecognised = 1.15;

at::Tensor Contrasts(const at::Tensor& images) {
  return images.flatten(1).std(1, /*unbiased=*/false) / 2;
}

// Correlation of pixels with their right and lower neighbours, over all images.
double NeighbourCorrelation(const at::Tensor& images) {
  const at::Tensor x = images - images.mean({1, 2}, /*keepdim=*/true);
  const auto along = [&x](std::int64_t side) {
    const std::int64_t n = x.size(side) - 1;
    const at::Tensor here = x.narrow(side, 0, n);
    const at::Tensor next = x.narrow(side, 1, n);
    return (here * next).sum(at::kDouble) /
           ((here.square().sum(at::kDouble) + next.square().sum(at::kDouble)) /
                2 +
            1e-12);
  };
  return ((along(1) + along(2)) / 2).item<double>();
}

}  // namespace

runs::Health ImageHealthOf(const std::string& model, const at::Tensor& images,
                           const Judge* judge) {
  const at::Tensor some =
      images.narrow(0, 0, std::min(images.size(0), kMostImages)).to(at::kFloat);
  const at::Tensor drawn = (Contrasts(some) > kPlain).nonzero().flatten();
  const double plain = 1 - static_cast<double>(drawn.size(0)) /
                               static_cast<double>(some.size(0));
  runs::Health health{
      .model = model, .diversity = Diversity(some), .usable = false};
  health.sharpness =
      FiguresOf(some).mean(0)[3].item<double>();  // as Figures() has them
  if (judge != nullptr) {
    health.classifier_score = ClassifierScore(Logits(*judge, some));
  }
  if (plain >= kMostlyPlain) {
    health.collapsed = true;
    health.words =
        "draws plain images: it learned nothing, or its users' images are "
        "blank";
    return health;
  }
  // Plain images may be part of what is to be found, so they do not count as
  // repeats.
  const at::Tensor rest = some.index_select(0, drawn);
  const double distinct = DistinctImages(rest);
  if (distinct < kFewImages || Diversity(rest) < kLeastDiversity) {
    health.collapsed = true;
    health.words =
        distinct < 1.5
            ? "draws one image over and over"
            : fmt::format("draws about {:.0f} images over and over", distinct);
    if (distinct >= kFewImages) health.words = "draws nearly the same image";
    return health;
  }
  if (NeighbourCorrelation(rest) < kLeastCorrelation) {
    health.words = "draws noise: it learned nothing yet";
    return health;
  }
  health.usable = true;
  if (judge != nullptr && health.classifier_score < kNothingRecognised) {
    // Not a sign of bad health by itself: a classifier may see nothing in
    // images that are broken.
    health.words = "draws varied images in which the classifier sees one class";
    return health;
  }
  health.words = "draws varied images";
  return health;
}

}  // namespace sfumato::eval
