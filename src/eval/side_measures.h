// Plain numbers of two sides beside each other: brightness, edges, class mix …,
// each with what two models of one population differ by.
//
//   contrast.measures = SideMeasures({.a = {a1, a2}, .b = {b1, b2}, …});

#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "eval/image_scores.h"
#include "runs/contrast.h"

namespace sfumato::eval {

struct MeasureOptions {
  std::vector<at::Tensor> a = {};  // images of each model
  std::vector<at::Tensor> b = {};
  // Pairs whose difference is the floor: two models of one population.
  std::vector<std::pair<at::Tensor, at::Tensor>> alike = {};
  double floor_factor = 1;  // for pairs that differ less than trainings do
  const Judge* judge = nullptr;
};

// Most different first. A distance of the sides (Fréchet, class mix) stands in
// `b`, is marked as one, and has 0 in `a`.
std::vector<runs::Measure> SideMeasures(const MeasureOptions& options);

}  // namespace sfumato::eval
