#include "report/scatter_chart.h"

#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "report/axis_ticks.h"

namespace sfumato::report {
namespace {

constexpr double kMargin = 16;
constexpr double kKey = 34;  // the line that names the clouds

struct Span {
  double low = INFINITY;
  double high = -INFINITY;

  void Take(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double Share(double value) const {
    return high > low ? (value - low) / (high - low) : 0.5;
  }
};

bool Drawable(const Point& spot) {
  return std::isfinite(spot.x) && std::isfinite(spot.y);
}

void DrawKey(const ScatterChart& chart, Drawing& drawing) {
  double x = kMargin + 6;
  const double y = chart.height - 14;
  for (const Cloud& cloud : chart.clouds) {
    drawing.marks.push_back({.at = {{x, y - 4}},
                             .shape = cloud.shape,
                             .size = 9,
                             .ink = {.color = cloud.color}});
    drawing.texts.push_back(
        {.at = {x + 11, y}, .text = cloud.name, .size = kSmall});
    x += 30 + 0.6 * kSmall * static_cast<double>(base::Letters(cloud.name));
  }
}

}  // namespace

Drawing Draw(const ScatterChart& chart) {
  Drawing drawing{.width = chart.width,
                  .height = chart.height,
                  .title = chart.title,
                  .description = chart.description};
  Span x, y;
  for (const Cloud& cloud : chart.clouds) {
    for (const Point& spot : cloud.points) {
      if (!Drawable(spot)) continue;
      x.Take(spot.x);
      y.Take(spot.y);
    }
  }
  const double bottom = chart.height - kKey;
  drawing.lines.push_back({.points = {{1, 1},
                                      {chart.width - 1, 1},
                                      {chart.width - 1, bottom},
                                      {1, bottom},
                                      {1, 1}},
                           .ink = {.color = "currentColor", .opacity = 0.2}});
  for (const Cloud& cloud : chart.clouds) {
    Marks marks{.at = {},
                .shape = cloud.shape,
                .size = 6,
                .ink = {.color = cloud.color, .opacity = 0.72}};
    for (const Point& spot : cloud.points) {
      if (!Drawable(spot)) continue;
      marks.at.push_back(
          {kMargin + (chart.width - 2 * kMargin) * x.Share(spot.x),
           bottom - kMargin - (bottom - 2 * kMargin) * y.Share(spot.y)});
    }
    drawing.marks.push_back(marks);
  }
  DrawKey(chart, drawing);
  return drawing;
}

}  // namespace sfumato::report
