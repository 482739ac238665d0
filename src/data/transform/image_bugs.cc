#include "data/transform/image_bugs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>

#include "base/error.h"
#include "base/portable_math.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

std::size_t Offset(const ImageShape& shape, int x, int y) {
  return (static_cast<std::size_t>(y) * shape.width + x) * shape.channels;
}

// The image whose pixel (x, y) is `source(x, y, channel)`.
template <typename Source>
Pixels Draw(const ImageShape& shape, const Source& source) {
  Pixels out(shape.size());
  std::size_t i = 0;
  for (int y = 0; y < shape.height; ++y) {
    for (int x = 0; x < shape.width; ++x) {
      for (int c = 0; c < shape.channels; ++c) out[i++] = source(x, y, c);
    }
  }
  return out;
}

double ValueOrBackground(const ImageView& image, int x, int y, int c) {
  const bool inside =
      x >= 0 && y >= 0 && x < image.shape.width && y < image.shape.height;
  return inside ? image.at(x, y, c) : 0;
}

// Bilinear interpolation; pixel centres are whole numbers.
double Sample(const ImageView& image, double x, double y, int c) {
  const double left = std::floor(x);
  const double top = std::floor(y);
  if (left < -1 || top < -1 || left >= image.shape.width ||
      top >= image.shape.height) {
    return 0;
  }
  const int x0 = static_cast<int>(left);
  const int y0 = static_cast<int>(top);
  const double u = x - left;
  const double v = y - top;
  const double upper = (1 - u) * ValueOrBackground(image, x0, y0, c) +
                       u * ValueOrBackground(image, x0 + 1, y0, c);
  const double lower = (1 - u) * ValueOrBackground(image, x0, y0 + 1, c) +
                       u * ValueOrBackground(image, x0 + 1, y0 + 1, c);
  return (1 - v) * upper + v * lower;
}

// A linear map about the centre, from the new image to the old.
struct Map {
  double xx = 1, xy = 0, yx = 0, yy = 1;
};

// Each new pixel is the mean of n × n samples spread evenly over it.
Pixels Warp(const ImageView& image, const Map& map, int n) {
  const double centre_x = (image.shape.width - 1) / 2.0;
  const double centre_y = (image.shape.height - 1) / 2.0;
  return Draw(image.shape, [&](int x, int y, int c) {
    double sum = 0;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const double dx = x - centre_x + (i + 0.5) / n - 0.5;
        const double dy = y - centre_y + (j + 0.5) / n - 0.5;
        sum += Sample(image, centre_x + map.xx * dx + map.xy * dy,
                      centre_y + map.yx * dx + map.yy * dy, c);
      }
    }
    return static_cast<std::uint8_t>(std::floor(sum / (n * n) + 0.5));
  });
}

// [height + 1, width + 1, channel]: the sum of all values above and to the left
// of a corner between pixels.
std::vector<std::uint64_t> SumsAboveLeft(const ImageView& image) {
  const auto [height, width, channels] = image.shape;
  const ImageShape corners{height + 1, width + 1, channels};
  std::vector<std::uint64_t> sums(corners.size());
  for (int y = 0; y < height; ++y) {
    for (int c = 0; c < channels; ++c) {
      std::uint64_t row = 0;
      for (int x = 0; x < width; ++x) {
        row += image.at(x, y, c);
        sums[Offset(corners, x + 1, y + 1) + c] =
            sums[Offset(corners, x + 1, y) + c] + row;
      }
    }
  }
  return sums;
}

// Rows that are dead on this device: `rows` of them in a block from `first`, or
// anywhere when that is negative.
std::vector<int> RowsOf(const ImageShape& shape, const BugValues& values,
                        base::Rng& device) {
  const int count = static_cast<int>(values.at("rows"));
  const int first = static_cast<int>(values.at("first"));
  std::vector<int> rows(static_cast<std::size_t>(shape.height));
  std::iota(rows.begin(), rows.end(), std::max(first, 0));
  if (first < 0) device.Shuffle(std::span(rows));
  rows.resize(static_cast<std::size_t>(count));
  return rows;
}

