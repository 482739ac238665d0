#include "data/generate/glyph_set.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <string>

namespace sfumato::data {
namespace {

constexpr float kSpacing = 1.6f;  // units between the points of a curve
constexpr float kCornerCosine = 0.1f;

struct Face {
  std::string_view file;
  Manner manner;
  bool doubled_digits;
  bool doubled_letters;
  float slant;  // of the face, taken out so that the writer's own counts
};
constexpr Face kFaces[] = {
    {"futural.jhf", Manner::kPlain, false, false, 0.0f},
    {"scripts.jhf", Manner::kScript, true, false, 0.27f},
    {"timesi.jhf", Manner::kItalic, true, true, 0.27f},
};
constexpr Face kPersonalFace = {"allographs.jhf", Manner::kPersonal, false,
                                false, 0.0f};

Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
Point operator*(float s, Point a) { return {s * a.x, s * a.y}; }
float Length(Point a) { return std::sqrt(a.x * a.x + a.y * a.y); }

Stroke WithoutRepeats(const Stroke& stroke) {
  Stroke result;
  for (const Point& p : stroke) {
    if (result.empty() || !(result.back() == p)) result.push_back(p);
  }
  return result;
}

bool IsCorner(Point before, Point at, Point after) {
  const Point in = at - before;
  const Point out = after - at;
  return in.x * out.x + in.y * out.y < kCornerCosine * Length(in) * Length(out);
}

// The velocity in `at` on the way from `before` to `after`, times the knot
// interval of the side it is for: centripetal Catmull-Rom, which does not
// overshoot where long and short sides meet.
Point Tangent(Point before, Point at, Point after, float interval) {
  const float t0 = std::sqrt(Length(at - before));
  const float t1 = std::sqrt(Length(after - at));
  const Point velocity = (1.0f / t0) * (at - before) -
                         (1.0f / (t0 + t1)) * (after - before) +
                         (1.0f / t1) * (after - at);
  return interval * velocity;
}

Point Hermite(Point a, Point b, Point ta, Point tb, float t) {
  const float t2 = t * t;
  const float t3 = t2 * t;
  return (2 * t3 - 3 * t2 + 1) * a + (t3 - 2 * t2 + t) * ta +
         (3 * t2 - 2 * t3) * b + (t3 - t2) * tb;
}

// Moves the middle of all strokes to the origin.
void Centre(std::vector<Stroke>& strokes) {
  Point low = strokes.front().front();
  Point high = low;
  for (const Stroke& stroke : strokes) {
    for (const Point& p : stroke) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  }
  const Point middle = 0.5f * (low + high);
  for (Stroke& stroke : strokes) {
    for (Point& p : stroke) p = p - middle;
  }
}

Allograph MakeAllograph(const Glyph& glyph, const Face& face, bool digit) {
  const bool doubled = digit ? face.doubled_digits : face.doubled_letters;
  Allograph result{face.manner, doubled, {}};
  for (const Stroke& stroke : glyph.strokes) {
    Stroke curve = Smooth(stroke, kSpacing);
    for (Point& p : curve) p.x += face.slant * p.y;
    result.strokes.push_back(std::move(curve));
  }
  Centre(result.strokes);
  return result;
}

}  // namespace

Stroke Smooth(const Stroke& stroke, float spacing) {
  const Stroke points = WithoutRepeats(stroke);
  const std::size_t n = points.size();
  if (n < 2) return points;
  const bool closed = n > 2 && points.front() == points.back();
  const auto smooth_at = [&](std::size_t i, Point& before, Point& after) {
    if (!closed && (i == 0 || i == n - 1)) return false;
    before = points[i == 0 ? n - 2 : i - 1];
    after = points[i == n - 1 ? 1 : i + 1];
    return !IsCorner(before, points[i], after);
  };

  Stroke curve = {points[0]};
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const Point a = points[i];
    const Point b = points[i + 1];
    const float length = Length(b - a);
    Point tangent_a = b - a;
    Point tangent_b = b - a;
    Point before, after;
    if (smooth_at(i, before, after)) {
      tangent_a = Tangent(before, a, after, std::sqrt(length));
    }
    if (smooth_at(i + 1, before, after)) {
      tangent_b = Tangent(before, b, after, std::sqrt(length));
    }
    const int steps = static_cast<int>(std::ceil(length / spacing));
    for (int step = 1; step <= steps; ++step) {
      const float t = static_cast<float>(step) / static_cast<float>(steps);
      curve.push_back(Hermite(a, b, tangent_a, tangent_b, t));
    }
  }
  return curve;
}

GlyphSet::GlyphSet() {
  const auto add = [this](const Glyph& glyph, const Face& face, char c) {
    const auto label = kCharacters.find(c);
    if (label == kCharacters.npos) return;
    allographs_[label].push_back(MakeAllograph(glyph, face, label < 10));
  };
  for (const Face& face : kFaces) {
    char c = ' ';
    for (const Glyph& glyph : base::HersheyFace(face.file))
      add(glyph, face, c++);
  }
  for (const Glyph& glyph : base::HersheyFace(kPersonalFace.file)) {
    add(glyph, kPersonalFace, static_cast<char>(glyph.number));
  }
}

}  // namespace sfumato::data
