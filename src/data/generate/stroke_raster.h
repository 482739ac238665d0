// Pen strokes as pixels: 28 × 28, grey, anti-aliased.
//
//   StrokeRaster raster;
//   raster.Draw(points, 0.7f);
//   raster.Write(1.0f, pixels);
//
// The pen is round and its radius may change along the stroke. Ink is full
// inside, none outside, and falls linearly across an edge `softness` pixels
// wide, half of it within the radius. Where strokes cross the darker one
// counts. Pixel (column, row) is the point (column, row).
//
// Only additions, products, quotients and square roots in single precision:
// the same bytes on every machine.

#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace sfumato::data {

struct PenPoint {
  float x = 0;
  float y = 0;
  float radius = 0;
};

class StrokeRaster {
 public:
  static constexpr int kSide = 28;
  static constexpr int kPixels = kSide * kSide;

  // Draws the polyline through `points`; a single point is a dot. What lies
  // outside the picture is cut off. REQUIRES: softness > 0.
  void Draw(std::span<const PenPoint> points, float softness);

  // Writes the ink as bytes, `full` (0 to 1) times 255 where it is full, and
  // clears the picture.
  void Write(float full, std::span<std::uint8_t, kPixels> out);

 private:
  void DrawSegment(const PenPoint& from, const PenPoint& to, float softness);

  std::array<float, kPixels> ink_{};  // [row, column], 0 to 1
};

}  // namespace sfumato::data