void CheckRows(const ImageShape& shape, const BugValues& values) {
  const double first = std::max(values.at("first"), 0.0);
  if (first + values.at("rows") > shape.height) {
    throw BadInput(
        fmt::format("{} dead rows from row {} on where an image has {}",
                    values.at("rows"), first, shape.height),
        "parameter 'rows'", fmt::format("give at most {}", shape.height));
  }
}

Patch PatchOf(const ImageShape& shape, double size, base::Rng& device) {
  const auto side = [size](int whole) {
    return std::max(1, static_cast<int>(std::floor(size * whole + 0.5)));
  };
  const auto place = [&device](int room) {
    return static_cast<int>(device.Below(static_cast<std::uint64_t>(room) + 1));
  };
  Patch patch;
  patch.width = side(shape.width);
  patch.height = side(shape.height);
  patch.left = place(shape.width - patch.width);
  patch.top = place(shape.height - patch.height);
  return patch;
}

Pixels StuckOnDevice(const ImageView& image, const BugValues& values,
                     ImageMoment moment) {
  const Patch patch = PatchOf(image.shape, values.at("size"), moment.device);
  const double value = values.at("value");
  if (value < 0) return Stuck(image, moment.first, patch);
  const Pixels flat(image.shape.size(), static_cast<std::uint8_t>(value));
  return Stuck(image, {image.shape, flat}, patch);
}

}  // namespace

Pixels Invert(const ImageView& image) {
  Pixels out(image.pixels.begin(), image.pixels.end());
  for (std::uint8_t& value : out) value = static_cast<std::uint8_t>(~value);
  return out;
}

Pixels Mirror(const ImageView& image) {
  return Draw(image.shape, [&](int x, int y, int c) {
    return image.at(image.shape.width - 1 - x, y, c);
  });
}

Pixels Rotate(const ImageView& image, double degrees) {
  const double quarters = degrees / 90;
  double sine = base::PortableSin(degrees * std::numbers::pi / 180);
  double cosine = base::PortableCos(degrees * std::numbers::pi / 180);
  if (quarters == std::floor(quarters)) {
    sine = std::floor(sine + 0.5);
    cosine = std::floor(cosine + 0.5);
  }
  // Backwards, in coordinates where y points down.
  return Warp(image, {cosine, sine, -sine, cosine}, 1);
}

Pixels Shift(const ImageView& image, int dx, int dy) {
  return Draw(image.shape, [&](int x, int y, int c) {
    return static_cast<std::uint8_t>(
        ValueOrBackground(image, x - dx, y - dy, c));
  });
}

Pixels Blur(const ImageView& image, int radius) {
  const ImageShape& shape = image.shape;
  const std::vector<std::uint64_t> sums = SumsAboveLeft(image);
  const auto sum = [&](int x, int y, int c) {
    return sums[Offset({.width = shape.width + 1, .channels = shape.channels},
                       x, y) +
                static_cast<std::size_t>(c)];
  };
  return Draw(shape, [&](int x, int y, int c) {
    const int left = std::max(x - radius, 0);
    const int right = std::min(x + radius + 1, shape.width);
    const int top = std::max(y - radius, 0);
    const int bottom = std::min(y + radius + 1, shape.height);
    const std::uint64_t total = sum(right, bottom, c) + sum(left, top, c) -
                                sum(left, bottom, c) - sum(right, top, c);
    const auto count =
        static_cast<std::uint64_t>(right - left) * (bottom - top);
    return static_cast<std::uint8_t>((2 * total + count) / (2 * count));
  });
}

Pixels SaltAndPepper(const ImageView& image, double share, base::Rng& rng) {
  Pixels out(image.pixels.begin(), image.pixels.end());
  const auto channels = static_cast<std::ptrdiff_t>(image.shape.channels);
  for (auto pixel = out.begin(); pixel != out.end(); pixel += channels) {
    const double chance = rng.Uniform();
    if (chance >= share) continue;
    std::fill_n(pixel, channels, chance < share / 2 ? 0 : 255);
  }
  return out;
}

