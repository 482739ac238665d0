#include "base/image.h"

#include <png.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::base {
namespace {

constexpr std::uint32_t kMaxSide = 16384;
constexpr std::uint64_t kMaxPixels = std::uint64_t{1} << 26;

// How much of each source pixel goes into a target pixel along one side.
struct Span {
  int first = 0;
  std::vector<double> weights;
};

std::vector<Span> Spans(int source, int target) {
  std::vector<Span> spans(target);
  const double scale = static_cast<double>(source) / target;
  for (int i = 0; i < target; ++i) {
    Span& span = spans[i];
    if (target < source) {  // the area that the target pixel covers
      const double begin = i * scale;
      const double end = std::min<double>(source, (i + 1) * scale);
      span.first = static_cast<int>(begin);
      for (int s = span.first; s < end; ++s) {
        span.weights.push_back(std::min<double>(s + 1, end) -
                               std::max<double>(s, begin));
      }
    } else {  // between the two nearest centres
      const double centre =
          std::clamp((i + 0.5) * scale - 0.5, 0.0, source - 1.0);
      span.first = std::min(static_cast<int>(centre), std::max(0, source - 2));
      const double right = centre - span.first;
      span.weights = {1 - right};
      if (source > 1) span.weights.push_back(right);
    }
    double sum = 0;
    for (const double weight : span.weights) sum += weight;
    for (double& weight : span.weights) weight /= sum;
  }
  return spans;
}

}  // namespace

Image BlankImage(int width, int height, int channels, std::uint8_t value) {
  return {width, height, channels,
          std::vector<std::uint8_t>(
              static_cast<std::size_t>(width) * height * channels, value)};
}

Image DecodePng(std::string_view bytes, const std::string& where) {
  png_image png;
  std::memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  const auto damaged = [&](const char* what) {
    return BadInput(fmt::format("damaged PNG: {}", what), where,
                    "give a whole PNG file");
  };
  if (!png_image_begin_read_from_memory(&png, bytes.data(), bytes.size())) {
    throw damaged(png.message);
  }
  if (png.width > kMaxSide || png.height > kMaxSide ||
      std::uint64_t{png.width} * png.height > kMaxPixels) {
    png_image_free(&png);
    throw BadInput(
        fmt::format("PNG of {}×{} pixels", png.width, png.height), where,
        fmt::format("at most {} a side and {} in all", kMaxSide, kMaxPixels));
  }
  const bool colour = (png.format & PNG_FORMAT_FLAG_COLOR) != 0;
  png.format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  Image image = BlankImage(static_cast<int>(png.width),
                           static_cast<int>(png.height), colour ? 3 : 1, 0);
  const png_color white = {255, 255, 255};
  if (!png_image_finish_read(&png, &white, image.pixels.data(), 0, nullptr)) {
    throw damaged(png.message);
  }
  return image;
}

std::string EncodePng(const Image& image) {
  png_image png;
  std::memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<std::uint32_t>(image.width);
  png.height = static_cast<std::uint32_t>(image.height);
  png.format = image.channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  png_alloc_size_t size = 0;
  std::string bytes;
  // The first call measures, the second writes.
  for (int pass = 0; pass < 2; ++pass) {
    bytes.resize(size);
    if (!png_image_write_to_memory(&png, pass == 0 ? nullptr : bytes.data(),
                                   &size, 0, image.pixels.data(), 0, nullptr)) {
      throw Unavailable(
          fmt::format("PNG could not be written: {}", png.message));
    }
  }
  bytes.resize(size);
  return bytes;
}

Image Resize(const Image& image, int width, int height) {
  const auto columns = Spans(image.width, width);
  const auto rows = Spans(image.height, height);
  Image result = BlankImage(width, height, image.channels, 0);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < image.channels; ++c) {
        double sum = 0;
        for (std::size_t i = 0; i < rows[y].weights.size(); ++i) {
          const std::size_t row =
              static_cast<std::size_t>(rows[y].first + i) * image.width;
          for (std::size_t j = 0; j < columns[x].weights.size(); ++j) {
            const std::size_t pixel =
                (row + columns[x].first + j) * image.channels + c;
            sum += rows[y].weights[i] * columns[x].weights[j] *
                   image.pixels[pixel];
          }
        }
        result.at(x, y, c) = static_cast<std::uint8_t>(sum + 0.5);
      }
    }
  }
  return result;
}

Image ImageGrid(std::span<const Image> cells, const GridOptions& options) {
  assert(!cells.empty());
  const int columns = std::min<int>(options.columns, cells.size());
  const int rows = (static_cast<int>(cells.size()) + columns - 1) / columns;
  const int cell_width = cells[0].width * options.scale + options.gap;
  const int cell_height = cells[0].height * options.scale + options.gap;
  const bool colour =
      std::any_of(cells.begin(), cells.end(),
                  [](const Image& c) { return c.channels == 3; });
  Image grid = BlankImage(columns * cell_width + options.gap,
                          rows * cell_height + options.gap, colour ? 3 : 1,
                          options.background);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Image& cell = cells[i];
    assert(cell.width == cells[0].width && cell.height == cells[0].height);
    const int left = options.gap + static_cast<int>(i) % columns * cell_width;
    const int top = options.gap + static_cast<int>(i) / columns * cell_height;
    for (int y = 0; y < cell.height * options.scale; ++y) {
      for (int x = 0; x < cell.width * options.scale; ++x) {
        const std::size_t pixel =
            (static_cast<std::size_t>(y / options.scale) * cell.width +
             x / options.scale) *
            cell.channels;
        for (int c = 0; c < grid.channels; ++c) {
          grid.at(left + x, top + y, c) =
              cell.pixels[pixel + (cell.channels == 3 ? c : 0)];
        }
      }
    }
  }
  return grid;
}

}  // namespace sfumato::base
