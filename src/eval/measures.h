// Plain numbers of two sides beside each other, each with its noise floor.
//
//   const MeasuredSides found =
//       MeasureSides(lineup, {.key = "brightness"},
//                    [&](int model) { return BrightnessOf(images[model]); });
//   found.measure.verdict;

#pragma once

#include <functional>
#include <vector>

#include "eval/lineup.h"
#include "runs/contrast.h"

namespace sfumato::eval {

// One number of one model, with the error of its sampling.
struct Number {
  double value = 0;
  double error = 0;
};

struct MeasuredSides {
  runs::Measure measure;
  double sampling = 0;  // error of the difference
};

// Fills a, b, floor and verdict.
MeasuredSides MeasureSides(const Lineup& lineup, runs::Measure measure,
                           const std::function<Number(int model)>& number);

// The same for a distance of two models; it stands in `b`, with 0 in `a`.
MeasuredSides MeasureDistance(
    const Lineup& lineup, runs::Measure measure,
    const std::function<double(int one, int other)>& distance);

// By their difference over what `noise` returns for them.
std::vector<runs::Measure> MostDifferentFirst(
    std::vector<MeasuredSides> measures,
    const std::function<double(const MeasuredSides&)>& noise);

}  // namespace sfumato::eval
