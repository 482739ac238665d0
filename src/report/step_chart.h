// Values with intervals at a few steps: data in, a drawing out.
//
//   const StepSeries found{.name = "invert",
//                          .points = {{0, 0.1, 0, 0.4}, {1, 0.8, 0.5, 1}}};
//   StepChart chart{.title = "Found", .steps = {"0 %", "10 %"},
//                   .series = {found}};
//   std::string svg = ToSvg(Draw(chart));
//
// Steps stand side by side at equal distances, whatever they are called. Lines
// differ by shape as well as by colour and carry their names at their ends, or
// beside the chart where they end before its last step.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/drawing.h"

namespace sfumato::report {

struct StepPoint {
  std::size_t step = 0;
  double value = 0;
  double low = 0;
  double high = 0;
};
struct StepSeries {
  std::string name = "";
  std::vector<StepPoint> points = {};  // steps rising
};
struct StepChart {
  std::string title = "";
  std::string description = "";
  std::string x_label = "";
  std::string y_label = "";
  std::vector<std::string> steps = {};
  std::vector<StepSeries> series = {};
  double top = 1;  // of the y axis, which begins at 0
  bool percent = true;
  double width = 760;
  double height = 400;
};
// REQUIRES: steps; every point's step is one of them.
Drawing Draw(const StepChart& chart);

}  // namespace sfumato::report
