#include "data/generate/stroke_raster.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sfumato::data {

void StrokeRaster::Draw(std::span<const PenPoint> points, float softness) {
  if (points.size() == 1) DrawSegment(points[0], points[0], softness);
  for (std::size_t i = 1; i < points.size(); ++i) {
    DrawSegment(points[i - 1], points[i], softness);
  }
}

void StrokeRaster::DrawSegment(const PenPoint& from, const PenPoint& to,
                               float softness) {
  const float reach = std::max(from.radius, to.radius) + 0.5f * softness;
  const auto first = [&](float a, float b) {
    const float low = std::ceil(std::min(a, b) - reach);
    return static_cast<int>(std::clamp(low, 0.0f, float{kSide}));
  };
  const auto last = [&](float a, float b) {
    const float high = std::floor(std::max(a, b) + reach);
    return static_cast<int>(std::clamp(high, -1.0f, float{kSide - 1}));
  };
  const int left = first(from.x, to.x);
  const int right = last(from.x, to.x);
  const int top = first(from.y, to.y);
  const int bottom = last(from.y, to.y);

  const float dx = to.x - from.x;
  const float dy = to.y - from.y;
  const float length2 = dx * dx + dy * dy;
  const float along = length2 > 0 ? 1.0f / length2 : 0.0f;
  const float swell = to.radius - from.radius;
  const float sharpness = 1.0f / softness;
  for (int row = top; row <= bottom; ++row) {
    float* ink = &ink_[static_cast<std::size_t>(row) * kSide];
    const float y = static_cast<float>(row) - from.y;
    for (int column = left; column <= right; ++column) {
      // The nearest point of the segment lies at the share t of its length.
      const float x = static_cast<float>(column) - from.x;
      const float t = std::min(std::max((x * dx + y * dy) * along, 0.0f), 1.0f);
      const float off_x = x - t * dx;
      const float off_y = y - t * dy;
      const float distance = std::sqrt(off_x * off_x + off_y * off_y);
      const float inside = from.radius + t * swell - distance;
      ink[column] = std::max(ink[column], inside * sharpness + 0.5f);
    }
  }
}

void StrokeRaster::Write(float full, std::span<std::uint8_t, kPixels> out) {
  for (int i = 0; i < kPixels; ++i) {
    const float ink = std::min(ink_[i], 1.0f);
    out[i] = static_cast<std::uint8_t>(ink * full * 255.0f + 0.5f);
  }
  ink_.fill(0.0f);
}

}  // namespace sfumato::data
