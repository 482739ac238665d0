// Damages that are in no catalogue, and that no margin was ever tuned on: how a
// census answers what nobody thought of.
//
//   for (const OutsideImage& damage : OutsideImages()) {
//     damage.change(images, rng);
//   }
//
// Keep them so: what a voter learns "none of these" from
// (census/voter/image_oddities.cc, made_up_text.cc) must be of other kinds.

#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "census/voter/image_families.h"
#include "census/voter/text_damages.h"

namespace sfumato::bench {

struct OutsideImage {
  std::string words;
  census::ImageDamage change;  // to all images of a device
};
const std::vector<OutsideImage>& OutsideImages();

struct OutsideText {
  std::string words;
  census::TextChange change;
};
const std::vector<OutsideText>& OutsideTexts();

}  // namespace sfumato::bench
