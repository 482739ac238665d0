// What is true of a made-up device: what was done to its images, drawn at
// random, and what the network should say of it.
//
//   const Truth truth = DrawTruth(families, shape, /*marks=*/1, rng);
//   truth.damage(images, rng);  // as that device leaves them
//   truth.outputs;              // {4}: only the output of families[4] is high
//
// Outputs are the families, in their order, and behind them one for damages of
// no family.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "census/voter/image_families.h"

namespace sfumato::census {

struct Truth {
  ImageDamage damage = [](ImageSet&, base::Rng&) {};
  std::vector<std::int64_t> outputs = {};  // that should be high
};

// Families that take more lessons than the others.
bool IsHard(const ImageFamily& family);

// Nothing is seen beside a blank image.
bool IsBlank(const ImageFamily& family);

// One damage after the other. Rows that are lost before they become columns are
// seen as columns, so a transposition comes first. REQUIRES: two families.
ImageDamage Both(const ImageFamily& first, ImageDamage one,
                 const ImageFamily& second, ImageDamage two);

// Of two families that can be seen beside each other, hard ones more often.
Truth DrawPair(std::span<const ImageFamily> families, base::Rng& rng);

// Of a lesson: nothing, a damage of no family, of one, or of two, which is what
// most lessons are about if there are several `marks`.
Truth DrawTruth(std::span<const ImageFamily> families,
                const data::ImageShape& shape, std::int64_t marks,
                base::Rng& rng);

}  // namespace sfumato::census
