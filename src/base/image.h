// Pictures in memory, PNG files, and grids of small images.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"

namespace sfumato::base {

// Rows from the top, pixels from the left, channels interleaved: 1 is grey,
// 3 is red-green-blue.
struct Image {
  int width = 0;
  int height = 0;
  int channels = 1;
  std::vector<std::uint8_t> pixels;

  std::uint8_t& at(int x, int y, int channel = 0) {
    return pixels[(static_cast<std::size_t>(y) * width + x) * channels +
                  channel];
  }
};

Image BlankImage(int width, int height, int channels, std::uint8_t value);

// Grey or RGB of any PNG (palette, 16 bit and alpha are converted; alpha is
// laid over white). `where` names the source in errors. Throws BadInput when
// damaged, larger than 16,384 pixels a side or than 67,108,864 in all.
Image DecodePng(std::string_view bytes, const std::string& where);
std::string EncodePng(const Image& image);

// `image` resampled to width × height by area averaging (shrinking) or
// bilinear interpolation (growing).
Image Resize(const Image& image, int width, int height);

struct GridOptions {
  int columns = 10;
  int scale = 2;  // every pixel becomes scale × scale
  int gap = 2;    // pixels between cells and around them
  std::uint8_t background = 128;
};

// Pictures of one size side by side, row after row. Cells that are missing in
// the last row stay background. Grey cells become colour when one is.
// REQUIRES: cells not empty, all of one width and height.
Image ImageGrid(std::span<const Image> cells, const GridOptions& options);

}  // namespace sfumato::base
