// Lines, boxes, marks and text on a page: one description of a chart, as SVG or
// as pixels.
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

namespace sfumato::report {

struct Point {
  double x = 0;
  double y = 0;
};

// "currentColor" or "#rrggbb".
struct Ink {
  std::string color = "currentColor";
  double opacity = 1;
};

struct Line {
  std::vector<Point> points;
  double width = 1;
  Ink ink = {};
  double dash = 0;  // length of a dash and of half its gap; 0: a whole line
};

// A filled rectangle.
struct Box {
  Point corner;  // the upper left one
  double width = 0;
  double height = 0;
  Ink ink = {};
};

// Many equal signs of one colour. Shapes differ so that colour is not needed.
enum class Shape { kDot, kSquare, kRing, kFrame };
struct Marks {
  std::vector<Point> at;
  Shape shape = Shape::kDot;
  double size = 6;  // from side to side
  Ink ink = {};
};

enum class Anchor { kStart, kMiddle, kEnd };

// One line of text on the baseline through `at`. What follows a '^' is raised,
// to the end. Pixels know ASCII, ε, δ and ·; what else there is becomes '?'.
struct Text {
  Point at;
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
  std::vector<Box> boxes = {};   // below the lines
  std::vector<Line> lines = {};
  std::vector<Marks> marks = {};  // above the lines
  std::vector<Text> texts = {};
};

// A file of its own with colours for light and dark; or, where `inside` a page,
// without them: the page's style has the say.
std::string ToSvg(const Drawing& drawing, bool inside = false);

// Dark on white, every unit of the page `scale` pixels wide.
base::Image ToImage(const Drawing& drawing, int scale);

}  // namespace sfumato::report
