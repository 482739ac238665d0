// What a page's pictures show, for tests that look for what must not be there.
//
//   for (const base::Image& image : PicturesIn(html)) {
//     EXPECT_FALSE(ShowsRow(image, canary));
//   }

#pragma once

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/image.h"

namespace sfumato::report {

inline std::string DecodedBase64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    const auto digit = kDigits.find(c);
    if (digit == std::string_view::npos) break;  // "=" at the end
    bits = bits << 6 | static_cast<unsigned>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xff);
  }
  return bytes;
}

// Every PNG that lies in the page as data. Throws Corrupt if one is not a PNG.
inline std::vector<base::Image> PicturesIn(std::string_view html) {
  constexpr std::string_view kBegin = "data:image/png;base64,";
  std::vector<base::Image> images;
  for (auto at = html.find(kBegin); at != std::string_view::npos;
       at = html.find(kBegin, at + 1)) {
    const auto from = at + kBegin.size();
    const auto end = html.find_first_of("\"')", from);
    images.push_back(base::DecodePng(
        DecodedBase64(html.substr(from, end - from)), "a picture of the page"));
  }
  return images;
}

// Whether a row of pixels is somewhere in the picture, enlarged up to four
// times and with fewer levels of grey too: a page may store it so.
inline bool ShowsRow(const base::Image& image, std::string_view row) {
  constexpr int kTolerance = 16;
  const int length = static_cast<int>(row.size());
  const auto pixel = [&](int x, int y) {
    return static_cast<int>(image.pixels[static_cast<std::size_t>(
        (y * image.width + x) * image.channels)]);
  };
  const auto shows = [&](int left, int y, int scale) {
    for (int i = 0; i < length; ++i) {
      const int wanted =
          static_cast<unsigned char>(row[static_cast<std::size_t>(i)]);
      if (std::abs(pixel(left + i * scale, y) - wanted) > kTolerance) {
        return false;
      }
    }
    return true;
  };
  for (int scale = 1; scale <= 4; ++scale) {
    for (int y = 0; y < image.height; ++y) {
      for (int x = 0; x + (length - 1) * scale < image.width; ++x) {
        if (shows(x, y, scale)) return true;
      }
    }
  }
  return false;
}

}  // namespace sfumato::report
