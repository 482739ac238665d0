// A chart of a few lines: data in, a drawing out.
//
//   LineChart chart{.title = "ε against rounds",
//                   .x_axis = {.label = "rounds"}, .y_axis = {.label = "ε"},
//                   .x = {1, 10, 100},
//                   .series = {{.name = "pld", .y = {0.1, 0.4, 1.2}}}};
//   std::string svg = ToSvg(Draw(chart));
//
// Every line carries its name at its end, so there is no legend to match
// colours with. Values that are not finite leave a gap.

#pragma once

#include <string>
#include <vector>

#include "report/axis_ticks.h"
#include "report/drawing.h"

namespace sfumato::report {

struct Axis {
  std::string label = "";
  bool log = false;  // then what is not above 0 is not drawn
};

struct Series {
  std::string name;
  std::vector<double> y;  // one for each x
  std::string color = "currentColor";
  bool dashed = false;
};

struct LineChart {
  std::string title = "";
  std::string subtitle = "";
  std::string description = "";  // read aloud after the title
  Axis x_axis = {};
  Axis y_axis = {};
  std::vector<double> x = {};  // rising
  std::vector<Series> series = {};
  // A second axis above the plot: what else belongs to some of the x.
  std::string top_label = "";
  std::vector<Tick> top = {};
  double width = 760;
  double height = 440;
  bool headed = true;  // title and subtitle are drawn; always read aloud
};

Drawing Draw(const LineChart& chart);

}  // namespace sfumato::report
