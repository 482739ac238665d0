#include "census/voter/image_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numbers>

// A census reads millions of images. So each feature is a loop down the rows
// for four columns at a time: sums of columns stay in registers, and what is
// beyond the last column (zeros) is left out when the columns are added up.

namespace sfumato::census {
namespace {

using Cuts = ImagePoints::Cuts;
using Stretch = ImagePoints::Stretch;

constexpr int kSide = 14;         // of the small image
constexpr int kLines = 28;        // means of rows, of columns
constexpr int kCells = 6;         // of edge orientations, per side
constexpr int kOrientations = 6;  // of half a turn
constexpr int kLevels = 32;
constexpr int kQuantiles = 9;
constexpr int kFigures = 22;
constexpr int kFour = 4;

// Every processor that we run on works on four floats at once.
typedef float Four __attribute__((vector_size(kFour * sizeof(float))));
typedef std::int32_t FourInts
    __attribute__((vector_size(kFour * sizeof(std::int32_t))));

Four Load(const float* from) {
  Four four;
  std::memcpy(&four, from, sizeof four);
  return four;
}
void Store(float* to, Four four) { std::memcpy(to, &four, sizeof four); }
Four Least(Four a, Four b) { return a < b ? a : b; }
Four Most(Four a, Four b) { return a > b ? a : b; }
Four Abs(Four x) { return Most(x, -x); }
// Adds 1 where a comparison, which gives 0 or -1, is true.
void Count(Four& counts, FourInts is_true) {
  counts -= __builtin_convertvector(is_true, Four);
}
float Sum(Four x) { return (x[0] + x[2]) + (x[1] + x[3]); }

// 1 / sqrt(x) to the last digits, by Newton's steps from a guess at the
// exponent. A square root of four floats has no name that all compilers know.
Four InverseRoot(Four x) {
  FourInts bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits = 0x5f3759df - (bits >> 1);
  Four y;
  std::memcpy(&y, &bits, sizeof y);
  const Four half = 0.5F * x;
  for (int step = 0; step < 3; ++step) y *= 1.5F - half * y * y;
  return y;
}

int RoundedUp(int n) { return (n + kFour - 1) / kFour * kFour; }

// One number for each pixel, 0 … 1, with zeros around it.
class Plane {
 public:
  Plane(const data::ImageShape& shape)
      : height_(shape.height),
        width_(shape.width),
        stride_(RoundedUp(shape.width) + kFour),
        at_(static_cast<std::size_t>(height_ + 2) *
            static_cast<std::size_t>(stride_)) {}

  int height() const { return height_; }
  int width() const { return width_; }
  // REQUIRES: 0 <= y < height. Two places beyond the width may be read, and two
  // rows below the last.
  float* Row(int y) { return at_.data() + std::ptrdiff_t{y} * stride_; }
  const float* Row(int y) const {
    return at_.data() + std::ptrdiff_t{y} * stride_;
  }
  // From one row to the next.
  std::ptrdiff_t stride() const { return stride_; }

 private:
  int height_;
  int width_;
  int stride_;
  std::vector<float> at_;
};

// Some numbers for each row or column.
template <std::size_t kNumbers>
class Lines {
 public:
  explicit Lines(int lines)
      : stride_(static_cast<std::size_t>(RoundedUp(lines))),
        at_(kNumbers * stride_) {}
  float* operator[](std::size_t number) {
    return at_.data() + number * stride_;
  }
  const float* operator[](std::size_t number) const {
    return at_.data() + number * stride_;
  }

