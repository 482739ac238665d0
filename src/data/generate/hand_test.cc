#include "data/generate/hand.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace sfumato::data {
namespace {

using Pixels = std::array<std::uint8_t, StrokeRaster::kPixels>;

Pixels DrawOnce(const Hand& hand, char c, std::uint64_t image) {
  StrokeRaster raster;
  Pixels pixels;
  base::Rng rng(1, {image});
  hand.Draw(static_cast<int>(kCharacters.find(c)), rng, raster, pixels);
  return pixels;
}

struct Moments {
  double ink = 0;
  double slant = 0;  // sideways per pixel upwards
  double height = 0;
};

Moments Measure(const Pixels& pixels) {
  double sum = 0, x = 0, y = 0, xy = 0, yy = 0;
  for (int p = 0; p < StrokeRaster::kPixels; ++p) {
    const double w = pixels[p], column = p % 28, row = p / 28;
    sum += w;
    x += w * column;
    y += w * row;
    xy += w * column * row;
    yy += w * row * row;
  }
  const double variance = yy / sum - (y / sum) * (y / sum);
  const double covariance = xy / sum - (x / sum) * (y / sum);
  return {sum, -covariance / variance, std::sqrt(variance)};
}

double Correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const double n = static_cast<double>(a.size());
  double sa = 0, sb = 0, sab = 0, saa = 0, sbb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sa += a[i];
    sb += b[i];
    sab += a[i] * b[i];
    saa += a[i] * a[i];
    sbb += b[i] * b[i];
  }
  return (n * sab - sa * sb) /
         std::sqrt((n * saa - sa * sa) * (n * sbb - sb * sb));
}

TEST(WarpTest, MovesPointsByItsPolynomial) {
  Warp warp;
  EXPECT_EQ(warp({3, -7}), (Point{3, -7}));
  warp.x[2] = 0.1f;  // y²
  warp.y[1] = 0.2f;  // xy
  // In units of 10.5 the point is (0.5, -1): moves by (0.1, -0.1).
  const Point moved = warp({5.25f, -10.5f});
  EXPECT_FLOAT_EQ(moved.x, 6.3f);
  EXPECT_FLOAT_EQ(moved.y, -11.55f);
}

TEST(HandTest, SameStreamDrawsTheSameImageAndAnotherDoesNot) {
  const GlyphSet glyphs;
  const Hand hand(glyphs, base::Rng(2, {7}));
  EXPECT_EQ(DrawOnce(hand, 'R', 1), DrawOnce(hand, 'R', 1));
  EXPECT_NE(DrawOnce(hand, 'R', 1), DrawOnce(hand, 'R', 2));
}

// What a person's traits say can be measured in what they write. Over 200
// independent hands a correlation above 0.35 has a chance below 1e-6 when
// there is none.
TEST(HandTest, TraitsShowInTheImages) {
  const GlyphSet glyphs;
  std::vector<double> pen, slant, size, ink, lean, height;
  for (std::uint64_t writer = 0; writer < 200; ++writer) {
    const Hand hand(glyphs, base::Rng(3, {writer}));
    const Moments t = Measure(DrawOnce(hand, 'T', writer));
    const Moments h = Measure(DrawOnce(hand, 'H', writer));
    pen.push_back(hand.traits().pen);
    slant.push_back(hand.traits().slant);
    size.push_back(hand.traits().size);
    ink.push_back(t.ink);
    lean.push_back(t.slant);
    height.push_back(h.height);
  }
  EXPECT_GT(Correlation(pen, ink), 0.7);
  EXPECT_GT(Correlation(slant, lean), 0.7);
  EXPECT_GT(Correlation(size, height), 0.35);
}

}  // namespace
}  // namespace sfumato::data
