#include "census/voter/image_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "base/random.h"
#include "fmt/format.h"

// What every number means, one pixel at a time: the program takes four columns
// at a time, and all figures in a few passes.

namespace sfumato::census {
namespace {

using Numbers = std::vector<double>;

struct Grid {
  int height = 0;
  int width = 0;
  Numbers at = {};

  double operator()(int y, int x) const {
    return at[static_cast<std::size_t>(y * width + x)];
  }
  Grid Turned() const {
    Grid turned{.height = width, .width = height};
    for (int x = 0; x < width; ++x) {
      for (int y = 0; y < height; ++y) turned.at.push_back((*this)(y, x));
    }
    return turned;
  }
};

struct Image {
  data::ImageShape shape;
  data::Pixels pixels;

  Grid Channel(int channel) const {
    Grid grid{.height = shape.height, .width = shape.width};
    for (std::size_t i = 0; i < pixels.size();
         i += static_cast<std::size_t>(shape.channels)) {
      grid.at.push_back(pixels[i + static_cast<std::size_t>(channel)] / 255.);
    }
    return grid;
  }
  Grid Grey() const {
    Grid grey = Channel(0);
    for (int c = 1; c < shape.channels; ++c) {
      const Grid more = Channel(c);
      for (std::size_t i = 0; i < grey.at.size(); ++i) grey.at[i] += more.at[i];
    }
    for (double& level : grey.at) level /= shape.channels;
    return grey;
  }
};

double MeanOf(const Grid& grid, int top, int bottom, int left, int right) {
  double sum = 0;
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x) sum += grid(y, x);
  }
  return sum / ((bottom - top) * (right - left));
}

// Means of `down` × `across` equal parts.
Numbers Parts(const Grid& grid, int down, int across) {
  Numbers means;
  const auto edge = [](int i, int parts, int length) {
    return i * length / parts;
  };
  for (int j = 0; j < down; ++j) {
    for (int i = 0; i < across; ++i) {
      means.push_back(MeanOf(
          grid, edge(j, down, grid.height), edge(j + 1, down, grid.height),
          edge(i, across, grid.width), edge(i + 1, across, grid.width)));
    }
  }
  return means;
}

Numbers Edges(const Grid& grid) {
  Numbers cells(6 * 6 * 6);
  for (int y = 0; y + 1 < grid.height; ++y) {
    for (int x = 0; x + 1 < grid.width; ++x) {
      const double across =
          (grid(y, x + 1) + grid(y + 1, x + 1) - grid(y, x) - grid(y + 1, x)) /
          2;
      const double down =
          (grid(y + 1, x) + grid(y + 1, x + 1) - grid(y, x) - grid(y, x + 1)) /
          2;
      const double size = std::hypot(across, down);
      if (size < 1e-4) continue;
      const double twice = 2 * std::atan2(down, across);
      const int cell = y * 6 / (grid.height - 1) * 6 + x * 6 / (grid.width - 1);
      for (int k = 0; k < 6; ++k) {
        cells[static_cast<std::size_t>(cell * 6 + k)] +=
            size *
            std::max(0.0, std::cos(twice - 2 * std::numbers::pi * k / 6));
      }
    }
  }
  const double per_cell = (grid.height - 1) * (grid.width - 1) / 36.;
  for (double& cell : cells) cell = std::sqrt(cell / std::max(1.0, per_cell));
  return cells;
}

Numbers Levels(const data::Pixels& pixels) {
  Numbers shares(32);
  for (const int level : pixels) {
    shares[static_cast<std::size_t>(level / 8)] +=
        1 / static_cast<double>(pixels.size());
  }
  for (double& share : shares) share = std::sqrt(share);
  return shares;
}

Numbers MidTones(const data::Pixels& pixels) {
  const int low = *std::ranges::min_element(pixels);
  const int high = *std::ranges::max_element(pixels);
  const int margin = (high - low) / 24;
  std::vector<int> between;
  for (const int level : pixels) {
    if (level > low + margin && level < high - margin) between.push_back(level);
  }
  std::ranges::sort(between);
  Numbers quantiles;
  for (int q = 1; q <= 9; ++q) {
    // The first level with a count at or below it that is no less than that.
    const double wanted = static_cast<double>(between.size()) * q / 10;
    const auto place = static_cast<std::size_t>(std::ceil(wanted - 1e-9)) - 1;
    quantiles.push_back(
        between.empty() ? 0.5
                        : (between[place] - low) /
                              std::max(1.0, static_cast<double>(high - low)));
  }
  return quantiles;
}

double Log(double value) { return std::log(value + 1e-4); }

// Slope, bend, uneven and crossing from left to right.
Numbers Steps(const Grid& grid) {
  double even_odd[2] = {};
  double bend = 0;
  double crossing = 0;
  for (int y = 0; y < grid.height; ++y) {
    for (int x = 0; x + 1 < grid.width; ++x) {
      const double slope = grid(y, x + 1) - grid(y, x);
      even_odd[x % 2] += slope * slope;
      if (x + 2 == grid.width) continue;
      const double next = grid(y, x + 2) - grid(y, x + 1);
      bend += (next - slope) * (next - slope);
      crossing += next * slope < -1e-3 ? 1 : 0;
    }
  }
  const double pairs = std::max(1, grid.height * (grid.width - 1));
  const double both = even_odd[0] + even_odd[1];
  return {Log(both / pairs), Log(bend / pairs),
          (even_odd[0] - even_odd[1]) / (both + 1e-3 * pairs),
          crossing / pairs};
}

