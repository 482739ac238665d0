// The pictures of an inspection's page: what its models drew, round by round,
// and, in simulations, real examples.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/file.h"
#include "models/batch.h"
#include "plan/inspect_plan.h"
#include "runs/contrast.h"

namespace sfumato::inspect {

// The images compared in the end: those of each model of a side, and side A's
// again, in the same order, changed by the first hypothesis (undefined if none
// is supported).
struct LastDrawn {
  std::vector<at::Tensor> a = {};
  std::vector<at::Tensor> b = {};
  at::Tensor transformed = {};
};

// Writes the grids of every round for which both sides have samples, half of a
// grid from each twin. The last round's show `last`, so that each cell of the
// third grid is the same cell of the first, changed.
std::vector<runs::GridStep> DrawSteps(
    const base::Path& folder, const std::vector<plan::ModelPlan>& models,
    const LastDrawn& last);

// The users' first images, in order: [image, height, width, channel]. At most
// `per_user` of each user and about `most` in all. Private data.
struct ImageLimits {
  std::int64_t per_user = 1;
  std::int64_t most = 24;
};
at::Tensor FirstImages(const models::Examples& examples,
                       const ImageLimits& limits);

// Writes a grid of images with values -1 … 1 as the PNG file `name`.
void WriteGrid(const base::Path& folder, const std::string& name,
               const at::Tensor& images);

}  // namespace sfumato::inspect
