// Bars of two sides beside each other, with what twins differ by: data in, a
// drawing out.
//
//   PairChart chart{.title = "Unknown words by position",
//                   .x_label = "position", .y_label = "unknown, %",
//                   .groups = {{"1", 0.4, 11.2, 2.1}, {"2", 5, 5.2, 0.8}}};
//   std::string svg = ToSvg(Draw(chart));
//
// A is to the left, filled in its colour; B to the right, and framed, so that
// colour is not needed. The whisker on B's bar is the floor to either side of
// A's value: a bar that ends above it differs by more than twins do.

#pragma once

#include <string>
#include <vector>

#include "report/drawing.h"

namespace sfumato::report {

struct PairGroup {
  std::string label = "";
  double a = 0;
  double b = 0;
  double floor = 0;
};

struct PairChart {
  std::string title = "";
  std::string description = "";
  std::string x_label = "";
  std::string y_label = "";
  std::vector<PairGroup> groups = {};
  double width = 640;
  double height = 300;
};

// Values that are not finite, or below 0, are drawn as 0. REQUIRES: groups.
Drawing Draw(const PairChart& chart);

}  // namespace sfumato::report
