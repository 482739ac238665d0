#include "report/row_chart.h"

#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "fmt/format.h"
#include "report/axis_ticks.h"

namespace sfumato::report {
namespace {

constexpr double kRow = 24;
constexpr double kBar = 13;
constexpr double kTop = 8;
constexpr double kBottom = 46;
constexpr double kLetter = 0.58 * kSmall;  // the approximate width of one
constexpr std::size_t kLongest = 40;

double Known(double value) { return std::isfinite(value) ? value : 0; }

std::string Shortened(const std::string& name) {
  if (base::Letters(name) <= kLongest) return name;
  std::string out;
  std::string_view rest = name;
  for (std::size_t i = 0; i + 1 < kLongest && !rest.empty(); ++i) {
    const base::CodePoint c = base::DecodeUtf8(rest);
    base::AppendUtf8(c.value, out);
    rest.remove_prefix(c.size);
  }
  return out + "…";
}

double WidthOf(const std::string& text, bool bold) {
  return (bold ? 1.16 : 1) * kLetter * static_cast<double>(base::Letters(text));
}

struct Frame {
  double left = 0, right = 0, bottom = 0, low = 0, high = 0;

  double X(double value) const {
    return left + (right - left) * (Known(value) - low) / (high - low);
  }
};

Frame FrameOf(const RowChart& chart) {
  Frame frame;
  double names = 0;
  double texts = 0;
  for (const RowValue& row : chart.rows) {
    names = std::max(names, WidthOf(Shortened(row.name), row.strong));
    texts = std::max(texts, WidthOf(row.text, row.strong));
    for (const double value :
         {row.value, row.low, row.high, row.mark.value_or(0)}) {
      frame.low = std::min(frame.low, Known(value));
      frame.high = std::max(frame.high, Known(value));
    }
  }
  if (!(frame.high > frame.low)) frame.high = frame.low + 1;
  const double room = 0.02 * (frame.high - frame.low);
  if (frame.low < 0) frame.low -= room;
  frame.high += room;
  frame.left = names + 12;
  frame.right = chart.width - texts - 14;
  frame.bottom = kTop + kRow * static_cast<double>(chart.rows.size());
  return frame;
}

void DrawAxis(const RowChart& chart, const Frame& frame, Drawing& drawing) {
  for (Tick tick : Ticks(frame.low, frame.high, false)) {
    const double x = frame.X(tick.value);
    const bool zero = std::abs(tick.value) < 1e-12;
    drawing.lines.push_back({.points = {{x, kTop}, {x, frame.bottom}},
                             .ink = zero ? kQuiet : kFaint});
    if (chart.percent) tick.label = fmt::format("{:.4g} %", 100 * tick.value);
    drawing.texts.push_back({.at = {x, frame.bottom + 16},
                             .text = tick.label,
                             .size = kSmall,
                             .anchor = Anchor::kMiddle,
                             .ink = kQuiet});
  }
  drawing.texts.push_back(
      {.at = {(frame.left + frame.right) / 2, frame.bottom + 37},
       .text = chart.x_label,
       .size = kSmall,
       .anchor = Anchor::kMiddle});
}

void DrawRow(const RowValue& row, double middle, const Frame& frame,
             Drawing& drawing) {
  const Ink ink = row.strong ? Ink{} : kQuiet;
  const double zero = frame.X(0);
  const double end = frame.X(row.value);
  drawing.boxes.push_back(
      {.corner = {std::min(zero, end), middle - kBar / 2},
       .width = std::max(0.5, std::abs(end - zero)),
       .height = kBar,
       .ink = {.color = "currentColor", .opacity = row.strong ? 0.5 : 0.16}});
  if (row.high > row.low) {
    const double low = frame.X(row.low);
    const double high = frame.X(row.high);
    drawing.lines.push_back({.points = {{low, middle}, {high, middle}},
                             .width = row.strong ? 1.8 : 1,
                             .ink = ink});
    for (const double at : {low, high}) {
      drawing.lines.push_back({.points = {{at, middle - 4}, {at, middle + 4}},
                               .width = row.strong ? 1.8 : 1,
                               .ink = ink});
    }
  }
  if (row.mark) {
    const double x = frame.X(*row.mark);
    drawing.lines.push_back(
        {.points = {{x, middle - kRow / 2 + 3}, {x, middle + kRow / 2 - 3}},
         .width = 2,
         .ink = ink,
         .dash = 3});
  }
  drawing.texts.push_back({.at = {frame.left - 10, middle + 0.34 * kSmall},
                           .text = Shortened(row.name),
                           .size = kSmall,
                           .anchor = Anchor::kEnd,
                           .ink = ink,
                           .bold = row.strong});
  drawing.texts.push_back({.at = {frame.right + 10, middle + 0.34 * kSmall},
                           .text = row.text,
                           .size = kSmall,
                           .ink = ink,
                           .bold = row.strong});
}

}  // namespace

Drawing Draw(const RowChart& chart) {
  const Frame frame = FrameOf(chart);
  Drawing drawing{.width = chart.width,
                  .height = frame.bottom + kBottom,
                  .title = chart.title,
                  .description = chart.description};
  DrawAxis(chart, frame, drawing);
  for (std::size_t i = 0; i < chart.rows.size(); ++i) {
    DrawRow(chart.rows[i], kTop + kRow * (static_cast<double>(i) + 0.5), frame,
            drawing);
  }
  return drawing;
}

}  // namespace sfumato::report
