#include "data/generate/hand.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/portable_math.h"

namespace sfumato::data {
namespace {

constexpr float kCapital = 21.0f;  // height in units
constexpr float kUnit = 10.5f;     // units to the edge of the warped square

float Clamped(double value, double low, double high) {
  return static_cast<float>(std::clamp(value, low, high));
}

// exp(Normal(0, deviation)): as often halved as doubled.
double Factor(base::Rng& rng, double deviation) {
  return base::PortableExp(rng.Normal(0.0, deviation));
}

// Most people print, with shapes of their own; few write ornate letters.
std::array<double, kManners> DrawManners(base::Rng& rng) {
  return {
      1.0 * rng.Gamma(1.2),  // kPlain
      0.5 * rng.Gamma(0.4),  // kScript
      0.3 * rng.Gamma(0.4),  // kItalic
      2.5 * rng.Gamma(1.5),  // kPersonal
  };
}

bool IsCapital(int label) { return label >= 10 && label < 36; }

// The shapes of a manner share its weight. Ornate capitals are rare even with
// people who otherwise write script.
std::size_t DrawAllograph(std::span<const Allograph> allographs, int label,
                          const std::array<double, kManners>& manners,
                          base::Rng& rng) {
  std::array<int, kManners> count{};
  for (const Allograph& a : allographs) ++count[static_cast<int>(a.manner)];
  std::vector<double> weights;
  for (const Allograph& a : allographs) {
    const int manner = static_cast<int>(a.manner);
    const bool ornate =
        a.manner == Manner::kScript || a.manner == Manner::kItalic;
    const bool rare = ornate && IsCapital(label);
    weights.push_back(manners[manner] / count[manner] * (rare ? 0.2 : 1.0));
  }
  return base::Choice(weights)(rng);
}

// Each point moves towards the middle of its neighbours.
void RoundOff(Stroke& stroke, float strength) {
  for (int pass = 0; pass < 2; ++pass) {
    Point before = stroke.front();
    for (std::size_t i = 1; i + 1 < stroke.size(); ++i) {
      const Point here = stroke[i];
      const Point after = stroke[i + 1];
      stroke[i].x += strength * (0.5f * (before.x + after.x) - here.x);
      stroke[i].y += strength * (0.5f * (before.y + after.y) - here.y);
      before = here;
    }
  }
}

struct Box {
  float left = 1e9f, right = -1e9f, top = 1e9f, bottom = -1e9f;

  void Add(float x, float y) {
    left = std::min(left, x);
    right = std::max(right, x);
    top = std::min(top, y);
    bottom = std::max(bottom, y);
  }
  float side() const { return std::max(right - left, bottom - top); }
};

// Two values in [-1, 1) from one draw.
Point DrawPair(base::Rng& rng) {
  const std::uint64_t bits = rng();
  const auto signed_unit = [](std::uint32_t word) {
    return static_cast<float>(word >> 8) * 0x1p-23f - 1.0f;
  };
  return {signed_unit(static_cast<std::uint32_t>(bits)),
          signed_unit(static_cast<std::uint32_t>(bits >> 32))};
}

// A moving pen: where it is off its path, slowly changing (wander) and at every
// point anew (tremor).
class Stray {
 public:
  Stray(float wander, float tremor, base::Rng& rng)
      : wander_(wander), tremor_(tremor), rng_(rng), at_(DrawPair(rng)) {}

  Point Next() {
    const Point push = DrawPair(rng_);
    speed_.x = 0.75f * speed_.x + 0.25f * push.x;
    speed_.y = 0.75f * speed_.y + 0.25f * push.y;
    at_.x = 0.92f * at_.x + speed_.x;
    at_.y = 0.92f * at_.y + speed_.y;
    return {wander_ * at_.x + tremor_ * push.x,
            wander_ * at_.y + tremor_ * push.y};
  }
  float slow() const { return at_.x; }

