// Lines and words on a page, as SVG or as pixels.
//
//   Drawing drawing{.width = 720, .height = 440, .title = "A line"};
//   drawing.lines.push_back({.points = {{10, 10}, {90, 40}}});
//   std::string svg = ToSvg(drawing);
//   std::string png = base::EncodePng(ToImage(drawing, 2));
//
// Coordinates are in units of the page, y grows downwards. The SVG inherits its
// colour (`currentColor`) from the page around it. The same drawing gives the
// same bytes.

#pragma once

#include <string>
#include <vector>

#include "base/image.h"

namespace sfumato::app {

struct Spot {
  double x = 0;
  double y = 0;
};

// "currentColor" or "#rrggbb".
struct Ink {
  std::string color = "currentColor";
  double opacity = 1;
};

struct Line {
  std::vector<Spot> points;
  double width = 1;
  Ink ink = {};
  double dash = 0;  // length of a dash and of half its gap; 0: a whole line
};

enum class Anchor { kStart, kMiddle, kEnd };

// One line of text on the baseline through `at`. What follows a '^' is raised,
// to the end. Pixels know ASCII, ε, δ and ·; what else there is becomes '?'.
struct Words {
  Spot at;
  std::string text;
  double size = 13;
  Anchor anchor = Anchor::kStart;
  Ink ink = {};
  bool bold = false;
};

struct Drawing {
  double width = 0;
  double height = 0;
  std::string title = "";        // read aloud in place of the picture
  std::string description = "";  // the same at greater length
  std::vector<Line> lines = {};
  std::vector<Words> words = {};
};

std::string ToSvg(const Drawing& drawing);

// Dark on white, every unit of the page `scale` pixels wide.
base::Image ToImage(const Drawing& drawing, int scale);

}  // namespace sfumato::app
