#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "bench/outside_damages.h"

namespace sfumato::bench {
namespace {

using base::Rng;
using census::EachImage;
using census::EachPixel;
using census::ImageDamage;
using data::ImageShape;
using data::ImageView;
using data::Pixels;

std::uint8_t Level(double value) {
  return static_cast<std::uint8_t>(std::clamp(std::round(value), 0., 255.));
}

double At(const ImageView& v, double x, double y, int c) {
  const int px = static_cast<int>(std::lround(x));
  const int py = static_cast<int>(std::lround(y));
  const bool in =
      px >= 0 && py >= 0 && px < v.shape.width && py < v.shape.height;
  return in ? v.at(px, py, c) : 0;
}

// From the centre, -1 … 1.
double U(const ImageView& v, int x) { return (2 * x + 1.) / v.shape.width - 1; }
double W(const ImageView& v, int y) {
  return (2 * y + 1.) / v.shape.height - 1;
}

double Swirled(const ImageView& v, int x, int y, int c) {
  const double u = U(v, x);
  const double w = W(v, y);
  const double turn = 2.5 * std::max(0., 1 - std::hypot(u, w));
  const double from_u = u * std::cos(turn) - w * std::sin(turn);
  const double from_w = u * std::sin(turn) + w * std::cos(turn);
  return At(v, (from_u + 1) * v.shape.width / 2 - 0.5,
            (from_w + 1) * v.shape.height / 2 - 0.5, c);
}

double Bulged(const ImageView& v, int x, int y, int c) {
  const double u = U(v, x);
  const double w = W(v, y);
  const double by = 0.4 + 0.6 * std::hypot(u, w);
  return At(v, (u * by + 1) * v.shape.width / 2 - 0.5,
            (w * by + 1) * v.shape.height / 2 - 0.5, c);
}

// Light that falls off towards the corners, on what is there.
double Vignetted(const ImageView& v, int x, int y, int c) {
  const double r = std::hypot(U(v, x), W(v, y));
  return v.at(x, y, c) * std::clamp(1.3 - 1.4 * r, 0., 1.);
}

// Every other row is read from right to left.
double Zigzag(const ImageView& v, int x, int y, int c) {
  return v.at(y % 2 == 0 ? x : v.shape.width - 1 - x, y, c);
}

double LevelsLost(const ImageView& v, int x, int y, int c) {
  return (3 * v.at(x, y, c)) % 256;
}

double TwiceSideBySide(const ImageView& v, int x, int y, int c) {
  return v.at(2 * x % v.shape.width, y, c);
}

double Crossed(const ImageView& v, int x, int y, int c) {
  const double u = U(v, x);
  const double w = W(v, y);
  const bool on = std::min(std::abs(u - w), std::abs(u + w)) < 0.12;
  return on ? 0.4 * v.at(x, y, c) + 150 : v.at(x, y, c);
}

double Rolled(const ImageView& v, int x, int y, int c) {
  return v.at((x + v.shape.width / 3) % v.shape.width,
              (y + v.shape.height / 3) % v.shape.height, c);
}

double EdgesOnly(const ImageView& v, int x, int y, int c) {
  const double dx = At(v, x + 1, y, c) - At(v, x - 1, y, c);
  const double dy = At(v, x, y + 1, c) - At(v, x, y - 1, c);
  return std::hypot(dx, dy);
}

double Striped(const ImageView& v, int x, int y, int c) {
  const double wave = std::sin(2 * std::numbers::pi * (0.23 * x + 0.11 * y));
  return v.at(x, y, c) + 90 * std::max(0., wave);
}

// Two half pictures of every other row, one above the other.
double FieldsApart(const ImageView& v, int x, int y, int c) {
  const int half = (v.shape.height + 1) / 2;
  return v.at(x, y < half ? 2 * y : 2 * (y - half) + 1, c);
}

// Each row lies where its timing put it.
const ImageDamage kRowsJittered = [](census::ImageSet& set, Rng& rng) {
  for (Pixels& image : set.images) {
    const Pixels before = image;
    const ImageView view{set.shape, before};
    std::size_t i = 0;
    for (int y = 0; y < set.shape.height; ++y) {
      const int by = static_cast<int>(rng.Below(7)) - 3;
      for (int x = 0; x < set.shape.width; ++x) {
        for (int c = 0; c < set.shape.channels; ++c) {
          image[i++] = Level(At(view, x + by, y, c));
        }
      }
    }
  }
};

// As a bad JPEG: of each block of 8 × 8 only coarse steps of its cosines.
const ImageDamage kCosinesCoarse = EachImage([](const ImageView& v, Rng&) {
  constexpr int kBlock = 8;
  constexpr double kStep = 160;
  const auto wave = [](int k, int x) {
    return (k == 0 ? std::sqrt(1. / kBlock) : std::sqrt(2. / kBlock)) *
           std::cos(std::numbers::pi * (x + 0.5) * k / kBlock);
  };
  const ImageShape& s = v.shape;
  Pixels out(s.size());
  for (int c = 0; c < s.channels; ++c) {
    for (int top = 0; top < s.height; top += kBlock) {
      for (int left = 0; left < s.width; left += kBlock) {
        std::array<std::array<double, kBlock>, kBlock> sum{};
        for (int k = 0; k < kBlock; ++k) {
          for (int l = 0; l < kBlock; ++l) {
            double weight = 0;
            for (int y = 0; y < kBlock; ++y) {
              for (int x = 0; x < kBlock; ++x) {
                weight += wave(k, y) * wave(l, x) * At(v, left + x, top + y, c);
              }
            }
            weight = kStep * std::round(weight / kStep);
            if (weight == 0) continue;
            for (int y = 0; y < kBlock; ++y) {
              for (int x = 0; x < kBlock; ++x) {
                sum[y][x] += weight * wave(k, y) * wave(l, x);
              }
            }
          }
        }
        for (int y = 0; y < kBlock && top + y < s.height; ++y) {
          for (int x = 0; x < kBlock && left + x < s.width; ++x) {
            const auto at = static_cast<std::size_t>(
                ((top + y) * s.width + left + x) * s.channels + c);
            out[at] = Level(sum[y][x]);
          }
        }
      }
    }
  }
  return out;
});

double BitsReversed(const ImageView& v, int x, int y, int c) {
  const int level = v.at(x, y, c);
  int reversed = 0;
  for (int bit = 0; bit < 8; ++bit) {
    if ((level >> bit & 1) != 0) reversed |= 128 >> bit;
  }
  return reversed;
}

// Black and white, in a pattern of 2 × 2 that looks grey from afar.
double Dithered(const ImageView& v, int x, int y, int c) {
  static constexpr double kSteps[2][2] = {{0.2, 0.6}, {0.8, 0.4}};
  return v.at(x, y, c) > 255 * kSteps[y % 2][x % 2] ? 255 : 0;
}

double Slanted(const ImageView& v, int x, int y, int c) {
  return At(v, x + 0.5 * (y - v.shape.height / 2.), y, c);
}

// The left half, and its mirror image.
double Folded(const ImageView& v, int x, int y, int c) {
  return v.at(std::min(x, v.shape.width - 1 - x), y, c);
}

// Angles across, distances from the middle down.
double Unrolled(const ImageView& v, int x, int y, int c) {
  const double angle = 2 * std::numbers::pi * x / v.shape.width;
  const double far = static_cast<double>(y) / v.shape.height;
  return At(v, (1 + far * std::cos(angle)) * v.shape.width / 2 - 0.5,
            (1 + far * std::sin(angle)) * v.shape.height / 2 - 0.5, c);
}

double Embossed(const ImageView& v, int x, int y, int c) {
  return 128 + 0.5 * (At(v, x, y, c) - At(v, x - 1, y - 1, c));
}

// Each row begins two pixels later than the one above, around the border.
double LostStep(const ImageView& v, int x, int y, int c) {
  return v.at((x + 2 * y) % v.shape.width, y, c);
}

// Every row from its brightest pixel to its darkest.
const ImageDamage kRowsSorted = EachImage([](const ImageView& v, Rng&) {
  Pixels out(v.pixels.begin(), v.pixels.end());
  const auto row =
      static_cast<std::ptrdiff_t>(v.shape.width) * v.shape.channels;
  for (int y = 0; y < v.shape.height; ++y) {
    std::sort(out.begin() + y * row, out.begin() + (y + 1) * row,
              std::greater<>());
  }
  return out;
});

// Every level as often as any other, in each image.
const ImageDamage kEqualised = EachImage([](const ImageView& v, Rng&) {
  std::array<double, 256> below{};
  for (const std::uint8_t level : v.pixels) ++below[level];
  double sum = 0;
  for (double& count : below) {
    const double here = count;
    count = sum + here / 2;
    sum += here;
  }
  Pixels out(v.pixels.begin(), v.pixels.end());
  for (std::uint8_t& level : out) level = Level(255 * below[level] / sum);
  return out;
});

}  // namespace

const std::vector<OutsideImage>& OutsideImages() {
  static const std::vector<OutsideImage> damages = {
      {"swirled", EachPixel(Swirled)},
      {"bulged", EachPixel(Bulged)},
      {"dark towards the corners", EachPixel(Vignetted)},
      {"every other row from right to left", EachPixel(Zigzag)},
      {"levels modulo 256", EachPixel(LevelsLost)},
      {"twice, side by side", EachPixel(TwiceSideBySide)},
      {"with a cross as watermark", EachPixel(Crossed)},
      {"rolled by a third, around the border", EachPixel(Rolled)},
      {"edges only", EachPixel(EdgesOnly)},
      {"under stripes of light", EachPixel(Striped)},
      {"two half pictures", EachPixel(FieldsApart)},
      {"rows jittered", kRowsJittered},
      {"coarse cosines, as a bad JPEG", kCosinesCoarse},
      {"levels equalised", kEqualised},
      {"bits of each level reversed", EachPixel(BitsReversed), true},
      {"dithered to black and white", EachPixel(Dithered), true},
      {"slanted", EachPixel(Slanted), true},
      {"left half mirrored to the right", EachPixel(Folded), true},
      {"unrolled around the middle", EachPixel(Unrolled), true},
      {"embossed", EachPixel(Embossed), true},
      {"each row two pixels later", EachPixel(LostStep), true},
      {"rows sorted by brightness", kRowsSorted, true},
  };
  return damages;
}

}  // namespace sfumato::bench