 private:
  float wander_;
  float tremor_;
  base::Rng& rng_;
  Point at_;
  Point speed_;
};

}  // namespace

Warp Warp::Draw(base::Rng& rng, double strength) {
  Warp warp;
  for (float& c : warp.x) c = static_cast<float>(rng.Normal(0.0, strength));
  for (float& c : warp.y) c = static_cast<float>(rng.Normal(0.0, strength));
  return warp;
}

Point Warp::operator()(Point p) const {
  // Beyond the square a cubic would run away; there the bend stays.
  const float u = std::clamp(p.x / kUnit, -1.25f, 1.25f);
  const float v = std::clamp(p.y / kUnit, -1.25f, 1.25f);
  const std::array<float, kTerms> terms = {u * u,     u * v,     v * v,
                                           u * u * v, u * v * v, v * v * v};
  float dx = 0;
  float dy = 0;
  for (int i = 0; i < kTerms; ++i) {
    dx += x[i] * terms[i];
    dy += y[i] * terms[i];
  }
  return {p.x + kUnit * dx, p.y + kUnit * dy};
}

Traits Traits::Draw(base::Rng& rng) {
  Traits t;
  t.slant = Clamped(rng.Normal(0.12, 0.19), -0.35, 0.65);
  t.aspect = Clamped(Factor(rng, 0.16), 0.65, 1.5);
  t.size = Clamped(rng.Normal(20.5, 1.1), 17.5, 23.0);
  t.across = Clamped(rng.Normal(0.0, 0.4), -1.0, 1.0);
  t.baseline = Clamped(rng.Normal(0.0, 0.6), -1.5, 1.5);
  t.pen = Clamped(1.25 * Factor(rng, 0.24), 0.75, 2.1);
  t.pressure = Clamped(0.15 * rng.Gamma(1.2), 0.0, 0.45);
  t.taper = static_cast<float>(rng.Uniform(0.0, 0.5));
  t.roundness = static_cast<float>(rng.Uniform());
  t.tremor = Clamped(0.06 + 0.08 * rng.Gamma(0.8), 0.0, 0.35);
  t.wander = Clamped(0.45 * Factor(rng, 0.4), 0.15, 1.0);
  t.looseness = Clamped(Factor(rng, 0.35), 0.4, 2.0);
  t.inconstancy = static_cast<float>(rng.Uniform(0.0, 0.2));
  t.softness = static_cast<float>(rng.Uniform(0.9, 1.5));
  t.ink = Clamped(rng.Normal(1.03, 0.06), 0.85, 1.0);
  t.warp = Warp::Draw(rng, 0.065);
  return t;
}

Hand::Hand(const GlyphSet& glyphs, base::Rng rng) : traits_(Traits::Draw(rng)) {
  const auto manners = DrawManners(rng);
  for (int label = 0; label < static_cast<int>(kCharacters.size()); ++label) {
    const auto allographs = glyphs.allographs(label);
    for (Shape& shape : shapes_[label]) {
      const auto i = DrawAllograph(allographs, label, manners, rng);
      shape = Learn(allographs[i], rng);
    }
  }
}

Hand::Shape Hand::Learn(const Allograph& allograph, base::Rng& rng) const {
  Shape shape{allograph.doubled, 0, allograph.strokes};
  const Warp habit = Warp::Draw(rng, 0.07);
  const auto aspect = static_cast<float>(traits_.aspect * Factor(rng, 0.08));
  const float apart = allograph.doubled ? 0.0f : 0.8f;
  Box box;
  for (Stroke& stroke : shape.strokes) {
    RoundOff(stroke, traits_.roundness);
    const Point shift = DrawPair(rng);
    for (Point& p : stroke) {
      p = habit(traits_.warp(p));
      p.y += apart * shift.y;
      p.x = aspect * (p.x + apart * shift.x) - traits_.slant * p.y;
      box.Add(p.x, p.y);
    }
  }
  shape.reach = box.side() / kCapital;
  return shape;
}

// What the pen does in one image.
struct Hand::Path {
  std::vector<std::vector<PenPoint>> strokes;
  Box box;
};

void Hand::Draw(int label, base::Rng& rng, StrokeRaster& raster,
                std::span<std::uint8_t, StrokeRaster::kPixels> out) const {
  const Shape& shape = shapes_[label][rng.Bernoulli(traits_.inconstancy)];
  Path path = Trace(shape, rng);
  Place(shape, rng, path);
  Press(shape, rng, path);
  for (const auto& stroke : path.strokes) {
    raster.Draw(stroke, traits_.softness);
  }
  raster.Write(traits_.ink, out);
}

// Where the pen goes this time, in units, with radii relative to the pen's.
Hand::Path Hand::Trace(const Shape& shape, base::Rng& rng) const {
  const float loose = traits_.looseness;
  const Warp warp = Warp::Draw(rng, 0.04 * loose);
  const auto slant = static_cast<float>(rng.Normal(0.0, 0.04 * loose));
  const auto aspect = static_cast<float>(1.0 + rng.Normal(0.0, 0.05 * loose));
  const auto tilt = static_cast<float>(rng.Normal(0.0, 0.03 * loose));
  const float apart = shape.doubled ? 0.0f : 0.4f * loose;
  const float steady = shape.doubled ? 0.3f : 1.0f;

  Path path;
  path.strokes.reserve(shape.strokes.size());
  for (const Stroke& stroke : shape.strokes) {
    const Point shift = DrawPair(rng);
    auto& points = path.strokes.emplace_back();
    points.reserve(stroke.size());
    Stray stray(steady * traits_.wander, steady * traits_.tremor, rng);
    for (const Point& meant : stroke) {
      const Point off = stray.Next();
      Point p = warp(meant);
      p.x += off.x + apart * shift.x;
      p.y += off.y + apart * shift.y;
      points.push_back({aspect * p.x - slant * p.y, p.y + tilt * p.x,
                        1.0f + 0.06f * stray.slow()});
      path.box.Add(points.back().x, points.back().y);
    }
  }
  return path;
}

// From units to pixels: characters fill the picture whatever their size on
// paper, small letters a little less.
void Hand::Place(const Shape& shape, base::Rng& rng, Path& path) const {
  const float loose = traits_.looseness;
  const float fill = std::sqrt(std::sqrt(std::min(shape.reach, 1.2f)));
  const float size = traits_.size * fill *
                     static_cast<float>(1.0 + rng.Normal(0.0, 0.025 * loose));
  const Box& box = path.box;
  const float scale = (size - 2.0f * traits_.pen) / box.side();
  const float middle = 0.5f * (StrokeRaster::kSide - 1);
  const Point shift = DrawPair(rng);
  const float x = middle + traits_.across + 0.5f * loose * shift.x -
                  0.5f * scale * (box.left + box.right);
  const float y = middle + traits_.baseline + 0.5f * loose * shift.y -
                  0.5f * scale * (box.top + box.bottom);
  for (auto& stroke : path.strokes) {
    for (PenPoint& p : stroke) {
      p.x = x + scale * p.x;
      p.y = y + scale * p.y;
    }
  }
}

// The pen's radius at every point: heavier downwards, lighter at the ends.
void Hand::Press(const Shape& shape, base::Rng& rng, Path& path) const {
  const float pen = traits_.pen * (shape.doubled ? 0.8f : 1.0f) *
                    static_cast<float>(1.0 + rng.Normal(0.0, 0.05));
  for (auto& stroke : path.strokes) {
    const std::size_t n = stroke.size();
    for (std::size_t i = 0; i < n; ++i) {
      const PenPoint& before = stroke[i == 0 ? 0 : i - 1];
      const PenPoint& after = stroke[i + 1 == n ? i : i + 1];
      const float dx = after.x - before.x;
      const float dy = after.y - before.y;
      const float length = std::sqrt(dx * dx + dy * dy) + 1e-6f;
      const std::size_t from_end = std::min(i, n - 1 - i);
      const float lift =
          from_end > 2 ? 0.0f : traits_.taper * (3.0f - from_end) / 3.0f;
      stroke[i].radius *=
          pen * (1.0f + traits_.pressure * dy / length) * (1.0f - lift);
    }
  }
}

}  // namespace sfumato::data
