// The families of damages that a census of images asks about, as each device's
// voter learns them: drawn at random, and in the strengths of the calibration.
//
//   for (const ImageFamily& family : ImageFamilies(shape, 10)) {
//     const ImageDamage damage = family.draw(rng);
//     damage(images, rng);  // as that device leaves them
//   }
//
// Keys, words and causes are those of eval's catalogue (eval/hypotheses.h). A
// damage is what one device does to all of its images: which angle, which rows.
// What a stage draws anew for each image (noise, scattered rows) comes from the
// stream that it is given.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/random.h"
#include "data/dataset.h"
#include "data/transform/image_bugs.h"

namespace sfumato::census {

// Images of one device, all of the same shape.
struct ImageSet {
  data::ImageShape shape = {};
  std::vector<data::Pixels> images = {};
  std::vector<std::int32_t> labels = {};  // [image]; −1: none
};

using ImageDamage = std::function<void(ImageSet&, base::Rng&)>;

// A strength with its name: "30°".
struct NamedDamage {
  std::string values = "";
  ImageDamage damage = {};
};

struct ImageFamily {
  std::string key = "";
  std::string words = "";  // "turned"
  std::string cause = "";
  // As a device in the field might have it. The range is continuous.
  std::function<ImageDamage(base::Rng&)> draw = {};
  std::vector<NamedDamage> strengths = {};
};

// Those that have a meaning for images of this shape; with `classes` of labels
// also those of labels.
std::vector<ImageFamily> ImageFamilies(const data::ImageShape& shape,
                                       std::int64_t classes);

// Damages of no family, of very different kinds, for the voter to learn what
// "none of these" looks like.
ImageDamage DrawOddity(const data::ImageShape& shape, base::Rng& rng);

// One image through `change(view, rng)`.
template <typename Change>
ImageDamage EachImage(Change change) {
  return [change](ImageSet& set, base::Rng& rng) {
    for (data::Pixels& image : set.images) {
      image = change(data::ImageView{set.shape, image}, rng);
    }
  };
}

// The image whose pixel is `value(view, x, y, channel)`, rounded to 0 … 255.
ImageDamage EachPixel(const std::function<double(const data::ImageView&, int x,
                                                 int y, int c)>& value);

// Every level 0 … 1 of every pixel through `curve`.
ImageDamage LevelCurve(const std::function<double(double)>& curve);

}  // namespace sfumato::census
