#include "eval/image_features.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sfumato::eval {
namespace {

constexpr std::int64_t kSide = 14;         // of the small image
constexpr std::int64_t kCells = 4;         // of edge orientations, a side
constexpr std::int64_t kOrientations = 8;  // of half a turn
constexpr std::int64_t kFiguresBlock = 3;  // index of the single figures
constexpr double kLeast = 1e-6;

// [n, c, h, w], pixels 0 … 1.
at::Tensor Planes(const at::Tensor& images) {
  return ((images.to(at::kFloat) + 1) / 2).permute({0, 3, 1, 2}).contiguous();
}

// Differences of neighbours, both [n, h - 1, w - 1].
struct Slopes {
  at::Tensor across;
  at::Tensor down;
};
Slopes SlopesOf(const at::Tensor& grey) {
  const std::int64_t h = grey.size(1) - 1;
  const std::int64_t w = grey.size(2) - 1;
  const at::Tensor corner = grey.narrow(1, 0, h).narrow(2, 0, w);
  const at::Tensor right = grey.narrow(1, 0, h).narrow(2, 1, w);
  const at::Tensor below = grey.narrow(1, 1, h).narrow(2, 0, w);
  const at::Tensor across = grey.narrow(1, 1, h).narrow(2, 1, w);
  // Roberts' two diagonals, turned upright: one centre for both.
  return {(right + across - corner - below) / 2,
          (below + across - corner - right) / 2};
}

// How much edge of each orientation is in each cell, [n, cells² · 8]. An edge
// counts for the orientations around its own, so that a small turn is a small
// change: strength · max(0, cos 2(its angle − the orientation)), without
// angles.
at::Tensor EdgeOrientations(const at::Tensor& grey) {
  const Slopes slopes = SlopesOf(grey);
  const at::Tensor size =
      (slopes.across.square() + slopes.down.square()).sqrt();
  const at::Tensor twice_cos =
      (slopes.across.square() - slopes.down.square()) / (size + kLeast);
  const at::Tensor twice_sin =
      2 * slopes.across * slopes.down / (size + kLeast);
  std::vector<at::Tensor> planes;
  for (std::int64_t k = 0; k < kOrientations; ++k) {
    const double angle =
        2 * std::numbers::pi * static_cast<double>(k) / kOrientations;
    planes.push_back((twice_cos * std::cos(angle) + twice_sin * std::sin(angle))
                         .clamp_min_(0));
  }
  const at::Tensor stacked = at::stack(planes, 1);  // [n, 8, h - 1, w - 1]
  return at::adaptive_avg_pool2d(stacked, {kCells, kCells}).flatten(1).sqrt();
}

at::Tensor Small(const at::Tensor& planes) {
  const std::int64_t h = std::min(kSide, planes.size(2));
  const std::int64_t w = std::min(kSide, planes.size(3));
  return at::adaptive_avg_pool2d(planes, {h, w}).flatten(1);
}

at::Tensor RowAndColumnMeans(const at::Tensor& planes) {
  return at::cat({planes.mean(3).flatten(1), planes.mean(2).flatten(1)}, 1);
}

at::Tensor FiguresOfPlanes(const at::Tensor& planes, const at::Tensor& grey) {
  const at::Tensor flat = grey.flatten(1);
  const at::Tensor contrast = flat.std(1, /*unbiased=*/false);
  const Slopes slopes = SlopesOf(grey);
  const at::Tensor edges =
      (slopes.across.square() + slopes.down.square()).sqrt().flatten(1);
  // Second differences against first: high for fine grain, low for blur.
  const at::Tensor bend_x = at::diff(grey, 2, 2).square().mean({1, 2});
  const at::Tensor bend_y = at::diff(grey, 2, 1).square().mean({1, 2});
  const at::Tensor slope_x = at::diff(grey, 1, 2).square().mean({1, 2});
  const at::Tensor slope_y = at::diff(grey, 1, 1).square().mean({1, 2});
  const at::Tensor grain = (bend_x + bend_y) / (slope_x + slope_y + kLeast);
  const at::Tensor sharpness = (slope_x + slope_y).sqrt() / (contrast + 0.02);
  const at::Tensor light = (flat > 0.5).to(at::kFloat).mean(1);
  const at::Tensor between =
      ((flat > 0.2) & (flat < 0.8)).to(at::kFloat).mean(1);
  at::Tensor colour = at::zeros_like(contrast);
  if (planes.size(1) > 1) {
    colour = planes.std(1, /*unbiased=*/false).mean({1, 2});
  }
  return at::stack({flat.mean(1), contrast, edges.mean(1), sharpness, grain,
                    light, between, colour},
                   1);
}

at::Tensor MeanPairDistance(const at::Tensor& rows) {
  // A few hundred rows give the mean of all pairs closely enough.
  const std::int64_t n = std::min<std::int64_t>(rows.size(0), 400);
  const at::Tensor index =
      at::linspace(0, static_cast<double>(rows.size(0) - 1), n, at::kDouble)
          .round()
          .to(at::kLong);
  const at::Tensor some = rows.index_select(0, index);
  const at::Tensor pairs = PairDistances(some, some).fill_diagonal_(0);
  const auto count = static_cast<double>(n * std::max<std::int64_t>(n - 1, 1));
  return pairs.sum(at::kDouble) / count;
}

}  // namespace

