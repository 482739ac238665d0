// Whether a generator's images can be compared: varied, not one over and over,
// not noise, not grey.
//
//   const runs::Health health = ImageHealthOf("a1", images, judge);
//   if (!health.usable) Warn(health.words);
//
// A population of blank images and a collapsed generator look alike, so both
// count as unusable, and the words say so.

#pragma once

#include <ATen/ATen.h>

#include <string>

#include "eval/image_scores.h"
#include "runs/contrast.h"

namespace sfumato::eval {

// `judge` may be null.
runs::Health ImageHealthOf(const std::string& model, const at::Tensor& images,
                           const Judge* judge);

}  // namespace sfumato::eval
