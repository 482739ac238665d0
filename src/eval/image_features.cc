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
constexpr std::int64_t kEdges = kCells * kCells * kOrientations;
constexpr float kLeast = 1e-6F;

// [n, c, h, w], pixels 0 … 1.
at::Tensor Planes(const at::Tensor& images) {
  return ((images.to(at::kFloat) + 1) / 2).permute({0, 3, 1, 2}).contiguous();
}

// Where the plain loops below put what they find in one image.
struct Description {
  float* edges;    // [cells² · orientations]
  float* figures;  // [figures], as Figures() has them
};

// How much edge of each orientation is in each cell: strength · max(0,
// cos 2(angle − orientation)), so that a small turn is a small change.
void DescribeEdges(const float* grey, std::int64_t h, std::int64_t w,
                   const Description& out) {
  float cosines[kOrientations];
  float sines[kOrientations];
  for (std::int64_t k = 0; k < kOrientations; ++k) {
    const double angle =
        2 * std::numbers::pi * static_cast<double>(k) / kOrientations;
    cosines[k] = static_cast<float>(std::cos(angle));
    sines[k] = static_cast<float>(std::sin(angle));
  }
  double total = 0;
  for (std::int64_t y = 0; y + 1 < h; ++y) {
    const float* above = grey + y * w;
    const float* below = above + w;
    float* row = out.edges + y * kCells / (h - 1) * kCells * kOrientations;
    for (std::int64_t x = 0; x + 1 < w; ++x) {
      // Roberts' two diagonals, turned upright: one centre for both.
      const float across =
          (above[x + 1] + below[x + 1] - above[x] - below[x]) / 2;
      const float down =
          (below[x] + below[x + 1] - above[x] - above[x + 1]) / 2;
      const float size = std::sqrt(across * across + down * down);
      total += size;
      const float twice_cos = (across * across - down * down) / (size + kLeast);
      const float twice_sin = 2 * across * down / (size + kLeast);
      float* cell = row + x * kCells / (w - 1) * kOrientations;
      for (std::int64_t k = 0; k < kOrientations; ++k) {
        const float part = twice_cos * cosines[k] + twice_sin * sines[k];
        cell[k] += part > 0 ? part : 0;
      }
    }
  }
  const auto pixels = static_cast<float>((h - 1) * (w - 1));
  for (std::int64_t i = 0; i < kEdges; ++i) {
    out.edges[i] = std::sqrt(out.edges[i] * kCells * kCells / pixels);
  }
  out.figures[2] = static_cast<float>(total) / pixels;
}

// Mean squares of first and second differences along one direction.
struct Differences {
  double slope = 0;
  double bend = 0;
};
Differences Along(const float* grey, std::int64_t lines, std::int64_t line_step,
                  std::int64_t length, std::int64_t step) {
  Differences sums;
  for (std::int64_t line = 0; line < lines; ++line) {
    const float* at = grey + line * line_step;
    for (std::int64_t i = 0; i + 1 < length; ++i, at += step) {
      const float slope = at[step] - at[0];
      sums.slope += slope * slope;
      if (i + 2 < length) {
        const float bend = at[2 * step] - at[step] - slope;
        sums.bend += bend * bend;
      }
    }
  }
  const auto count = [&](std::int64_t less) {
    return static_cast<double>(lines *
                               std::max<std::int64_t>(1, length - less));
  };
  return {sums.slope / count(1), sums.bend / count(2)};
}

void DescribeLevels(const float* grey, std::int64_t h, std::int64_t w,
                    const Description& out) {
  double sum = 0;
  double squares = 0;
  double light = 0;
  double between = 0;
  for (std::int64_t i = 0; i < h * w; ++i) {
    const double level = grey[i];
    sum += level;
    squares += level * level;
    light += level > 0.5 ? 1 : 0;
    between += level > 0.2 && level < 0.8 ? 1 : 0;
  }
  const auto pixels = static_cast<double>(h * w);
  const double mean = sum / pixels;
  const double contrast =
      std::sqrt(std::max(0.0, squares / pixels - mean * mean));
  const Differences across = Along(grey, h, w, w, 1);
  const Differences down = Along(grey, w, 1, h, w);
  const double slope = across.slope + down.slope;
  out.figures[0] = static_cast<float>(mean);
  out.figures[1] = static_cast<float>(contrast);
  out.figures[3] = static_cast<float>(std::sqrt(slope) / (contrast + 0.02));
  // High for fine grain, low for blur.
  out.figures[4] =
      static_cast<float>((across.bend + down.bend) / (slope + kLeast));
  out.figures[5] = static_cast<float>(light / pixels);
  out.figures[6] = static_cast<float>(between / pixels);
}

struct Described {
  at::Tensor edges;    // [n, cells² · orientations]
  at::Tensor figures;  // [n, figures]
};

Described Describe(const at::Tensor& planes) {
  const at::Tensor grey =
      planes.size(1) == 1 ? planes.squeeze(1) : planes.mean(1);
  const std::int64_t n = grey.size(0);
  const std::int64_t h = grey.size(1);
  const std::int64_t w = grey.size(2);
  const auto figures = static_cast<std::int64_t>(Figures().size());
  Described all{at::zeros({n, kEdges}), at::zeros({n, figures})};
  const at::Tensor lined = grey.contiguous();
  const auto* pixels = lined.data_ptr<float>();
  for (std::int64_t i = 0; i < n; ++i) {
    const Description out{all.edges.data_ptr<float>() + i * kEdges,
                          all.figures.data_ptr<float>() + i * figures};
    DescribeEdges(pixels + i * h * w, h, w, out);
    DescribeLevels(pixels + i * h * w, h, w, out);
  }
  if (planes.size(1) > 1) {
    all.figures.select(1, figures - 1)
        .copy_(planes.std(1, /*unbiased=*/false).mean({1, 2}));
  }
  return all;
}

at::Tensor Small(const at::Tensor& planes) {
  const std::int64_t h = std::min(kSide, planes.size(2));
  const std::int64_t w = std::min(kSide, planes.size(3));
  return at::adaptive_avg_pool2d(planes, {h, w}).flatten(1);
}

at::Tensor RowAndColumnMeans(const at::Tensor& planes) {
  return at::cat({planes.mean(3).flatten(1), planes.mean(2).flatten(1)}, 1);
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
  return Describe(Planes(images)).figures;
}

Blocks RawFeatures(const at::Tensor& images, const Judge* judge) {
  const at::Tensor planes = Planes(images);
  const Described described = Describe(planes);
  Blocks blocks = {Small(planes), RowAndColumnMeans(planes), described.edges,
                   described.figures};
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
