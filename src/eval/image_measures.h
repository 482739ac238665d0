// Plain numbers of two sides' images beside each other: brightness, edges,
// class mix …, each with what two models of one population differ by.
//
//   contrast.measures = ImageMeasures(lineup, images, judge);

#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "eval/image_scores.h"
#include "eval/lineup.h"
#include "runs/contrast.h"

namespace sfumato::eval {

// Most different first. `images`: of each model; `judge` may be null. A
// distance of the sides (Fréchet, class mix) stands in `b`, is marked as one,
// and has 0 in `a`.
std::vector<runs::Measure> ImageMeasures(const Lineup& lineup,
                                         const std::vector<at::Tensor>& images,
                                         const Judge* judge);

}  // namespace sfumato::eval
