// A histogram with lines through it: data in, a drawing out.
//
//   BarChart chart{.title = "Users by accuracy", .edges = {0, 0.5, 1},
//                  .counts = {12, 40}, .deviation = 5,
//                  .rules = {{.at = 0.9, .label = "A above"}}};
//
// Noisy counts may be negative: such a bar has no height. Every bar carries a
// whisker of one deviation to either side where there is noise, as far as it is
// above zero.

#pragma once

#include <string>
#include <vector>

#include "report/drawing.h"

namespace sfumato::report {

// An upright line at a value.
struct Rule {
  double at = 0;
  std::string label = "";
  std::string color = "currentColor";
};

struct BarChart {
  std::string title = "";
  std::string description = "";
  std::string x_label = "";
  std::string y_label = "";
  std::vector<double> edges = {};  // rising; bars + 1
  std::vector<double> counts = {};
  double deviation = 0;
  std::vector<Rule> rules = {};
  double width = 640;
  double height = 320;
};

// REQUIRES: edges rise, one more than counts; all finite.
Drawing Draw(const BarChart& chart);

}  // namespace sfumato::report
