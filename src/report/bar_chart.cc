#include "report/bar_chart.h"

#include <algorithm>
#include <cmath>

#include "report/axis_ticks.h"

namespace sfumato::report {
namespace {

constexpr double kTop = 54;  // labels of the lines and of the y axis
constexpr double kBottom = 52;
constexpr double kRight = 18;

struct Frame {
  double left = 0, right = 0, top = 0, bottom = 0;
  double x_low = 0, x_high = 1, y_low = 0, y_high = 1;

  double X(double value) const {
    return left + (right - left) * (value - x_low) / (x_high - x_low);
  }
  double Y(double value) const {
    return bottom - (bottom - top) * (value - y_low) / (y_high - y_low);
  }
};

Frame FrameOf(const BarChart& chart) {
  Frame frame{.right = chart.width - kRight,
              .top = kTop,
              .bottom = chart.height - kBottom,
              .x_low = chart.edges.front(),
              .x_high = chart.edges.back()};
  for (const double count : chart.counts) {
    frame.y_high = std::max(frame.y_high, count + chart.deviation);
  }
  frame.y_high *= 1.04;
  frame.left = 18 + WidthOf(Ticks(frame.y_low, frame.y_high, false));
  return frame;
}

void DrawAxes(const BarChart& chart, const Frame& frame, Drawing& drawing) {
  AddLevels(
      Ticks(frame.y_low, frame.y_high, false), frame.left, frame.right, 7,
      [&](double value) { return frame.Y(value); }, drawing);
  for (const Tick& tick : Ticks(frame.x_low, frame.x_high, false)) {
    drawing.texts.push_back({.at = {frame.X(tick.value), frame.bottom + 18},
                             .text = tick.label,
                             .size = kSmall,
                             .anchor = Anchor::kMiddle,
                             .ink = kQuiet});
  }
  drawing.lines.push_back(
      {.points = {{frame.left, frame.Y(0)}, {frame.right, frame.Y(0)}},
       .ink = kQuiet});
  drawing.texts.push_back(
      {.at = {frame.left, 16}, .text = chart.y_label, .size = kSmall});
  drawing.texts.push_back(
      {.at = {(frame.left + frame.right) / 2, frame.bottom + 41},
       .text = chart.x_label,
       .size = kSmall,
       .anchor = Anchor::kMiddle});
}

void DrawBars(const BarChart& chart, const Frame& frame, Drawing& drawing) {
  for (std::size_t i = 0; i < chart.counts.size(); ++i) {
    const double left = frame.X(chart.edges[i]) + 0.75;
    const double right = frame.X(chart.edges[i + 1]) - 0.75;
    const auto height = [&](double count) {
      return frame.Y(std::max(0.0, count));
    };
    const double end = height(chart.counts[i]);
    drawing.boxes.push_back(
        {.corner = {left, end},
         .width = std::max(0.5, right - left),
         .height = frame.Y(0) - end,
         .ink = {.color = "currentColor", .opacity = 0.32}});
    const double top = chart.counts[i] + chart.deviation;
    if (!(chart.deviation > 0 && top > 0)) continue;
    const double middle = (left + right) / 2;
    drawing.lines.push_back(
        {.points = {{middle, height(chart.counts[i] - chart.deviation)},
                    {middle, height(top)}},
         .ink = {.color = "currentColor", .opacity = 0.55}});
  }
}

// Labels lie on the side that has room, each on a level of its own: the outer
// ones higher, so that no line runs through a label.
void DrawRules(const BarChart& chart, const Frame& frame, Drawing& drawing) {
  const double middle = (frame.left + frame.right) / 2;
  std::vector<Rule> rules = chart.rules;
  std::sort(rules.begin(), rules.end(), [&](const Rule& a, const Rule& b) {
    return std::abs(frame.X(a.at) - middle) > std::abs(frame.X(b.at) - middle);
  });
  double level = 34;
  for (const Rule& rule : rules) {
    const double x = frame.X(std::clamp(rule.at, frame.x_low, frame.x_high));
    const bool left_half = x < middle;
    drawing.lines.push_back({.points = {{x, level - 9}, {x, frame.bottom}},
                             .width = 2,
                             .ink = {.color = rule.color}});
    drawing.texts.push_back(
        {.at = {left_half ? x + 6 : x - 6, level},
         .text = rule.label,
         .size = kSmall,
         .anchor = left_half ? Anchor::kStart : Anchor::kEnd,
         .ink = {.color = rule.color},
         .bold = true});
    level += 16;
  }
}

}  // namespace

Drawing Draw(const BarChart& chart) {
  Drawing drawing{.width = chart.width,
                  .height = chart.height,
                  .title = chart.title,
                  .description = chart.description};
  const Frame frame = FrameOf(chart);
  DrawBars(chart, frame, drawing);
  DrawAxes(chart, frame, drawing);
  DrawRules(chart, frame, drawing);
  return drawing;
}

}  // namespace sfumato::report
