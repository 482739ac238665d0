// Images as numbers in which a broken pipeline shows: blocks of features, each
// of equal weight, and the distance of two images that follows.
//
//   const FeatureScale scale = FitScale(RawFeatures(all_images, judge));
//   const Blocks a = Scaled(RawFeatures(images, judge), scale);
//   BlockDistances(a, b);   // [n, m]: mean over blocks of Euclidean distances
//
// Blocks: pixels (at most 14 × 14), row and column means, edge orientations in
// 4 × 4 cells, single figures (brightness, contrast, sharpness …), and a
// judge's logits where there is a judge. A block is scaled as a whole so that
// two images of the pool are at distance 1 on average; the single figures are
// brought to one scale before. A sum of Euclidean distances is of negative type
// as each of them is, so an energy distance made of it is one.

#pragma once

#include <ATen/ATen.h>

#include <string>
#include <vector>

#include "eval/image_scores.h"

namespace sfumato::eval {

using Blocks = std::vector<at::Tensor>;  // each [n, d], float

// For images [n, h, w, c], -1 … 1. `judge` may be null.
Blocks RawFeatures(const at::Tensor& images, const Judge* judge);

struct FeatureScale {
  Blocks centre = {};  // [d] each
  Blocks factor = {};  // [d] each
};
FeatureScale FitScale(const Blocks& pool);
Blocks Scaled(const Blocks& raw, const FeatureScale& scale);

Blocks Rows(const Blocks& blocks, const at::Tensor& index);
Blocks Stacked(const std::vector<Blocks>& parts);

// [n, m].
at::Tensor BlockDistances(const Blocks& x, const Blocks& y);

// Figures of each image, for tables: brightness, contrast, … [n, figures].
struct Figure {
  std::string key;
  std::string words;
};
const std::vector<Figure>& Figures();
at::Tensor FiguresOf(const at::Tensor& images);

}  // namespace sfumato::eval
