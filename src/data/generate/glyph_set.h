// The 62 characters and the ways in which people write each of them.
//
// Plotter glyphs are polylines with a few points; here they are smooth curves,
// upright, as points close enough for each writer to bend.

#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "base/stroke_font.h"

namespace sfumato::data {

using base::Glyph;
using base::Point;
using base::Stroke;

// The character of label 0, 1, …
inline constexpr std::string_view kCharacters =
    "0123456789"
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    "abcdefghijklmnopqrstuvwxyz";

// Where a shape comes from; a writer prefers some of these manners.
enum class Manner { kPlain, kScript, kItalic, kPersonal };
inline constexpr int kManners = 4;

// One way to write a character, around the origin, capitals 21 units high,
// y downwards.
struct Allograph {
  Manner manner = Manner::kPlain;
  // Drawn as two lines side by side, which must stay together.
  bool doubled = false;
  std::vector<Stroke> strokes;
};

class GlyphSet {
 public:
  // Parses the embedded files.
  GlyphSet();

  // At least one of each manner except kPersonal.
  std::span<const Allograph> allographs(int label) const {
    return allographs_[label];
  }

 private:
  std::array<std::vector<Allograph>, kCharacters.size()> allographs_;
};

// A smooth curve through the points of `stroke`, as points at most `spacing`
// apart. A turn of about a right angle or more stays a corner; a stroke that
// ends where it begins is smooth there too. REQUIRES: spacing > 0.
Stroke Smooth(const Stroke& stroke, float spacing);

}  // namespace sfumato::data
