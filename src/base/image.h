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
// damaged or larger than 16,384 pixels a side.
Image DecodePng(std::string_view bytes, const std::string& where);
std::string EncodePng(const Image& image);

// `image` resampled to width × height by area averaging (shrinking) or
// bilinear interpolation (growing).
Image Resize(const Image& image, int width, int height);

}  // namespace sfumato::base
