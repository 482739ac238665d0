// Values in rows, with their names and intervals: data in, a drawing out.
//
//   RowChart chart{.title = "Shares of users",
//                  .rows = {{.name = "turned", .value = 0.05, .low = 0.04,
//                            .high = 0.07, .text = "5 %", .strong = true}}};
//   std::string svg = ToSvg(Draw(chart));
//
// A bar reaches from 0 to its value, to the left if that is negative; a whisker
// spans the interval where there is one; a mark is a tick across the row.
// Strong rows are darker and bold, so that colour is not needed.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/drawing.h"

namespace sfumato::report {

struct RowValue {
  std::string name = "";
  double value = 0;
  double low = 0;  // no whisker where low equals high
  double high = 0;
  std::optional<double> mark = {};
  std::string text = "";  // to the right of all
  bool strong = false;
};

struct RowChart {
  std::string title = "";
  std::string description = "";
  std::string x_label = "";
  std::vector<RowValue> rows = {};
  bool percent = true;  // of the axis
  double width = 760;
};

// The axis holds 0 and all values, intervals and marks. What is not finite is
// drawn as 0. REQUIRES: rows.
Drawing Draw(const RowChart& chart);

}  // namespace sfumato::report
