#include "eval/side_measures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "eval/image_features.h"
#include "eval/verdict.h"

namespace sfumato::eval {
namespace {

double Mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// One number of one set, with the error of its sampling.
struct Number {
  double value = 0;
  double error = 0;
};
using OfSet = std::function<Number(const at::Tensor& images)>;
using OfPair = std::function<double(const at::Tensor&, const at::Tensor&)>;

runs::Measure OfBoth(const MeasureOptions& options, runs::Measure measure,
                     const OfSet& number) {
  double squares = 0;
  const auto side = [&](const std::vector<at::Tensor>& models) {
    std::vector<double> values;
    for (const at::Tensor& images : models) {
      const Number found = number(images);
      values.push_back(found.value);
      squares += std::pow(found.error / static_cast<double>(models.size()), 2);
    }
    return Mean(values);
  };
  measure.a = side(options.a);
  measure.b = side(options.b);
  for (const auto& [one, other] : options.alike) {
    measure.floor = std::max(
        measure.floor, options.floor_factor *
                           std::abs(number(one).value - number(other).value));
  }
  measure.verdict = JudgeMeasure(std::abs(measure.a - measure.b), measure.floor,
                                 std::sqrt(squares), !options.alike.empty());
  return measure;
}

runs::Measure Distance(const MeasureOptions& options, runs::Measure measure,
                       const OfPair& distance) {
  measure.distance = true;
  std::vector<double> pairs;
  for (const at::Tensor& a : options.a) {
    for (const at::Tensor& b : options.b) pairs.push_back(distance(a, b));
  }
  measure.b = Mean(pairs);
  for (const auto& [one, other] : options.alike) {
    measure.floor =
        std::max(measure.floor, options.floor_factor * distance(one, other));
  }
  measure.verdict =
      JudgeMeasure(measure.b, measure.floor, 0, !options.alike.empty());
  return measure;
}

at::Tensor Shares(const at::Tensor& logits) {
  return at::bincount(logits.argmax(1), {}, logits.size(1)).to(at::kDouble) /
         static_cast<double>(logits.size(0));
}

// Measures on a judge's logits: options with logits in the place of images.
void AddJudged(const MeasureOptions& logits,
               std::vector<runs::Measure>& measures) {
  measures.push_back(OfBoth(
      logits,
      {.key = "classifier_score",
       .words = "classifier score: sure of each, varied over all"},
      [](const at::Tensor& set) { return Number{ClassifierScore(set)}; }));
  measures.push_back(OfBoth(
      logits,
      {.key = "confidence", .words = "how sure the classifier is of an image"},
      [](const at::Tensor& set) {
        const at::Tensor sure =
            std::get<0>(at::softmax(set.to(at::kDouble), 1).max(1));
        const auto n = static_cast<double>(set.size(0));
        return Number{sure.mean().item<double>(),
                      sure.std().item<double>() / std::sqrt(n)};
      }));
  measures.push_back(
      Distance(logits,
               {.key = "class_mix",
                .words = "class mix: share that is of other classes"},
               [](const at::Tensor& x, const at::Tensor& y) {
                 return (Shares(x) - Shares(y)).abs().sum().item<double>() / 2;
               }));
  measures.push_back(
      Distance(logits,
               {.key = "frechet_distance",
                .words = "Fréchet distance of the sides, classifier's logits"},
               FrechetDistance));
}

MeasureOptions WithLogits(const MeasureOptions& options) {
  MeasureOptions logits{.floor_factor = options.floor_factor};
  const auto of = [&](const at::Tensor& images) {
    return Logits(*options.judge, images);
  };
  for (const at::Tensor& images : options.a) logits.a.push_back(of(images));
  for (const at::Tensor& images : options.b) logits.b.push_back(of(images));
  for (const auto& [one, other] : options.alike) {
    logits.alike.emplace_back(of(one), of(other));
  }
  return logits;
}

}  // namespace

std::vector<runs::Measure> SideMeasures(const MeasureOptions& options) {
  std::vector<runs::Measure> measures;
  const bool grey = options.a.front().size(3) == 1;
  for (std::size_t i = 0; i < Figures().size(); ++i) {
    const Figure& figure = Figures()[i];
    if (grey && figure.key == "colour") continue;
    measures.push_back(
        OfBoth(options, {.key = figure.key, .words = figure.words},
               [i](const at::Tensor& images) {
                 const at::Tensor column =
                     FiguresOf(images).select(1, static_cast<std::int64_t>(i));
                 const auto n = static_cast<double>(images.size(0));
                 return Number{column.mean().item<double>(),
                               column.std().item<double>() / std::sqrt(n)};
               }));
  }
  measures.push_back(OfBoth(
      options, {.key = "diversity", .words = "how varied images are"},
      [](const at::Tensor& images) { return Number{Diversity(images)}; }));
  if (options.judge != nullptr) AddJudged(WithLogits(options), measures);
  const auto strength = [](const runs::Measure& measure) {
    return std::abs(measure.a - measure.b) / (measure.floor + 1e-4);
  };
  std::stable_sort(measures.begin(), measures.end(),
                   [&](const runs::Measure& x, const runs::Measure& y) {
                     return strength(x) > strength(y);
                   });
  return measures;
}

}  // namespace sfumato::eval
