// The pictures of an inspection's page: what its models drew, round by round,
// and, in simulations, what they were to draw.

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

// What was compared in the end: images of each model of a side, and those of
// side A, in their order, as the first hypothesis changes them; undefined: none
// is supported.
struct LastDrawn {
  std::vector<at::Tensor> a = {};
  std::vector<at::Tensor> b = {};
  at::Tensor transformed = {};
};

// Writes the grids of every round of which both sides have samples, half of a
// grid from each twin. Those of the last round are of `last`, so that a cell of
// its third grid is that of the first, changed.
std::vector<runs::GridStep> DrawSteps(
    const base::Path& folder, const std::vector<plan::ModelPlan>& models,
    const LastDrawn& last);

// The first images of users in their order, at most `per_user` of each and
// about `most` in all: [image, height, width, channel]. Private data.
struct Some {
  std::int64_t per_user = 1;
  std::int64_t most = 24;
};
at::Tensor SomeImages(const models::Examples& examples, const Some& some);

// A grid of images -1 … 1 as a PNG file of that name in the folder.
void WriteGrid(const base::Path& folder, const std::string& name,
               const at::Tensor& images);

}  // namespace sfumato::inspect