 private:
  std::size_t stride_;
  std::vector<float> at_;
};

// --- What is where

float MeanOf(const float* from, const Stretch& stretch) {
  float sum = 0;
  for (int i = stretch.first; i < stretch.last; ++i) sum += from[i];
  return sum / static_cast<float>(stretch.last - stretch.first);
}

float* WriteSmall(const Plane& plane, const Cuts& rows, const Cuts& columns,
                  float* out) {
  Lines<1> sums(plane.width());
  for (const Stretch& band : rows.small) {
    const auto lines = static_cast<float>(band.last - band.first);
    for (int x = 0; x < plane.width(); x += kFour) {
      Four sum{};
      for (int y = band.first; y < band.last; ++y) {
        sum += Load(plane.Row(y) + x);
      }
      Store(sums[0] + x, sum / lines);
    }
    for (const Stretch& stretch : columns.small) {
      *out++ = MeanOf(sums[0], stretch);
    }
  }
  return out;
}

// Means of rows and of columns, given their sums.
float* WriteLines(const float* sums, int length, const Cuts& cuts, float* out) {
  for (const Stretch& stretch : cuts.lines) {
    *out++ = MeanOf(sums, stretch) / static_cast<float>(length);
  }
  return out;
}

// How much edge of each orientation lies between rows first … last and the ones
// below, for four columns and the ones to the right of them.
using Orientations = std::array<Four, kOrientations>;
Orientations EdgesDown(const Plane& grey, const Stretch& rows, int x) {
  constexpr float kSine = std::numbers::sqrt3_v<float> / 2;  // of 60°
  Orientations edges{};
  const float* row = grey.Row(rows.first) + x;
  for (int y = rows.first; y < rows.last; ++y, row += grey.stride()) {
    const Four a = Load(row);
    const Four b = Load(row + 1);
    const Four c = Load(row + grey.stride());
    const Four d = Load(row + grey.stride() + 1);
    const Four across = (b + d - a - c) / 2;
    const Four down = (c + d - a - b) / 2;
    const Four square = across * across + down * down;
    const Four inverse = square < 1e-8F ? Four{} : InverseRoot(square);
    // Of twice the angle, times the size of the edge.
    const Four cosine = (across * across - down * down) * inverse;
    const Four sine = 2 * across * down * inverse;
    // At 0°, 60° and 120°; the other three are opposite.
    const Four at[] = {cosine, 0.5F * cosine + kSine * sine,
                       kSine * sine - 0.5F * cosine};
    for (std::size_t k = 0; k < 3; ++k) {
      edges[k] += Most(at[k], Four{});
      edges[k + 3] += Most(-at[k], Four{});
    }
  }
  return edges;
}

// How much edge of each orientation is in each cell; a small turn is a small
// change.
float* WriteEdges(const Plane& grey, const Cuts& rows, const Cuts& columns,
                  float* out) {
  const auto per_cell = std::max(
      1.0F, static_cast<float>((grey.height() - 1) * (grey.width() - 1)) /
                (kCells * kCells));
  Lines<kOrientations> sums(grey.width());
  for (const Stretch& band : rows.cells) {
    for (int x = 0; x < grey.width(); x += kFour) {
      const Orientations edges = EdgesDown(grey, band, x);
      for (std::size_t k = 0; k < kOrientations; ++k) {
        Store(sums[k] + x, edges[k]);
      }
    }
    for (const Stretch& cell : columns.cells) {
      for (std::size_t k = 0; k < kOrientations; ++k) {
        float sum = 0;
        for (int x = cell.first; x < cell.last; ++x) sum += sums[k][x];
        *out++ = std::sqrt(sum / per_cell);
      }
    }
  }
  return out;
}

// --- Levels

using Counts = std::array<int, 256>;

Counts CountLevels(std::span<const std::uint8_t> pixels) {
  // Neighbours are often alike, and a processor waits for a count that it has
  // just changed: so there are four of each.
  std::array<Counts, 4> parts{};
  std::size_t i = 0;
  for (; i + 4 <= pixels.size(); i += 4) {
    for (std::size_t k = 0; k < 4; ++k) ++parts[k][pixels[i + k]];
  }
  for (; i < pixels.size(); ++i) ++parts[0][pixels[i]];
  for (std::size_t level = 0; level < 256; ++level) {
    parts[0][level] += parts[1][level] + parts[2][level] + parts[3][level];
  }
  return parts[0];
}

float* WriteLevels(const Counts& counts, std::size_t pixels, float* out) {
  constexpr std::size_t kOfLevel = 256 / kLevels;
  for (std::size_t i = 0; i < kLevels; ++i) {
    int count = 0;
    for (std::size_t k = 0; k < kOfLevel; ++k) {
      count += counts[i * kOfLevel + k];
    }
    *out++ = std::sqrt(static_cast<float>(count) / static_cast<float>(pixels));
  }
  return out;
}

// Quantiles of the levels between the darkest and the brightest of the image:
// where its mid-tones lie, however much of it is background.
float* WriteMidTones(const Counts& counts, float* out) {
  int low = 0;
  int high = 255;
  while (low < high && counts[static_cast<std::size_t>(low)] == 0) ++low;
  while (high > low && counts[static_cast<std::size_t>(high)] == 0) --high;
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

// --- Figures

// Of a row or a column.
enum OfLine : std::size_t {
  kSum,
  kLow,
  kHigh,
  kToNext,  // sum of absolute differences from the next line
  kOfLines
};
// Further ones, of a column.
enum OfColumn : std::size_t {
  kSquares,
  kAlone,  // pixels that none of their neighbours resembles
  kAloneStrength,
  kAcross,  // sums of squares of first differences to the right
  kAcrossBend,
  kAcrossCrossing,
  kDownEven,  // downwards, from even rows
  kDownOdd,
  kDownBend,
  kDownCrossing,
  kOfColumns
};

struct Measured {
  explicit Measured(const Plane& grey)
      : rows(grey.height()), columns(grey.width()), more(grey.width()) {}
  Lines<kOfLines> rows;
  Lines<kOfLines> columns;
  Lines<kOfColumns> more;
};

void MeasureLines(const Plane& grey, Measured& to) {
  const int height = grey.height();
  std::vector<std::array<Four, kOfLines>> rows(
      static_cast<std::size_t>(height), {Four{}, Four{} + 2, Four{}, Four{}});
  for (int x = 0; x < grey.width(); x += kFour) {
    Four beyond{};  // added to zeros that are no pixels
    for (int k = 0; k < kFour; ++k) beyond[k] = x + k < grey.width() ? 0 : 2;
    Four sum{};
    Four squares{};
    Four low = Four{} + 2;
    Four high{};
    for (int y = 0; y < height; ++y) {
      const Four here = Load(grey.Row(y) + x);
      sum += here;
      squares += here * here;
      low = Least(low, here);
      high = Most(high, here);
      auto& row = rows[static_cast<std::size_t>(y)];
      row[kSum] += here;
      row[kLow] = Least(row[kLow], here + beyond);
      row[kHigh] = Most(row[kHigh], here);
      row[kToNext] += Abs(Load(grey.Row(y) + grey.stride() + x) - here);
    }
    Store(to.columns[kSum] + x, sum);
    Store(to.columns[kLow] + x, low);
    Store(to.columns[kHigh] + x, high);
    Store(to.more[kSquares] + x, squares);
  }
  for (int y = 0; y < height; ++y) {
    const auto& row = rows[static_cast<std::size_t>(y)];
    const Four low = row[kLow];
    const Four high = row[kHigh];
    to.rows[kSum][y] = Sum(row[kSum]);
    to.rows[kLow][y] = std::min({low[0], low[1], low[2], low[3]});
    to.rows[kHigh][y] = std::max({high[0], high[1], high[2], high[3]});
    to.rows[kToNext][y] = Sum(row[kToNext]);
  }
}

void MeasureAlone(const Plane& grey, Measured& to) {
  for (int x = 0; x < grey.width(); x += kFour) {
    Four alone{};
    Four strength{};
    for (int y = 1; y + 1 < grey.height(); ++y) {
      const float* at = grey.Row(y) + x;
      const Four here = Load(at);
      const Four near =
          Least(Least(Abs(here - Load(at - grey.stride())),
                      Abs(here - Load(at + grey.stride()))),
                Least(Abs(here - Load(at - 1)), Abs(here - Load(at + 1))));
      Count(alone, near > 0.12F);
      strength += near;
    }
    Store(to.more[kAlone] + x, alone);
    Store(to.more[kAloneStrength] + x, strength);
  }
}

constexpr float kCrossing = -1e-3F;  // product of slopes up and down

void MeasureStepsAcross(const Plane& grey, Measured& to) {
  for (int x = 0; x < grey.width(); x += kFour) {
    Four slopes{};
    Four squares{};
    Four bends{};
    Four crossings{};
    for (int y = 0; y < grey.height(); ++y) {
      const float* at = grey.Row(y) + x;
      const Four right = Load(at + 1);
      const Four slope = right - Load(at);
      const Four next = Load(at + 2) - right;
      slopes += Abs(slope);
      squares += slope * slope;
      bends += (next - slope) * (next - slope);
      Count(crossings, next * slope < kCrossing);
    }
    Store(to.columns[kToNext] + x, slopes);
    Store(to.more[kAcross] + x, squares);
    Store(to.more[kAcrossBend] + x, bends);
    Store(to.more[kAcrossCrossing] + x, crossings);
  }
}

void MeasureStepsDown(const Plane& grey, Measured& to) {
  for (int x = 0; x < grey.width(); x += kFour) {
    Four squares[2] = {};  // of even and of odd rows
    Four bends{};
    Four crossings{};
    for (int y = 0; y + 1 < grey.height(); ++y) {
      const float* at = grey.Row(y) + x;
      const Four below = Load(at + grey.stride());
      const Four slope = below - Load(at);
      squares[y % 2] += slope * slope;
      if (y + 2 == grey.height()) break;
      const Four next = Load(at + 2 * grey.stride()) - below;
      bends += (next - slope) * (next - slope);
      Count(crossings, next * slope < kCrossing);
    }
    Store(to.more[kDownEven] + x, squares[0]);
    Store(to.more[kDownOdd] + x, squares[1]);
    Store(to.more[kDownBend] + x, bends);
    Store(to.more[kDownCrossing] + x, crossings);
  }
}

float Log(double value) { return static_cast<float>(std::log(value + 1e-4)); }

double SumOf(const float* from, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += from[i];
  return sum;
}

struct Steps {
  double slope = 0;     // mean square of first differences
  double bend = 0;      // of second ones
  double uneven = 0;    // first differences at even places less those at odd
  double crossing = 0;  // share of places where first differences change sign
};

// Of sums over all pairs of neighbours: lines × (length - 1).
Steps StepsOf(double even, double odd, double bend, double crossing,
              double pairs) {
  pairs = std::max(1.0, pairs);
  return {.slope = (even + odd) / pairs,
          .bend = bend / pairs,
          .uneven = (even - odd) / (even + odd + 1e-3 * pairs),
          .crossing = crossing / pairs};
}

Steps StepsAcross(const Plane& grey, const Measured& measured) {
  const int width = grey.width();
  double sums[2] = {};
  for (int x = 0; x + 1 < width; ++x) {
    sums[x % 2] += measured.more[kAcross][x];
  }
  return StepsOf(sums[0], sums[1], SumOf(measured.more[kAcrossBend], width - 2),
                 SumOf(measured.more[kAcrossCrossing], width - 2),
                 static_cast<double>(grey.height()) * (width - 1));
}

Steps StepsDown(const Plane& grey, const Measured& measured) {
  const int width = grey.width();
  return StepsOf(SumOf(measured.more[kDownEven], width),
                 SumOf(measured.more[kDownOdd], width),
                 SumOf(measured.more[kDownBend], width),
                 SumOf(measured.more[kDownCrossing], width),
                 static_cast<double>(width) * (grey.height() - 1));
}

// Share of rows (or columns) that are of one level throughout, and how far they
// stand out from their neighbours.
std::array<float, 2> FlatLines(const Lines<kOfLines>& measured, int lines,
                               int length) {
  double flat = 0;
  double standing = 0;
  for (int line = 0; line < lines; ++line) {
    if (measured[kHigh][line] - measured[kLow][line] > 0.02F) continue;
    flat += 1;
    if (line == 0 || line + 1 == lines) continue;
    const double away = static_cast<double>(measured[kToNext][line - 1]) +
                        static_cast<double>(measured[kToNext][line]);
    standing += away / (2 * length);
  }
  return {static_cast<float>(flat / lines),
          static_cast<float>(std::sqrt(standing / lines))};
}

// How far red, green and blue lie from each other.
float Colour(const data::ImageView& image) {
  if (image.shape.channels < 3) return 0;
  double sum = 0;
  for (std::size_t i = 0; i + 2 < image.pixels.size();
       i += static_cast<std::size_t>(image.shape.channels)) {
    const int r = image.pixels[i];
    const int g = image.pixels[i + 1];
    const int b = image.pixels[i + 2];
    sum += r - b + std::abs(r - g) + std::abs(g - b);
  }
  return static_cast<float>(sum /
                            (255. * image.shape.height * image.shape.width));
}

float* WriteFigures(const data::ImageView& image, const Plane& grey,
                    const Counts& counts, const Measured& measured,
                    float* out) {
  const int height = grey.height();
  const int width = grey.width();
  const double n = static_cast<double>(height) * width;
  const double mean = SumOf(measured.columns[kSum], width) / n;
  const double squares = SumOf(measured.more[kSquares], width) / n;
  const Steps across = StepsAcross(grey, measured);
  const Steps down = StepsDown(grey, measured);
  const auto rows = FlatLines(measured.rows, height, width);
  const auto columns = FlatLines(measured.columns, width, height);
  const auto all = static_cast<double>(image.pixels.size());
  const auto levels = 256 - std::ranges::count(counts, 0);
  const std::array<float, kFigures> figures = {
      static_cast<float>(mean),
      static_cast<float>(std::sqrt(std::max(0.0, squares - mean * mean))),
      *std::min_element(measured.columns[kLow], measured.columns[kLow] + width),
      *std::max_element(measured.columns[kHigh],
                        measured.columns[kHigh] + width),
      Log(across.slope),
      Log(down.slope),
      Log(across.bend),
      Log(down.bend),
      static_cast<float>(across.uneven),
      static_cast<float>(down.uneven),
      static_cast<float>(across.crossing),
      static_cast<float>(down.crossing),
      Log(SumOf(measured.more[kAlone] + 1, width - 2) / n),
      Log(SumOf(measured.more[kAloneStrength] + 1, width - 2) / n),
      static_cast<float>(counts[0] / all),
      static_cast<float>(counts[255] / all),
      Log(static_cast<double>(levels) / 256),
      rows[0],
      rows[1],
      columns[0],
      columns[1],
      Colour(image)};
  return std::ranges::copy(figures, out).out;
}

// --- The image

// Equal stretches of a side, of one place or more.
std::vector<Stretch> EqualParts(int length, int most) {
  const int parts = std::min(length, most);
  std::vector<Stretch> stretches;
  for (int i = 0; i < parts; ++i) {
    const int first = i * length / parts;
    stretches.push_back({first, std::max(first + 1, (i + 1) * length / parts)});
  }
  return stretches;
}

// Pair i of n neighbours is in cell i · kCells / n, so that some cells of a
// short side are empty.
std::vector<Stretch> Cells(int pairs) {
  std::vector<Stretch> cells;
  for (int i = 0; i < kCells; ++i) {
    const auto first = [&](int cell) {
      return (cell * pairs + kCells - 1) / kCells;
    };
    cells.push_back({first(i), first(i + 1)});
  }
  return cells;
}

Cuts CutsOf(int length) {
  return {.small = EqualParts(length, kSide),
          .lines = EqualParts(length, kLines),
          .cells = Cells(length - 1)};
}

const std::array<float, 256>& Brightness() {
  static const auto kTable = [] {
    std::array<float, 256> table{};
    for (std::size_t i = 0; i < 256; ++i) {
      table[i] = static_cast<float>(i) / 255;
    }
    return table;
  }();
  return kTable;
}

// A channel as a plane.
void ReadChannel(const data::ImageView& image, int channel, Plane& plane) {
  const std::array<float, 256>& brightness = Brightness();
  const std::uint8_t* pixel = image.pixels.data() + channel;
  for (int y = 0; y < plane.height(); ++y) {
    float* row = plane.Row(y);
    for (int x = 0; x < plane.width(); ++x, pixel += image.shape.channels) {
      row[x] = brightness[*pixel];
    }
  }
}

void AddTo(Plane& sum, const Plane& plane, float part) {
  for (int y = 0; y < plane.height(); ++y) {
    for (int x = 0; x < plane.width(); x += kFour) {
      Store(sum.Row(y) + x,
            Load(sum.Row(y) + x) + part * Load(plane.Row(y) + x));
    }
  }
}

}  // namespace

ImagePoints::ImagePoints(const data::ImageShape& shape)
    : shape_(shape),
      rows_(CutsOf(shape.height)),
      columns_(CutsOf(shape.width)) {
  const auto small =
      std::ssize(rows_.small) * std::ssize(columns_.small) * shape.channels;
  placed_ = small + std::ssize(rows_.lines) + std::ssize(columns_.lines) +
            kCells * kCells * kOrientations;
  size_ = placed_ + kLevels + kQuantiles + kFigures;
}

void ImagePoints::Write(const data::ImageView& image,
                        std::span<float> out) const {
  Plane grey(shape_);
  float* next = out.data();
  if (shape_.channels == 1) {
    ReadChannel(image, 0, grey);
    next = WriteSmall(grey, rows_, columns_, next);
  } else {
    Plane plane(shape_);
    for (int c = 0; c < shape_.channels; ++c) {
      ReadChannel(image, c, plane);
      next = WriteSmall(plane, rows_, columns_, next);
      AddTo(grey, plane, 1 / static_cast<float>(shape_.channels));
    }
  }
  Measured measured(grey);
  MeasureLines(grey, measured);
  MeasureAlone(grey, measured);
  MeasureStepsAcross(grey, measured);
  MeasureStepsDown(grey, measured);
  next = WriteLines(measured.rows[kSum], shape_.width, rows_, next);
  next = WriteLines(measured.columns[kSum], shape_.height, columns_, next);
  next = WriteEdges(grey, rows_, columns_, next);
  const Counts counts = CountLevels(image.pixels);
  next = WriteLevels(counts, image.pixels.size(), next);
  next = WriteMidTones(counts, next);
  WriteFigures(image, grey, counts, measured, next);
}

}  // namespace sfumato::census
