#include "report/step_chart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fmt/format.h"
#include "report/axis_ticks.h"

namespace sfumato::report {
namespace {

constexpr double kLeft = 70;    // for "100 %", large on a phone
constexpr double kRight = 150;  // for the names of the lines
constexpr double kTop = 44;
constexpr double kBottom = 62;
constexpr std::array<const char*, 8> kColors = {"#3182c8", "#dd7a1d", "#2f9e6b",
                                                "#a05cc4", "#c74a5b", "#7a8b1f",
                                                "#4d9aa6", "#8a6d4f"};
constexpr std::array<Shape, 4> kShapes = {Shape::kDot, Shape::kSquare,
                                          Shape::kRing, Shape::kFrame};

struct Plot {
  const StepChart& chart;

  double Wide() const { return chart.width - kLeft - kRight; }
  double High() const { return chart.height - kTop - kBottom; }
  double X(double step) const {
    const auto count = static_cast<double>(chart.steps.size());
    return kLeft + Wide() * (step + 0.5) / count;
  }
  double Y(double value) const {
    const double share = std::clamp(value / chart.top, 0.0, 1.0);
    return kTop + High() * (1 - share);
  }
};

void AddAxes(const Plot& plot, Drawing& drawing) {
  const StepChart& chart = plot.chart;
  for (int i = 0; i <= 4; ++i) {
    const double value = chart.top * i / 4;
    drawing.lines.push_back({.points = {{kLeft, plot.Y(value)},
                                        {kLeft + plot.Wide(), plot.Y(value)}},
                             .ink = kFaint});
    drawing.texts.push_back({.at = {kLeft - 8, plot.Y(value) + 4},
                             .text = chart.percent
                                         ? fmt::format("{:g} %", 100 * value)
                                         : fmt::format("{:.3g}", value),
                             .size = kSmall,
                             .anchor = Anchor::kEnd});
  }
  for (std::size_t i = 0; i < chart.steps.size(); ++i) {
    drawing.texts.push_back(
        {.at = {plot.X(static_cast<double>(i)), kTop + plot.High() + 20},
         .text = chart.steps[i],
         .size = kSmall,
         .anchor = Anchor::kMiddle});
  }
  drawing.texts.push_back(
      {.at = {kLeft, kTop - 16}, .text = chart.y_label, .size = kSmall});
  drawing.texts.push_back({.at = {kLeft + plot.Wide() / 2, chart.height - 14},
                           .text = chart.x_label,
                           .size = kSmall,
                           .anchor = Anchor::kMiddle});
}

// The name of a line that ends before the last step would lie on others: it
// stands beside the chart, behind the line's sign.
bool EndsEarly(const StepChart& chart, const StepSeries& series) {
  return series.points.back().step + 1 < chart.steps.size();
}

Marks SignOf(std::size_t number) {
  return {.at = {},
          .shape = kShapes[number % kShapes.size()],
          .size = 8,
          .ink = {.color = kColors[number % kColors.size()]}};
}

void AddSeries(const Plot& plot, std::size_t number, Drawing& drawing) {
  const StepSeries& series = plot.chart.series[number];
  const Ink ink{.color = kColors[number % kColors.size()]};
  // Whiskers of several lines stand beside each other.
  const double aside =
      6 * (static_cast<double>(number) -
           (static_cast<double>(plot.chart.series.size()) - 1) / 2);
  Line line{.points = {}, .width = 2, .ink = ink};
  Marks marks = SignOf(number);
  for (const StepPoint& point : series.points) {
    const double x = plot.X(static_cast<double>(point.step)) + aside;
    line.points.push_back({x, plot.Y(point.value)});
    marks.at.push_back({x, plot.Y(point.value)});
    drawing.lines.push_back(
        {.points = {{x, plot.Y(point.low)}, {x, plot.Y(point.high)}},
         .width = 1.2,
         .ink = {.color = ink.color, .opacity = 0.6}});
  }
  if (line.points.empty()) return;
  const Point end = line.points.back();
  if (line.points.size() > 1) drawing.lines.push_back(line);
  drawing.marks.push_back(marks);
  const double x =
      EndsEarly(plot.chart, series) ? kLeft + plot.Wide() + 22 : end.x + 12;
  drawing.texts.push_back(
      {.at = {x, end.y + 4}, .text = series.name, .ink = ink});
}

// Names at the ends of lines that meet are moved apart.
void SpreadNames(std::size_t first, double bottom, Drawing& drawing) {
  std::vector<Text*> names;
  for (std::size_t i = first; i < drawing.texts.size(); ++i) {
    names.push_back(&drawing.texts[i]);
  }
  std::stable_sort(names.begin(), names.end(),
                   [](const Text* one, const Text* other) {
                     return one->at.y < other->at.y;
                   });
  constexpr double kGap = 16;
  for (std::size_t i = 1; i < names.size(); ++i) {
    names[i]->at.y = std::max(names[i]->at.y, names[i - 1]->at.y + kGap);
  }
  double limit = bottom;
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    (*name)->at.y = std::min((*name)->at.y, limit);
    limit = (*name)->at.y - kGap;
  }
}

// Signs before the names that stand beside the chart.
void AddSigns(const StepChart& chart, std::size_t first, Drawing& drawing) {
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const StepSeries& series = chart.series[i];
    if (series.points.empty()) continue;
    const Point name = drawing.texts[first++].at;
    if (!EndsEarly(chart, series)) continue;
    Marks sign = SignOf(i);
    sign.at = {{name.x - 12, name.y - 4}};
    drawing.marks.push_back(std::move(sign));
  }
}

}  // namespace

Drawing Draw(const StepChart& chart) {
  Drawing drawing{.width = chart.width,
                  .height = chart.height,
                  .title = chart.title,
                  .description = chart.description};
  const Plot plot{chart};
  AddAxes(plot, drawing);
  const std::size_t names = drawing.texts.size();
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    AddSeries(plot, i, drawing);
  }
  SpreadNames(names, kTop + plot.High() + 4, drawing);
  AddSigns(chart, names, drawing);
  return drawing;
}

}  // namespace sfumato::report
