// Whether a model draws anything that may be compared: varied images, not one
// over and over, not noise, not grey.
//
//   const GeneratorHealth state = HealthOf("a1", images, judge);
//   if (!state.usable) …   // state.health.words says why
//
// A population of blank images and a generator that collapsed look alike, so
// both count as unusable, and the words say so.

#pragma once

#include <ATen/ATen.h>

#include <string>

#include "eval/image_scores.h"
#include "runs/contrast.h"

namespace sfumato::eval {

struct GeneratorHealth {
  runs::Health health;
  bool usable = false;
};

// `judge` may be null.
GeneratorHealth HealthOf(const std::string& model, const at::Tensor& images,
                         const Judge* judge);

}  // namespace sfumato::eval
