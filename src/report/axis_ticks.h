// The marks of an axis, and what charts share in their looks.
//
//   AddLevels(Ticks(0, highest, false), left, right, 7, y, drawing);

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/drawing.h"

namespace sfumato::report {

inline constexpr double kSmall = 12.5;  // size of text beside a plot
inline const Ink kQuiet{.color = "currentColor", .opacity = 0.65};
inline const Ink kFaint{.color = "currentColor", .opacity = 0.13};

// What follows a '^' in the label is an exponent.
struct Tick {
  double value = 0;
  std::string label;
};

// About five round numbers from `low` to `high`, or powers of ten when `log`
// (their doubles and halves too when these are few). REQUIRES: low < high, both
// finite, and low > 0 when `log`.
std::vector<Tick> Ticks(double low, double high, bool log);

// The approximate width of the longest label.
double WidthOf(const std::vector<Tick>& ticks);

// A faint line across the plot at the height `y` of each value, its label
// `gap` to the left.
void AddLevels(const std::vector<Tick>& ticks, double left, double right,
               double gap, const std::function<double(double)>& y,
               Drawing& drawing);

}  // namespace sfumato::report
