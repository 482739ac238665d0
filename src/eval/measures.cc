#include "eval/measures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "eval/verdict.h"

namespace sfumato::eval {
namespace {

MeasuredSides Judged(const Lineup& lineup, runs::Measure measure,
                     double sampling) {
  measure.verdict = JudgeMeasure(std::abs(measure.a - measure.b), measure.floor,
                                 sampling, !lineup.alike.empty());
  return {std::move(measure), sampling};
}

}  // namespace

MeasuredSides MeasureSides(const Lineup& lineup, runs::Measure measure,
                           const std::function<Number(int model)>& number) {
  std::vector<Number> numbers;
  for (std::size_t model = 0; model < lineup.names.size(); ++model) {
    numbers.push_back(number(static_cast<int>(model)));
  }
  const auto at = [&](int model) {
    return numbers[static_cast<std::size_t>(model)];
  };
  double squares = 0;
  const auto side = [&](const std::vector<int>& models) {
    const auto count = static_cast<double>(models.size());
    double mean = 0;
    for (const int model : models) {
      mean += at(model).value / count;
      squares += std::pow(at(model).error / count, 2);
    }
    return mean;
  };
  measure.a = side(lineup.sides.from);
  measure.b = side(lineup.sides.to);
  for (const auto& [one, other] : lineup.alike) {
    const double apart = std::abs(at(one).value - at(other).value);
    measure.floor = std::max(measure.floor, lineup.floor_factor * apart);
  }
  return Judged(lineup, std::move(measure), std::sqrt(squares));
}

MeasuredSides MeasureDistance(
    const Lineup& lineup, runs::Measure measure,
    const std::function<double(int one, int other)>& distance) {
  measure.distance = true;
  for (const int a : lineup.sides.from) {
    for (const int b : lineup.sides.to) measure.b += distance(a, b);
  }
  measure.b /=
      static_cast<double>(lineup.sides.from.size() * lineup.sides.to.size());
  for (const auto& [one, other] : lineup.alike) {
    measure.floor =
        std::max(measure.floor, lineup.floor_factor * distance(one, other));
  }
  return Judged(lineup, std::move(measure), 0);
}

std::vector<runs::Measure> MostDifferentFirst(
    std::vector<MeasuredSides> measures,
    const std::function<double(const MeasuredSides&)>& noise) {
  const auto strength = [&](const MeasuredSides& each) {
    return std::abs(each.measure.a - each.measure.b) / noise(each);
  };
  std::ranges::stable_sort(measures, std::greater(), strength);
  std::vector<runs::Measure> sorted;
  for (MeasuredSides& each : measures) {
    sorted.push_back(std::move(each.measure));
  }
  return sorted;
}

}  // namespace sfumato::eval
