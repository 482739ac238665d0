// Compares what two populations' models draw: whether the sides are separable,
// what would turn one into the other, and how much of that two models of one
// population would show as well.
//
//   const Compared found =
//       Compare({.a = {a1, a2}, .b = {b1, b2}, .judge = &primary});
//   found.contrast.verdict;
//   found.pictures.at("pictures/invert.png");
//
// Only drawn images go in, so nothing here costs privacy. The same options give
// the same answer. How it comes about: docs/diagnosis_rules.md.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/image.h"
#include "eval/image_scores.h"
#include "runs/contrast.h"

namespace sfumato::eval {

// What one model drew: [image, height, width, channel], float, -1 … 1.
struct Drawn {
  std::string model = "";  // "a1"
  at::Tensor images;
  // The same model's images at earlier rounds, oldest first, where kept.
  std::vector<at::Tensor> earlier = {};
};

struct CompareOptions {
  std::vector<Drawn> a = {};  // one model, or two twins on halves of the users
  std::vector<Drawn> b = {};
  const Judge* judge = nullptr;  // null: pixels alone
  std::uint64_t seed = 1;        // of resampling
};

struct Compared {
  runs::Contrast contrast;  // without steps, which the caller draws
  std::map<std::string, base::Image> pictures;  // by the names in `contrast`
  // a's images (of a1, then a2) through the winning hypothesis; undefined if
  // none is supported. [image, height, width, channel].
  at::Tensor transformed;
};

// Throws BadInput for no model on a side, more than two, fewer than 20 images
// of one, images of different shapes or with numbers that are not finite, or a
// judge for other images.
Compared Compare(const CompareOptions& options);

}  // namespace sfumato::eval
