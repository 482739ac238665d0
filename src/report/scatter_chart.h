// Points of several kinds on a plane whose axes mean nothing by themselves.
//
//   ScatterChart chart{.title = "Map", .clouds = {{.name = "A, first half",
//                      .points = {{0.1, 0.7}}, .shape = Shape::kDot}}};
//   std::string svg = ToSvg(Draw(chart), /*inside=*/true);
//
// Kinds differ by shape as well as by colour; a key below names them.

#pragma once

#include <string>
#include <vector>

#include "report/drawing.h"

namespace sfumato::report {

struct Cloud {
  std::string name = "";
  std::vector<Point> points = {};  // in any unit; y grows upwards
  Shape shape = Shape::kDot;
  std::string color = "currentColor";
};

struct ScatterChart {
  std::string title = "";
  std::string description = "";
  std::vector<Cloud> clouds = {};
  double width = 640;
  double height = 460;
};

// Points that are not finite are not drawn.
Drawing Draw(const ScatterChart& chart);

}  // namespace sfumato::report
