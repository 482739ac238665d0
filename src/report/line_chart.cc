#include "report/line_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/utf8.h"
#include "report/axis_ticks.h"

namespace sfumato::report {
namespace {

constexpr double kTitle = 62;    // title and subtitle, where there is one
constexpr double kTop = 34;      // the y label, below that
constexpr double kTopAxis = 34;  // the axis above the plot, where there is one
constexpr double kBottom = 62;   // for ticks and label of the x axis
constexpr double kLabelGap = 9;  // between a line's end and its name

bool Drawable(double value, const Axis& axis) {
  return std::isfinite(value) && (!axis.log || value > 0);
}

// From a value to a share of the axis.
struct Range {
  double low = 0;
  double high = 1;
  bool log = false;

  double Share(double value) const {
    return log ? std::log(value / low) / std::log(high / low)
               : (value - low) / (high - low);
  }
};

Range Span(const std::vector<double>& values, const Axis& axis) {
  Range range{.low = std::numeric_limits<double>::infinity(),
              .high = -std::numeric_limits<double>::infinity(),
              .log = axis.log};
  for (const double value : values) {
    if (!Drawable(value, axis)) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  if (!(range.low <= range.high))
    return {.low = 1, .high = 10, .log = axis.log};
  if (range.low == range.high) {  // one value: give it some room
    range.low = range.low > 0 ? range.low / 2 : range.low - 1;
    range.high = range.high > 0 ? range.high * 2 : range.high + 1;
  }
  return range;
}

// The y axis begins at 0 and ends at a round number above everything; a
// logarithmic one ends at round numbers on both sides.
Range Rounded(Range range) {
  if (range.log) {
    constexpr double kSteps[] = {1, 2, 5, 10};
    const auto outward = [&](double value, bool up) {
      const double decade = std::pow(10, std::floor(std::log10(value)));
      double best = up ? 10 * decade : decade;
      for (const double step : kSteps) {
        const double candidate = step * decade;
        if (up && candidate >= value * (1 - 1e-9)) {
          best = std::min(best, candidate);
        }
        if (!up && candidate <= value * (1 + 1e-9)) {
          best = std::max(best, candidate);
        }
      }
      return best;
    };
    return {outward(range.low, false), outward(range.high, true), true};
  }
  if (range.low > 0) range.low = 0;
  const std::vector<Tick> ticks = Ticks(range.low, range.high, false);
  const double step = ticks.size() > 1 ? ticks[1].value - ticks[0].value : 1;
  range.high = step * std::ceil(range.high / step * (1 - 1e-9));
  return range;
}

struct Plot {
  double left = 0;
  double right = 0;
  double top = 0;
  double bottom = 0;
  Range x;
  Range y;

  Point At(double x_value, double y_value) const {
    return {left + (right - left) * x.Share(x_value),
            bottom - (bottom - top) * y.Share(y_value)};
  }
};

void DrawTopAxis(const LineChart& chart, const Plot& plot, Drawing& drawing) {
  if (chart.top.empty()) return;
  drawing.lines.push_back(
      {.points = {{plot.left, plot.top}, {plot.right, plot.top}},
       .ink = kQuiet});
  drawing.texts.push_back({.at = {plot.left, plot.top - 10},
                           .text = chart.top_label,
                           .size = kSmall});
  for (const Tick& tick : chart.top) {
    const double x = plot.At(tick.value, plot.y.low).x;
    drawing.lines.push_back(
        {.points = {{x, plot.top}, {x, plot.top - 5}}, .ink = kQuiet});
    drawing.texts.push_back({.at = {x, plot.top - 10},
                             .text = tick.label,
                             .size = kSmall,
                             .anchor = Anchor::kMiddle,
                             .ink = kQuiet});
  }
}

void DrawAxes(const LineChart& chart, const Plot& plot, Drawing& drawing) {
  AddLevels(
      Ticks(plot.y.low, plot.y.high, plot.y.log), plot.left, plot.right, 8,
      [&](double value) { return plot.At(plot.x.low, value).y; }, drawing);
  for (const Tick& tick : Ticks(plot.x.low, plot.x.high, plot.x.log)) {
    const double x = plot.At(tick.value, plot.y.low).x;
    drawing.lines.push_back(
        {.points = {{x, plot.bottom}, {x, plot.bottom + 5}}, .ink = kQuiet});
    drawing.texts.push_back({.at = {x, plot.bottom + 20},
                             .text = tick.label,
                             .size = kSmall,
                             .anchor = Anchor::kMiddle,
                             .ink = kQuiet});
  }
  drawing.lines.push_back(
      {.points = {{plot.left, plot.bottom}, {plot.right, plot.bottom}},
       .ink = kQuiet});
  DrawTopAxis(chart, plot, drawing);
  if (!chart.y_axis.label.empty()) {
    drawing.texts.push_back(
        {.at = {plot.left, plot.top - 14 - (chart.top.empty() ? 0 : kTopAxis)},
         .text = chart.y_axis.label,
         .size = kSmall});
  }
  drawing.texts.push_back(
      {.at = {(plot.left + plot.right) / 2, plot.bottom + 44},
       .text = chart.x_axis.label,
       .size = kSmall,
       .anchor = Anchor::kMiddle});
}

void DrawHead(const LineChart& chart, Drawing& drawing) {
  drawing.texts.push_back(
      {.at = {24, 34}, .text = chart.title, .size = 18, .bold = true});
  drawing.texts.push_back(
      {.at = {24, 55}, .text = chart.subtitle, .size = kSmall, .ink = kQuiet});
}

// A dashed line is quiet: it stands behind the others.
Ink InkOf(const Series& series) {
  return {.color = series.color, .opacity = series.dashed ? kQuiet.opacity : 1};
}

void DrawSeries(const LineChart& chart, const Series& series, const Plot& plot,
                Drawing& drawing) {
  Line line{.points = {},
            .width = series.dashed ? 1.6 : 2.2,
            .ink = InkOf(series),
            .dash = series.dashed ? 3.0 : 0};
  const auto lift = [&] {
    if (line.points.size() == 1) {  // a value alone would not be seen
      const Point at = line.points.front();
      line.points = {{at.x - 4, at.y}, {at.x + 4, at.y}};
    }
    if (!line.points.empty()) drawing.lines.push_back(line);
    line.points.clear();
  };
  for (std::size_t i = 0; i < chart.x.size(); ++i) {
    if (Drawable(series.y[i], chart.y_axis)) {
      line.points.push_back(plot.At(chart.x[i], series.y[i]));
    } else {
      lift();
    }
  }
  lift();
}

struct EndLabel {
  Point at;
  std::string text;
  Ink ink;
};

// The last drawn point of every line, with its name.
std::vector<EndLabel> EndLabels(const LineChart& chart, const Plot& plot) {
  std::vector<EndLabel> labels;
  for (const Series& series : chart.series) {
    for (std::size_t i = chart.x.size(); i-- > 0;) {
      if (!Drawable(series.y[i], chart.y_axis)) continue;
      labels.push_back(
          {plot.At(chart.x[i], series.y[i]), series.name, InkOf(series)});
      break;
    }
  }
  return labels;
}

// Names keep the order of the lines and do not touch: two that are too near
// are moved apart, and all stay within the plot.
void Spread(std::vector<EndLabel>& labels, const Plot& plot) {
  constexpr double kApart = 17;
  std::sort(
      labels.begin(), labels.end(),
      [](const EndLabel& a, const EndLabel& b) { return a.at.y < b.at.y; });
  for (int pass = 0; pass < 20; ++pass) {
    for (std::size_t i = 1; i < labels.size(); ++i) {
      const double overlap = kApart - (labels[i].at.y - labels[i - 1].at.y);
      if (overlap <= 0) continue;
      labels[i - 1].at.y -= overlap / 2;
      labels[i].at.y += overlap / 2;
    }
    for (EndLabel& label : labels) {
      label.at.y = std::clamp(label.at.y, plot.top, plot.bottom - 6);
    }
  }
}

}  // namespace

Drawing Draw(const LineChart& chart) {
  std::vector<double> values;
  std::size_t longest = 0;
  for (const Series& series : chart.series) {
    values.insert(values.end(), series.y.begin(), series.y.end());
    longest = std::max(longest, base::Letters(series.name));
  }
  Plot plot{.x = Span(chart.x, chart.x_axis),
            .y = Rounded(Span(values, chart.y_axis))};
  plot.top = (chart.y_axis.label.empty() ? 8 : kTop) +
             (chart.headed ? kTitle : 0) + (chart.top.empty() ? 0 : kTopAxis);
  plot.bottom = chart.height - kBottom;
  // A linear axis that nearly reaches 0 begins there.
  if (!plot.x.log && plot.x.low > 0 && plot.x.low < 0.1 * plot.x.high) {
    plot.x.low = 0;
  }
  plot.left = 34 + WidthOf(Ticks(plot.y.low, plot.y.high, plot.y.log));
  plot.right = chart.width - 24 - kLabelGap -
               0.56 * kSmall * static_cast<double>(longest);

  Drawing drawing{.width = chart.width,
                  .height = chart.height,
                  .title = chart.title,
                  .description = chart.description};
  if (chart.headed) DrawHead(chart, drawing);
  DrawAxes(chart, plot, drawing);
  for (const Series& series : chart.series) {
    DrawSeries(chart, series, plot, drawing);
  }
  std::vector<EndLabel> labels = EndLabels(chart, plot);
  Spread(labels, plot);
  for (const EndLabel& label : labels) {
    drawing.texts.push_back(
        {.at = {label.at.x + kLabelGap, label.at.y + 0.34 * kSmall},
         .text = label.text,
         .size = kSmall,
         .ink = label.ink});
  }
  return drawing;
}

}  // namespace sfumato::report