Pixels DeadRows(const ImageView& image, std::span<const int> rows) {
  Pixels out(image.pixels.begin(), image.pixels.end());
  const std::size_t stride = Offset(image.shape, 0, 1);
  for (const int row : rows) {
    std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(row * stride), stride,
                0);
  }
  return out;
}

Pixels Scale(const ImageView& image, double factor) {
  const double step = 1 / factor;
  return Warp(image, {.xx = step, .yy = step},
              static_cast<int>(std::ceil(step)));
}

Pixels Stuck(const ImageView& image, const ImageView& held,
             const Patch& patch) {
  return Draw(image.shape, [&](int x, int y, int c) {
    const bool inside = x >= patch.left && x < patch.left + patch.width &&
                        y >= patch.top && y < patch.top + patch.height;
    return inside ? held.at(x, y, c) : image.at(x, y, c);
  });
}

const std::vector<ImageBug>& ImageBugs() {
  using View = const ImageView&;
  using Values = const BugValues&;
  using Moment = ImageMoment;
  static const std::vector<ImageBug> bugs = {
      {{.name = "invert", .description = "light and dark change places"},
       [](View image, Values, Moment) { return Invert(image); }},
      {{.name = "mirror", .description = "left and right change places"},
       [](View image, Values, Moment) { return Mirror(image); }},
      {{.name = "rotate",
        .description = "the image is turned about its centre",
        .parameters = {{"degrees", "clockwise", 90, -360, 360}}},
       [](View image, Values v, Moment) {
         return Rotate(image, v.at("degrees"));
       }},
      {{.name = "shift",
        .description = "the image is moved; background moves in",
        .parameters = {{"dx", "pixels to the right", 6, -4096, 4096, true},
                       {"dy", "pixels down", 6, -4096, 4096, true}}},
       [](View image, Values v, Moment) {
         return Shift(image, static_cast<int>(v.at("dx")),
                      static_cast<int>(v.at("dy")));
       }},
      {{.name = "blur",
        .description = "each value is the mean of its neighbourhood",
        .parameters = {{"radius", "in pixels; the neighbourhood is a square", 2,
                        1, 64, true}}},
       [](View image, Values v, Moment) {
         return Blur(image, static_cast<int>(v.at("radius")));
       }},
      {{.name = "salt_pepper",
        .description = "some pixels turn black or white, others each time",
        .parameters = {{"pixels", "share of pixels that turn", 0.2, 0, 1}}},
       [](View image, Values v, Moment moment) {
         return SaltAndPepper(image, v.at("pixels"), moment.image);
       }},
      {{.name = "dead_rows",
        .description = "some rows of a user's sensor are always dark",
        .parameters = {{"rows", "how many", 6, 1, 16384, true},
                       {"first",
                        "where the block of them begins; -1: scattered, "
                        "elsewhere for each user",
                        -1, -1, 16383, true}}},
       [](View image, Values v, Moment moment) {
         return DeadRows(image, RowsOf(image.shape, v, moment.device));
       },
       CheckRows},
      {{.name = "scale",
        .description = "the image is drawn too large or too small",
        .parameters = {{"factor", "1 is right", 0.5, 0.1, 10}}},
       [](View image, Values v, Moment) {
         return Scale(image, v.at("factor"));
       }},
      {{.name = "stuck",
        .description =
            "a user's sensor holds what it saw in the user's first image",
        .parameters = {{"size",
                        "side of the part that is stuck, as a share of the "
                        "image; placed elsewhere for each user",
                        1, 0.01, 1},
                       {"value", "what it is stuck at; -1: the first image", -1,
                        -1, 255, true}}},
       StuckOnDevice},
  };
  return bugs;
}

}  // namespace sfumato::data
