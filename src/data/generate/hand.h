// How one person writes: a hand draws characters that look like its own.
//
//   const Hand hand(glyphs, base::Rng(seed, {base::Key("hand"), 17}));
//   hand.Draw(label, rng, raster, pixels);
//
// What stays the same for a person (which shapes, slant, size, pen, the way
// lines bend) is drawn once, in the constructor; what differs from one image
// to the next comes from the stream given to Draw.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "data/generate/glyph_set.h"
#include "data/generate/stroke_raster.h"

namespace sfumato::data {

// A smooth bend of the plane: each coordinate moves by a cubic polynomial.
struct Warp {
  static constexpr int kTerms = 6;  // x², xy, y², x²y, xy², y³
  std::array<float, kTerms> x{};
  std::array<float, kTerms> y{};

  static Warp Draw(base::Rng& rng, double strength);
  Point operator()(Point p) const;
};

struct Traits {
  float slant;        // sideways per unit of height
  float aspect;       // width, as a factor
  float size;         // of the larger side of a capital, in pixels
  float across;       // pixels from the picture's middle to the right
  float baseline;     // the same, downwards
  float pen;          // radius in pixels
  float pressure;     // 0: even line, 0.4: down-strokes much heavier
  float taper;        // how much of the radius is gone where a stroke ends
  float roundness;    // 0: corners stay, 1: they are cut
  float tremor;       // units by which a point is off
  float wander;       // how far a line strays from where it was meant
  float looseness;    // how much one image differs from the next
  float inconstancy;  // how often another shape than the usual is used
  float softness;     // pixels across which the edge of a line fades
  float ink;          // 1: black
  Warp warp;

  static Traits Draw(base::Rng& rng);
};

class Hand {
 public:
  Hand(const GlyphSet& glyphs, base::Rng rng);

  // Draws one image of `label`; `raster` must be clear and is clear again.
  void Draw(int label, base::Rng& rng, StrokeRaster& raster,
            std::span<std::uint8_t, StrokeRaster::kPixels> out) const;

  const Traits& traits() const { return traits_; }

 private:
  // A character as this person means to write it.
  struct Shape {
    bool doubled = false;
    float reach = 0;  // larger side relative to a capital's height
    std::vector<Stroke> strokes;
  };
  struct Path;

  Shape Learn(const Allograph& allograph, base::Rng& rng) const;
  Path Trace(const Shape& shape, base::Rng& rng) const;
  void Place(const Shape& shape, base::Rng& rng, Path& path) const;
  void Press(const Shape& shape, base::Rng& rng, Path& path) const;

  Traits traits_;
  // The usual shape and another, which may be the same.
  std::array<std::array<Shape, 2>, kCharacters.size()> shapes_;
};

}  // namespace sfumato::data
