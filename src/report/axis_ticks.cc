#include "report/axis_ticks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/progress.h"
#include "base/utf8.h"
#include "fmt/format.h"

namespace sfumato::report {
namespace {

std::string PowerOfTen(double value) {
  const int exponent = static_cast<int>(std::floor(std::log10(value) + 1e-9));
  const double mantissa = value / std::pow(10, exponent);
  if (std::abs(mantissa - 1) < 1e-6) return fmt::format("10^{}", exponent);
  return fmt::format("{:.3g}·10^{}", mantissa, exponent);
}

std::string Plain(double value) {
  if (value >= 1000) {
    return base::HumanCount(static_cast<std::uint64_t>(std::llround(value)));
  }
  return fmt::format("{:.6g}", value);
}

// All marks of an axis are written in one way.
std::vector<Tick> Labelled(const std::vector<double>& values) {
  const bool plain =
      std::all_of(values.begin(), values.end(), [](double value) {
        return value == 0 || (std::abs(value) >= 1e-3 && std::abs(value) < 1e7);
      });
  std::vector<Tick> ticks;
  for (const double value : values) {
    ticks.push_back(
        {value, plain || !(value > 0) ? Plain(value) : PowerOfTen(value)});
  }
  return ticks;
}

std::vector<Tick> LogTicks(double low, double high) {
  const double decades = std::log10(high / low);
  std::vector<double> steps = {1};
  if (decades < 3.5) steps = {1, 2, 5};
  if (decades < 0.8) steps = {1, 1.5, 2, 3, 4, 5, 6, 8};
  const int every = decades > 16 ? 4 : decades > 7 ? 2 : 1;
  std::vector<double> values;
  const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
  for (int e = static_cast<int>(std::floor(std::log10(low))); e <= last; ++e) {
    if ((last - e) % every != 0) continue;
    for (const double step : steps) {
      const double value = step * std::pow(10, e);
      if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) {
        values.push_back(value);
      }
    }
  }
  return Labelled(values);
}

}  // namespace

std::vector<Tick> Ticks(double low, double high, bool log) {
  if (log) return LogTicks(low, high);
  const double raw = (high - low) / 5;
  const double decade = std::pow(10, std::floor(std::log10(raw)));
  const double lead = raw / decade;
  const double step = decade * (lead <= 1   ? 1
                                : lead <= 2 ? 2
                                : lead <= 5 ? 5
                                            : 10);
  std::vector<double> values;
  for (double k = std::ceil(low / step * (1 - 1e-9));
       k * step <= high + 1e-9 * step; ++k) {
    values.push_back(k * step + 0.0);  // no minus before a zero
  }
  return Labelled(values);
}

double WidthOf(const std::vector<Tick>& ticks) {
  std::size_t widest = 1;
  for (const Tick& tick : ticks) {
    widest = std::max(widest, base::Letters(tick.label));
  }
  return 0.58 * kSmall * static_cast<double>(widest);
}

void AddLevels(const std::vector<Tick>& ticks, double left, double right,
               double gap, const std::function<double(double)>& y,
               Drawing& drawing) {
  for (const Tick& tick : ticks) {
    const double level = y(tick.value);
    drawing.lines.push_back(
        {.points = {{left, level}, {right, level}}, .ink = kFaint});
    drawing.texts.push_back({.at = {left - gap, level + 0.34 * kSmall},
                             .text = tick.label,
                             .size = kSmall,
                             .anchor = Anchor::kEnd,
                             .ink = kQuiet});
  }
}

}  // namespace sfumato::report
