// Glyphs as pen strokes, from files in James Hurt's format (.jhf).
//
//   const std::vector<base::Glyph> face = base::HersheyFace("futural.jhf");
//
// A glyph is a line: its number in five columns, its count of pairs in three,
// then the pairs, two characters each. A character is a coordinate, counted
// from 'R'. The first pair is the glyph's left and right edge; " R" lifts the
// pen. A line that ends before its last pair continues on the next.
//
// y grows downwards; capitals reach from -12 to the baseline at 9.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/embedded_file.h"

namespace sfumato::base {

struct Point {
  float x = 0;
  float y = 0;
  bool operator==(const Point&) const = default;
};

using Stroke = std::vector<Point>;  // where the pen goes without being lifted

struct Glyph {
  int number = 0;
  int left = 0;
  int right = 0;
  std::vector<Stroke> strokes;
};

// The glyphs in the file's order. `where` is the name used in errors. Throws
// BadInput with the line when the text is not in this format.
std::vector<Glyph> ParseHershey(std::string_view text,
                                const std::string& where);

// The files of src/base/hershey, as they were when the program was built.
std::span<const EmbeddedFile> HersheyFiles();

// The glyphs of one of them: of a face, from space to DEL. REQUIRES: it exists.
std::vector<Glyph> HersheyFace(std::string_view name);

}  // namespace sfumato::base
