#include "report/pair_chart.h"

#include <algorithm>
#include <cmath>

#include "report/axis_ticks.h"
#include "report/sides.h"

namespace sfumato::report {
namespace {

constexpr double kTop = 34;
constexpr double kBottom = 50;
constexpr double kLeft = 46;
constexpr double kRight = 10;

double Drawn(double value) {
  return std::isfinite(value) ? std::max(0.0, value) : 0;
}

// Height of values on the page.
struct Scale {
  double bottom = 0;
  double unit = 1;  // page units per value
  double Y(double value) const { return bottom - unit * value; }
};

double Highest(const PairChart& chart) {
  double highest = 1e-6;
  for (const PairGroup& group : chart.groups) {
    highest = std::max(
        {highest, Drawn(group.a) + Drawn(group.floor), Drawn(group.b)});
  }
  return 1.05 * highest;
}

void DrawBar(const Scale& scale, double left, double width, double value,
             const SideLook& look, Drawing& drawing) {
  const double top = scale.Y(value);
  const bool framed = look.shape == Shape::kSquare;
  drawing.boxes.push_back(
      {.corner = {left, top},
       .width = width,
       .height = scale.bottom - top,
       .ink = {.color = look.color, .opacity = framed ? 0.35 : 0.9}});
  if (!framed) return;
  drawing.lines.push_back({.points = {{left, scale.bottom},
                                      {left, top},
                                      {left + width, top},
                                      {left + width, scale.bottom}},
                           .width = 2,
                           .ink = {.color = look.color}});
}

void DrawFloor(const Scale& scale, double middle, const PairGroup& group,
               Drawing& drawing) {
  const double floor = Drawn(group.floor);
  if (floor == 0) return;
  const double high = scale.Y(Drawn(group.a) + floor);
  const double low = scale.Y(std::max(0.0, Drawn(group.a) - floor));
  drawing.lines.push_back(
      {.points = {{middle, low}, {middle, high}}, .width = 1.4, .ink = kQuiet});
  for (const double y : {low, high}) {
    drawing.lines.push_back({.points = {{middle - 5, y}, {middle + 5, y}},
                             .width = 1.4,
                             .ink = kQuiet});
  }
}

void DrawLegend(const PairChart& chart, Drawing& drawing) {
  drawing.texts.push_back(
      {.at = {4, 16}, .text = chart.y_label, .size = kSmall});
  double right = chart.width - kRight;
  for (const SideLook* look : {&SideB(), &SideA()}) {
    drawing.texts.push_back({.at = {right, 16},
                             .text = look->sign + " " + look->name,
                             .size = kSmall,
                             .anchor = Anchor::kEnd,
                             .ink = {.color = look->color},
                             .bold = true});
    right -= 40;
  }
}

}  // namespace

Drawing Draw(const PairChart& chart) {
  Drawing drawing{.width = chart.width,
                  .height = chart.height,
                  .title = chart.title,
                  .description = chart.description};
  const double highest = Highest(chart);
  const Scale scale{.bottom = chart.height - kBottom,
                    .unit = (chart.height - kBottom - kTop) / highest};
  const double right = chart.width - kRight;
  AddLevels(
      Ticks(0, highest, false), kLeft, right, 7,
      [&](double value) { return scale.Y(value); }, drawing);
  const double step =
      (right - kLeft) / static_cast<double>(chart.groups.size());
  const double width = 0.34 * step;
  for (std::size_t i = 0; i < chart.groups.size(); ++i) {
    const PairGroup& group = chart.groups[i];
    const double middle = kLeft + step * (static_cast<double>(i) + 0.5);
    DrawBar(scale, middle - width - 1, width, Drawn(group.a), SideA(), drawing);
    DrawBar(scale, middle + 2, width, Drawn(group.b), SideB(), drawing);
    DrawFloor(scale, middle + 2 + width / 2, group, drawing);
    drawing.texts.push_back({.at = {middle, scale.bottom + 17},
                             .text = group.label,
                             .size = kSmall,
                             .anchor = Anchor::kMiddle,
                             .ink = kQuiet});
  }
  drawing.lines.push_back(
      {.points = {{kLeft, scale.bottom}, {right, scale.bottom}},
       .ink = kQuiet});
  drawing.texts.push_back({.at = {(kLeft + right) / 2, chart.height - 10},
                           .text = chart.x_label,
                           .size = kSmall,
                           .anchor = Anchor::kMiddle});
  DrawLegend(chart, drawing);
  return drawing;
}

}  // namespace sfumato::report
