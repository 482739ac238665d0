// Broken stages of an image pipeline. Each takes an image and returns it as the
// broken stage would, in the same shape; what moves in from outside is
// background (0). All arithmetic is exact, so that every machine agrees.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/random.h"
#include "data/dataset.h"
#include "data/transform/bugs.h"

namespace sfumato::data {

// Rows from the top, pixels from the left, channels interleaved.
using Pixels = std::vector<std::uint8_t>;

struct ImageView {
  ImageShape shape;
  std::span<const std::uint8_t> pixels;

  std::uint8_t at(int x, int y, int channel) const {
    return pixels[(static_cast<std::size_t>(y) * shape.width + x) *
                      shape.channels +
                  channel];
  }
};

// Light for dark: 255 - value.
Pixels Invert(const ImageView& image);
// Left for right.
Pixels Mirror(const ImageView& image);
// Turned clockwise about the centre, exactly where pixels fall on pixels (half
// turns, and quarter turns of a square), otherwise by bilinear interpolation.
Pixels Rotate(const ImageView& image, double degrees);
// Moved dx to the right and dy down.
Pixels Shift(const ImageView& image, int dx, int dy);
// Each value the mean of the square of side 2·radius + 1 around it, as far as
// that lies in the image.
Pixels Blur(const ImageView& image, int radius);
// Each pixel with probability `share` black or white, both alike.
Pixels SaltAndPepper(const ImageView& image, double share, base::Rng& rng);
// The given rows dark.
Pixels DeadRows(const ImageView& image, std::span<const int> rows);
// Drawn `factor` times as large about the centre.
Pixels Scale(const ImageView& image, double factor);

// A square of the sensor, in pixels.
struct Patch {
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
};
// The patch as in `held`, an image of the same shape.
Pixels Stuck(const ImageView& image, const ImageView& held, const Patch& patch);

// What a broken stage may look at beside the image: the device it runs on.
struct ImageMoment {
  ImageView first;   // the first image of the user
  base::Rng device;  // the same stream for every image of the user
  base::Rng image;   // a stream of this image's own
};

struct ImageBug {
  BugInfo info;
  std::function<Pixels(const ImageView&, const BugValues&, ImageMoment)> apply;
  // Throws BadInput when the values do not fit images of this shape.
  std::function<void(const ImageShape&, const BugValues&)> check = {};
};

const std::vector<ImageBug>& ImageBugs();

}  // namespace sfumato::data
