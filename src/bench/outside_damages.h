// Damages that are in no catalogue: how a census answers what nobody thought
// of.
//
//   for (const OutsideImage& damage : OutsideImages()) {
//     damage.change(images, rng);
//   }
//
// What a voter learns "none of these" from (census/voter/image_oddities.cc,
// made_up_text.cc) must be of other kinds. Those that are fresh were written
// after the voter, and nothing was changed since because of them: if something
// is, they are fresh no more, and others have to be thought of.

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
  bool fresh = false;
};
const std::vector<OutsideImage>& OutsideImages();

struct OutsideText {
  std::string words;
  census::TextChange change;
  bool fresh = false;
};
const std::vector<OutsideText>& OutsideTexts();

}  // namespace sfumato::bench