// Rows of one level, and how far they stand out.
Numbers Flat(const Grid& grid) {
  double flat = 0;
  double standing = 0;
  for (int y = 0; y < grid.height; ++y) {
    Numbers row;
    for (int x = 0; x < grid.width; ++x) row.push_back(grid(y, x));
    const auto [low, high] = std::ranges::minmax(row);
    if (high - low > 0.02) continue;
    flat += 1;
    if (y == 0 || y + 1 == grid.height) continue;
    for (int x = 0; x < grid.width; ++x) {
      standing += (std::abs(grid(y - 1, x) - grid(y, x)) +
                   std::abs(grid(y + 1, x) - grid(y, x))) /
                  (2 * grid.width);
    }
  }
  return {flat / grid.height, std::sqrt(standing / grid.height)};
}

Numbers Figures(const Image& image) {
  const Grid grey = image.Grey();
  const Grid turned = grey.Turned();
  const auto n = static_cast<double>(grey.at.size());
  const double mean = MeanOf(grey, 0, grey.height, 0, grey.width);
  double variance = 0;
  for (const double level : grey.at) {
    variance += (level - mean) * (level - mean) / n;
  }
  double alone = 0;
  double strength = 0;
  for (int y = 1; y + 1 < grey.height; ++y) {
    for (int x = 1; x + 1 < grey.width; ++x) {
      const double here = grey(y, x);
      const double near = std::min(
          {std::abs(here - grey(y - 1, x)), std::abs(here - grey(y + 1, x)),
           std::abs(here - grey(y, x - 1)), std::abs(here - grey(y, x + 1))});
      alone += near > 0.12 ? 1 : 0;
      strength += near;
    }
  }
  double colour = 0;
  if (image.shape.channels >= 3) {
    const Grid r = image.Channel(0);
    const Grid g = image.Channel(1);
    const Grid b = image.Channel(2);
    for (std::size_t i = 0; i < grey.at.size(); ++i) {
      colour += (r.at[i] - b.at[i] + std::abs(r.at[i] - g.at[i]) +
                 std::abs(g.at[i] - b.at[i])) /
                n;
    }
  }
  const auto all = static_cast<double>(image.pixels.size());
  data::Pixels levels = image.pixels;
  std::ranges::sort(levels);
  const auto different =
      static_cast<double>(std::ranges::unique(levels).begin() - levels.begin());
  const Numbers across = Steps(grey);
  const Numbers down = Steps(turned);
  const Numbers rows = Flat(grey);
  const Numbers columns = Flat(turned);
  return {mean,
          std::sqrt(variance),
          *std::ranges::min_element(grey.at),
          *std::ranges::max_element(grey.at),
          across[0],
          down[0],
          across[1],
          down[1],
          across[2],
          down[2],
          across[3],
          down[3],
          Log(alone / n),
          Log(strength / n),
          static_cast<double>(std::ranges::count(image.pixels, 0)) / all,
          static_cast<double>(std::ranges::count(image.pixels, 255)) / all,
          Log(different / 256),
          rows[0],
          rows[1],
          columns[0],
          columns[1],
          colour};
}

Numbers PointsOf(const Image& image) {
  const auto& [height, width, channels] = image.shape;
  Numbers points;
  const auto add = [&](const Numbers& more) {
    points.insert(points.end(), more.begin(), more.end());
  };
  for (int c = 0; c < channels; ++c) {
    add(Parts(image.Channel(c), std::min(height, 14), std::min(width, 14)));
  }
  add(Parts(image.Grey(), std::min(height, 28), 1));
  add(Parts(image.Grey(), 1, std::min(width, 28)));
  add(Edges(image.Grey()));
  add(Levels(image.pixels));
  add(MidTones(image.pixels));
  add(Figures(image));
  return points;
}

enum class Kind { kNoise, kStrokes, kOneLevel };

Image Draw(const data::ImageShape& shape, Kind kind, base::Rng& rng) {
  Image image{.shape = shape, .pixels = {}};
  const std::uint8_t ground = static_cast<std::uint8_t>(rng.Below(256));
  for (int y = 0; y < shape.height; ++y) {
    for (int i = 0; i < shape.width * shape.channels; ++i) {
      const bool ink = kind == Kind::kNoise || (kind == Kind::kStrokes &&
                                                y % 5 != 2 && (i + y) % 7 < 3);
      image.pixels.push_back(ink ? static_cast<std::uint8_t>(rng.Below(256))
                                 : ground);
    }
  }
  return image;
}

TEST(ImagePointsTest, AreWhatTheirDefinitionsSay) {
  base::Rng rng(3, {base::Key("points")});
  for (const data::ImageShape& shape :
       std::vector<data::ImageShape>{{28, 28, 1},
                                     {16, 16, 1},
                                     {32, 32, 3},
                                     {30, 33, 1},
                                     {7, 41, 3},
                                     {41, 6, 2},
                                     {3, 5, 1},
                                     {2, 2, 4},
                                     {1, 9, 1},
                                     {9, 1, 1},
                                     {1, 1, 1}}) {
    const ImagePoints points(shape);
    for (const Kind kind : {Kind::kNoise, Kind::kStrokes, Kind::kOneLevel}) {
      const Image image = Draw(shape, kind, rng);
      std::vector<float> own(static_cast<std::size_t>(points.size()));
      points.Write({shape, image.pixels}, own);
      const Numbers expected = PointsOf(image);
      ASSERT_EQ(own.size(), expected.size());
      for (std::size_t i = 0; i < own.size(); ++i) {
        EXPECT_NEAR(own[i], expected[i], 1e-3) << fmt::format(
            "{}×{}×{}, kind {}, number {} of {}", shape.height, shape.width,
            shape.channels, static_cast<int>(kind), i, own.size());
      }
    }
  }
}

}  // namespace
}  // namespace sfumato::census
