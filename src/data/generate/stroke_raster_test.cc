#include "data/generate/stroke_raster.h"

#include <gtest/gtest.h>

#include <vector>

namespace sfumato::data {
namespace {

class Picture {
 public:
  Picture(std::vector<PenPoint> points, float softness, float full = 1.0f)
      : pixels_(StrokeRaster::kPixels) {
    StrokeRaster raster;
    raster.Draw(points, softness);
    raster.Write(full, Pixels());
  }
  int at(int column, int row) const {
    return pixels_[row * StrokeRaster::kSide + column];
  }
  int Sum() const {
    int sum = 0;
    for (const int value : pixels_) sum += value;
    return sum;
  }

 private:
  std::span<std::uint8_t, StrokeRaster::kPixels> Pixels() {
    return std::span<std::uint8_t, StrokeRaster::kPixels>(
        pixels_.data(), StrokeRaster::kPixels);
  }
  std::vector<std::uint8_t> pixels_;
};

TEST(StrokeRasterTest, InkOfALevelLineFallsLinearlyAcrossItsEdge) {
  // Ink is (1.25 - distance) / 2 + 0.5, within 0 and 1.
  const Picture picture({{4, 10, 1.25f}, {20, 10, 1.25f}}, 2.0f);
  EXPECT_EQ(picture.at(12, 10), 255);  // 1.125
  EXPECT_EQ(picture.at(12, 9), 159);   // 0.625
  EXPECT_EQ(picture.at(12, 11), 159);
  EXPECT_EQ(picture.at(12, 8), 32);  // 0.125
  EXPECT_EQ(picture.at(12, 12), 32);
  EXPECT_EQ(picture.at(12, 7), 0);  // -0.375
  EXPECT_EQ(picture.at(12, 13), 0);
}

TEST(StrokeRasterTest, EndsAreRound) {
  const Picture picture({{4, 10, 1.25f}, {20, 10, 1.25f}}, 2.0f);
  EXPECT_EQ(picture.at(20, 10), 255);
  EXPECT_EQ(picture.at(21, 10), 159);  // one pixel beyond the end
  EXPECT_EQ(picture.at(21, 11), 107);  // (1.25 - sqrt 2) / 2 + 0.5 = 0.41789
  EXPECT_EQ(picture.at(22, 10), 32);
  EXPECT_EQ(picture.at(23, 10), 0);
  EXPECT_EQ(picture.at(3, 10), 159);
}

TEST(StrokeRasterTest, RadiusChangesEvenlyAlongTheLine) {
  const Picture picture({{6, 14, 0.5f}, {22, 14, 1.5f}}, 1.0f);
  EXPECT_EQ(picture.at(6, 15), 0);     // 0.5 - 1 + 0.5
  EXPECT_EQ(picture.at(14, 15), 128);  // 1 - 1 + 0.5
  EXPECT_EQ(picture.at(22, 15), 255);  // 1.5 - 1 + 0.5
}

TEST(StrokeRasterTest, SinglePointIsADot) {
  const Picture picture({{10, 10, 1}}, 1.0f);
  EXPECT_EQ(picture.at(10, 10), 255);
  EXPECT_EQ(picture.at(11, 10), 128);
  EXPECT_EQ(picture.Sum(), 255 + 4 * 128 + 4 * 22);  // corners: 0.08579
}

TEST(StrokeRasterTest, CrossingLinesDoNotAddUp) {
  // Both lines pass (9, 9) at a distance of one, where each leaves a half.
  const Picture picture({{4, 10, 1}, {10, 10, 1}, {10, 4, 1}}, 1.0f);
  const Picture alone({{4, 10, 1}, {10, 10, 1}}, 1.0f);
  EXPECT_EQ(picture.at(9, 9), 128);
  EXPECT_EQ(alone.at(9, 9), 128);
}

TEST(StrokeRasterTest, WhatLiesOutsideIsCutOff) {
  EXPECT_EQ(Picture({{-50, 10, 1}, {-40, 10, 1}}, 1.0f).Sum(), 0);
  EXPECT_EQ(Picture({{10, 40, 1}, {10, 1e9f, 1}}, 1.0f).Sum(), 0);
  const Picture through({{-50, 27, 1}, {50, 27, 1}}, 1.0f);
  EXPECT_EQ(through.Sum(), 28 * 255 + 28 * 128);
}

TEST(StrokeRasterTest, WriteScalesInkAndClears) {
  StrokeRaster raster;
  std::array<std::uint8_t, StrokeRaster::kPixels> pixels;
  raster.Draw(std::vector<PenPoint>{{10, 10, 1}}, 1.0f);
  raster.Write(0.8f, pixels);
  EXPECT_EQ(pixels[10 * 28 + 10], 204);
  raster.Write(1.0f, pixels);
  EXPECT_EQ(pixels[10 * 28 + 10], 0);
}

}  // namespace
}  // namespace sfumato::data
