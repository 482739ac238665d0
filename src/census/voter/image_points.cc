#include "census/voter/image_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <vector>

namespace sfumato::census {
namespace {

constexpr int kSide = 14;         // of the small image
constexpr int kLines = 28;        // means of rows, of columns
constexpr int kCells = 6;         // of edge orientations, per side
constexpr int kOrientations = 6;  // of half a turn
constexpr int kLevels = 32;
constexpr int kQuantiles = 9;
constexpr int kFigures = 22;

int Smaller(int side, int most) { return std::min(side, most); }

// Means of `parts` equal stretches of `from`, each `step` numbers apart.
void Stretches(const float* from, int length, int parts, float* out) {
  for (int i = 0; i < parts; ++i) {
    const int first = i * length / parts;
    const int last = std::max(first + 1, (i + 1) * length / parts);
    float sum = 0;
    for (int k = first; k < last; ++k) sum += from[k];
    out[i] = sum / static_cast<float>(last - first);
  }
}

struct Grid {
  int height;
  int width;
  const float* at;  // 0 … 1

  float operator()(int y, int x) const {
    return at[static_cast<std::ptrdiff_t>(y) * width + x];
  }
};

float* WriteSmall(const Grid& plane, float* out) {
  const int h = Smaller(plane.height, kSide);
  const int w = Smaller(plane.width, kSide);
  for (int j = 0; j < h; ++j) {
    const int top = j * plane.height / h;
    const int bottom = std::max(top + 1, (j + 1) * plane.height / h);
    for (int i = 0; i < w; ++i) {
      const int left = i * plane.width / w;
      const int right = std::max(left + 1, (i + 1) * plane.width / w);
      float sum = 0;
      for (int y = top; y < bottom; ++y) {
        for (int x = left; x < right; ++x) sum += plane(y, x);
      }
      *out++ = sum / static_cast<float>((bottom - top) * (right - left));
    }
  }
  return out;
}

float* WriteLines(const Grid& grey, float* out) {
  std::vector<float> rows(static_cast<std::size_t>(grey.height));
  std::vector<float> columns(static_cast<std::size_t>(grey.width));
  for (int y = 0; y < grey.height; ++y) {
    for (int x = 0; x < grey.width; ++x) {
      rows[static_cast<std::size_t>(y)] += grey(y, x);
      columns[static_cast<std::size_t>(x)] += grey(y, x);
    }
  }
  for (float& row : rows) row /= static_cast<float>(grey.width);
  for (float& column : columns) column /= static_cast<float>(grey.height);
  const int h = Smaller(grey.height, kLines);
  const int w = Smaller(grey.width, kLines);
  Stretches(rows.data(), grey.height, h, out);
  Stretches(columns.data(), grey.width, w, out + h);
  return out + h + w;
}

// How much edge of each orientation is in each cell; a small turn is a small
// change.
float* WriteEdges(const Grid& grey, float* out) {
  static const auto kTurns = [] {
    std::array<std::array<float, 2>, kOrientations> turns{};
    for (int k = 0; k < kOrientations; ++k) {
      const double angle = 2 * std::numbers::pi * k / kOrientations;
      turns[static_cast<std::size_t>(k)] = {
          static_cast<float>(std::cos(angle)),
          static_cast<float>(std::sin(angle))};
    }
    return turns;
  }();
  constexpr int kAll = kCells * kCells * kOrientations;
  std::fill_n(out, kAll, 0.0F);
  for (int y = 0; y + 1 < grey.height; ++y) {
    float* row = out + y * kCells / (grey.height - 1) * kCells * kOrientations;
    for (int x = 0; x + 1 < grey.width; ++x) {
      const float a = grey(y, x);
      const float b = grey(y, x + 1);
      const float c = grey(y + 1, x);
      const float d = grey(y + 1, x + 1);
      const float across = (b + d - a - c) / 2;
      const float down = (c + d - a - b) / 2;
      const float size = std::sqrt(across * across + down * down);
      if (size < 1e-4F) continue;
      const float twice_cos = (across * across - down * down) / size;
      const float twice_sin = 2 * across * down / size;
      float* cell = row + x * kCells / (grey.width - 1) * kOrientations;
      for (std::size_t k = 0; k < kOrientations; ++k) {
        const float part = twice_cos * kTurns[k][0] + twice_sin * kTurns[k][1];
        cell[k] += std::max(part, 0.0F);
      }
    }
  }
  const auto per_cell =
      static_cast<float>((grey.height - 1) * (grey.width - 1)) /
      (kCells * kCells);
  for (int i = 0; i < kAll; ++i) {
    out[i] = std::sqrt(out[i] / std::max(per_cell, 1.0F));
  }
  return out + kAll;
}

float* WriteLevels(const data::ImageView& image, float* out) {
  std::fill_n(out, kLevels, 0.0F);
  for (const std::uint8_t level : image.pixels) out[level * kLevels / 256] += 1;
  for (int i = 0; i < kLevels; ++i) {
    out[i] = std::sqrt(out[i] / static_cast<float>(image.pixels.size()));
  }
  return out + kLevels;
}

// Quantiles of the levels between the darkest and the brightest of the image:
// where its mid-tones lie, however much of it is background.
float* WriteMidTones(const data::ImageView& image, float* out) {
  std::array<int, 256> counts{};
  int low = 255;
  int high = 0;
  for (const std::uint8_t level : image.pixels) {
    ++counts[level];
    low = std::min<int>(low, level);
    high = std::max<int>(high, level);
  }
  const int margin = (high - low) / 24;
  int between = 0;
  for (int l = low + margin + 1; l < high - margin; ++l) {
    between += counts[static_cast<std::size_t>(l)];
  }
  int level = low + margin + 1;
  int below = 0;
  for (int q = 0; q < kQuantiles; ++q) {
    const double wanted = between * (q + 1.0) / (kQuantiles + 1);
    while (level < high - margin &&
           below + counts[static_cast<std::size_t>(level)] < wanted) {
      below += counts[static_cast<std::size_t>(level++)];
    }
    out[q] = between == 0 ? 0.5F
                          : static_cast<float>(level - low) /
                                static_cast<float>(std::max(1, high - low));
  }
  return out + kQuantiles;
}

float Log(double value) { return static_cast<float>(std::log(value + 1e-4)); }

struct Steps {
  double slope = 0;     // mean square of first differences
  double bend = 0;      // of second ones
  double uneven = 0;    // first differences at even places less those at odd
  double crossing = 0;  // share of places where first differences change sign
};

Steps StepsAlong(const float* at, int lines, std::ptrdiff_t line_step,
                 int length, std::ptrdiff_t step) {
  Steps sums;
  double even = 0;
  double odd = 0;
  for (int line = 0; line < lines; ++line) {
    const float* p = at + line * line_step;
    for (int i = 0; i + 1 < length; ++i, p += step) {
      const float slope = p[step] - p[0];
      sums.slope += slope * slope;
      (i % 2 == 0 ? even : odd) += slope * slope;
      if (i + 2 < length) {
        const float next = p[2 * step] - p[step];
        sums.bend += (next - slope) * (next - slope);
        sums.crossing += next * slope < -1e-3F ? 1 : 0;
      }
    }
  }
  const double pairs = std::max(1.0, static_cast<double>(lines) * (length - 1));
  sums.uneven = (even - odd) / (even + odd + 1e-3 * pairs);
  sums.slope /= pairs;
  sums.bend /= pairs;
  sums.crossing /= pairs;
  return sums;
}

// Share of rows that are of one level throughout, and how far they stand out
// from their neighbours.
std::array<float, 2> FlatLines(const float* at, int lines,
                               std::ptrdiff_t line_step, int length,
                               std::ptrdiff_t step) {
  double flat = 0;
  double standing = 0;
  for (int line = 0; line < lines; ++line) {
    const float* p = at + line * line_step;
    float low = p[0];
    float high = p[0];
    for (int i = 1; i < length; ++i) {
      low = std::min(low, p[i * step]);
      high = std::max(high, p[i * step]);
    }
    if (high - low > 0.02F) continue;
    flat += 1;
    if (line == 0 || line + 1 == lines) continue;
    double away = 0;
    for (int i = 0; i < length; ++i) {
      const float* q = p + i * step;
      away += std::abs(q[-line_step] - q[0]) + std::abs(q[line_step] - q[0]);
    }
    standing += away / (2 * length);
  }
  return {static_cast<float>(flat / lines),
          static_cast<float>(std::sqrt(standing / lines))};
}

float* WriteFigures(const data::ImageView& image, const Grid& grey,
                    float* out) {
  const std::ptrdiff_t w = grey.width;
  const Steps across = StepsAlong(grey.at, grey.height, w, grey.width, 1);
  const Steps down = StepsAlong(grey.at, grey.width, 1, grey.height, w);
  double sum = 0;
  double squares = 0;
  double low = 1;
  double high = 0;
  for (int i = 0; i < grey.height * grey.width; ++i) {
    const double level = grey.at[i];
    sum += level;
    squares += level * level;
    low = std::min(low, level);
    high = std::max(high, level);
  }
  const double n = static_cast<double>(grey.height) * grey.width;
  const double mean = sum / n;
  // Pixels that none of their neighbours resembles.
  double alone = 0;
  double alone_strength = 0;
  for (int y = 1; y + 1 < grey.height; ++y) {
    for (int x = 1; x + 1 < grey.width; ++x) {
      const float here = grey(y, x);
      const float near = std::min(
          {std::abs(here - grey(y - 1, x)), std::abs(here - grey(y + 1, x)),
           std::abs(here - grey(y, x - 1)), std::abs(here - grey(y, x + 1))});
      alone += near > 0.12F ? 1 : 0;
      alone_strength += near;
    }
  }
  std::array<bool, 256> seen{};
  double black = 0;
  double white = 0;
  for (const std::uint8_t level : image.pixels) {
    seen[level] = true;
    black += level == 0 ? 1 : 0;
    white += level == 255 ? 1 : 0;
  }
  const auto all = static_cast<double>(image.pixels.size());
  const auto rows = FlatLines(grey.at, grey.height, w, grey.width, 1);
  const auto columns = FlatLines(grey.at, grey.width, 1, grey.height, w);
  double red_blue = 0;
  double colour = 0;
  if (image.shape.channels >= 3) {
    for (std::size_t i = 0; i + 2 < image.pixels.size();
         i += static_cast<std::size_t>(image.shape.channels)) {
      const int r = image.pixels[i];
      const int g = image.pixels[i + 1];
      const int b = image.pixels[i + 2];
      red_blue += r - b;
      colour += std::abs(r - g) + std::abs(g - b);
    }
    red_blue /= 255 * n;
    colour /= 255 * n;
  }
  const std::array<float, kFigures> figures = {
      static_cast<float>(mean),
      static_cast<float>(std::sqrt(std::max(0.0, squares / n - mean * mean))),
      static_cast<float>(low),
      static_cast<float>(high),
      Log(across.slope),
      Log(down.slope),
      Log(across.bend),
      Log(down.bend),
      static_cast<float>(across.uneven),
      static_cast<float>(down.uneven),
      static_cast<float>(across.crossing),
      static_cast<float>(down.crossing),
      Log(alone / n),
      Log(alone_strength / n),
      static_cast<float>(black / all),
      static_cast<float>(white / all),
      Log(static_cast<double>(std::ranges::count(seen, true)) / 256),
      rows[0],
      rows[1],
      columns[0],
      columns[1],
      static_cast<float>(red_blue + colour)};
  return std::ranges::copy(figures, out).out;
}

}  // namespace

ImagePoints::ImagePoints(const data::ImageShape& shape) : shape_(shape) {
  const int h = Smaller(shape.height, kSide);
  const int w = Smaller(shape.width, kSide);
  placed_ = h * w * shape.channels + Smaller(shape.height, kLines) +
            Smaller(shape.width, kLines) + kCells * kCells * kOrientations;
  size_ = placed_ + kLevels + kQuantiles + kFigures;
}

void ImagePoints::Write(const data::ImageView& image,
                        std::span<float> out) const {
  const std::size_t pixels =
      static_cast<std::size_t>(shape_.height) * shape_.width;
  const auto channels = static_cast<std::size_t>(shape_.channels);
  std::vector<float> plane(pixels);
  std::vector<float> grey(pixels);
  float* next = out.data();
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t i = 0; i < pixels; ++i) {
      plane[i] = static_cast<float>(image.pixels[i * channels + c]) / 255;
      grey[i] += plane[i] / static_cast<float>(channels);
    }
    next = WriteSmall({shape_.height, shape_.width, plane.data()}, next);
  }
  const Grid whole{shape_.height, shape_.width, grey.data()};
  next = WriteLines(whole, next);
  next = WriteEdges(whole, next);
  next = WriteLevels(image, next);
  next = WriteMidTones(image, next);
  WriteFigures(image, whole, next);
}

}  // namespace sfumato::census
