#include "report/terminal_picture.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/progress.h"
#include "fmt/format.h"

namespace sfumato::report {
namespace {

constexpr int kDefault = -1;  // the terminal's own background
constexpr std::string_view kDensity = " .:-=+*#%@";

// Terminals have black at 16, greys of 8, 18, … 238 at 232 … 255, white at 231.
int GreyColour(int grey) {
  if (grey < 4) return 16;
  if (grey > 246) return 231;
  return 232 + std::clamp((grey - 8 + 5) / 10, 0, 23);
}

// The nearest of a cube's six levels: 0, 95, 135, 175, 215, 255.
int CubeLevel(int value) {
  if (value < 48) return 0;
  if (value < 115) return 1;
  return std::min(5, (value - 35) / 40);
}

std::array<int, 3> PixelAt(const base::Image& image, int x, int y) {
  const std::size_t first =
      (static_cast<std::size_t>(y) * image.width + x) * image.channels;
  const int red = image.pixels[first];
  if (image.channels < 3) return {red, red, red};
  return {red, image.pixels[first + 1], image.pixels[first + 2]};
}

int ColourAt(const base::Image& image, int x, int y) {
  if (y >= image.height) return kDefault;
  const auto [red, green, blue] = PixelAt(image, x, y);
  if (red == green && green == blue) return GreyColour(red);
  return 16 + 36 * CubeLevel(red) + 6 * CubeLevel(green) + CubeLevel(blue);
}

std::string ColourLine(const base::Image& image, int y) {
  std::string line;
  int last_upper = kDefault - 1;
  int last_lower = kDefault - 1;
  for (int x = 0; x < image.width; ++x) {
    const int upper = ColourAt(image, x, y);
    const int lower = ColourAt(image, x, y + 1);
    if (upper != last_upper) line += fmt::format("\x1b[38;5;{}m", upper);
    if (lower != last_lower) {
      line += lower == kDefault ? std::string("\x1b[49m")
                                : fmt::format("\x1b[48;5;{}m", lower);
    }
    last_upper = upper;
    last_lower = lower;
    line += "▀";
  }
  return line + "\x1b[0m\n";
}

std::string SignLine(const base::Image& image, int y) {
  std::string line;
  for (int x = 0; x < image.width; ++x) {
    int sum = 0;
    int count = 0;
    for (int row = y; row < std::min(y + 2, image.height); ++row) {
      for (const int value : PixelAt(image, x, row)) {
        sum += value;
        ++count;
      }
    }
    line += kDensity[static_cast<std::size_t>(sum) * kDensity.size() /
                     (static_cast<std::size_t>(count) * 256)];
  }
  return line + "\n";
}

int TerminalColumns() {
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0
             ? size.ws_col
             : 80;
}

}  // namespace

std::string TerminalPicture(const base::Image& image,
                            const TerminalPictureOptions& options) {
  if (image.width <= 0 || image.height <= 0) return "";
  if (image.width > options.columns) {
    const int height =
        std::max(1, static_cast<int>(static_cast<long long>(image.height) *
                                     options.columns / image.width));
    return TerminalPicture(base::Resize(image, options.columns, height),
                           options);
  }
  std::string text;
  for (int y = 0; y < image.height; y += 2) {
    text += options.colour && options.utf8 ? ColourLine(image, y)
                                           : SignLine(image, y);
  }
  return text;
}

void ShowPicture(const base::Image& image) {
  const base::Talk& talk = base::ProcessTalk();
  if (talk.quiet || !talk.terminal) return;
  const char* no_colour = std::getenv("NO_COLOR");
  const std::string text = TerminalPicture(
      image, {.columns = TerminalColumns(),
              .colour = no_colour == nullptr || *no_colour == '\0',
              .utf8 = talk.utf8});
  std::fputs(text.c_str(), stderr);
}

}  // namespace sfumato::report