const std::vector<Figure>& Figures() {
  static const std::vector<Figure> figures = {
      {"brightness", "brightness, 0 … 1"},
      {"contrast", "contrast within an image"},
      {"edges", "edges"},
      {"sharpness", "sharpness of edges"},
      {"grain", "fine grain"},
      {"ink", "share of light pixels"},
      {"greys", "share of greys between dark and light"},
      {"colour", "colourfulness"},
  };
  return figures;
}

at::Tensor FiguresOf(const at::Tensor& images) {
  const at::Tensor planes = Planes(images);
  return FiguresOfPlanes(planes, planes.mean(1));
}

Blocks RawFeatures(const at::Tensor& images, const Judge* judge) {
  const at::Tensor planes = Planes(images);
  const at::Tensor grey = planes.mean(1);
  Blocks blocks = {Small(planes), RowAndColumnMeans(planes),
                   EdgeOrientations(grey), FiguresOfPlanes(planes, grey)};
  if (judge != nullptr) blocks.push_back(Logits(*judge, images));
  return blocks;
}

FeatureScale FitScale(const Blocks& pool) {
  FeatureScale scale;
  for (std::size_t b = 0; b < pool.size(); ++b) {
    const at::Tensor& block = pool[b];
    const at::Tensor centre = block.mean(0);
    at::Tensor factor = at::ones_like(centre);
    if (b == kFiguresBlock) {
      // A figure that hardly varies must not outweigh the rest when it moves.
      factor = 1 / block.std(0, /*unbiased=*/true).clamp_min(0.02);
    }
    const at::Tensor spread = MeanPairDistance((block - centre) * factor);
    factor = factor / spread.clamp_min(kLeast).to(at::kFloat);
    scale.centre.push_back(centre);
    scale.factor.push_back(factor);
  }
  return scale;
}

Blocks Scaled(const Blocks& raw, const FeatureScale& scale) {
  Blocks blocks;
  for (std::size_t b = 0; b < scale.centre.size(); ++b) {
    blocks.push_back((raw[b] - scale.centre[b]) * scale.factor[b]);
  }
  return blocks;
}

Blocks Rows(const Blocks& blocks, const at::Tensor& index) {
  Blocks rows;
  for (const at::Tensor& block : blocks) {
    rows.push_back(block.index_select(0, index));
  }
  return rows;
}

Blocks Stacked(const std::vector<Blocks>& parts) {
  Blocks blocks;
  for (std::size_t b = 0; b < parts.front().size(); ++b) {
    std::vector<at::Tensor> rows;
    for (const Blocks& part : parts) rows.push_back(part[b]);
    blocks.push_back(at::cat(rows));
  }
  return blocks;
}

at::Tensor BlockDistances(const Blocks& x, const Blocks& y) {
  const std::size_t count = std::min(x.size(), y.size());
  at::Tensor sum = PairDistances(x[0], y[0]);
  for (std::size_t b = 1; b < count; ++b) sum += PairDistances(x[b], y[b]);
  return sum.div_(static_cast<double>(count));
}

}  // namespace sfumato::eval
