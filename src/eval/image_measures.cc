#include "eval/image_measures.h"

#include <cmath>
#include <functional>
#include <utility>

#include "eval/image_features.h"
#include "eval/measures.h"

namespace sfumato::eval {
namespace {

using OfSet = std::function<Number(const at::Tensor& set)>;
using OfPair = std::function<double(const at::Tensor&, const at::Tensor&)>;

// Measures on one tensor per model: images, or a judge's logits for them.
struct Sets {
  const Lineup& lineup;
  std::vector<at::Tensor> sets;
  std::vector<MeasuredSides>& measures;

  const at::Tensor& of(int model) const {
    return sets[static_cast<std::size_t>(model)];
  }
  void Add(runs::Measure measure, const OfSet& number) {
    measures.push_back(MeasureSides(lineup, std::move(measure), [&](int model) {
      return number(of(model));
    }));
  }
  void AddDistance(runs::Measure measure, const OfPair& distance) {
    measures.push_back(MeasureDistance(
        lineup, std::move(measure),
        [&](int one, int other) { return distance(of(one), of(other)); }));
  }
};

Number MeanOf(const at::Tensor& values) {
  const auto n = static_cast<double>(values.size(0));
  return {values.mean().item<double>(),
          values.std().item<double>() / std::sqrt(n)};
}

at::Tensor Shares(const at::Tensor& logits) {
  return at::bincount(logits.argmax(1), {}, logits.size(1)).to(at::kDouble) /
         static_cast<double>(logits.size(0));
}

void AddJudged(Sets logits) {
  logits.Add(
      {.key = "classifier_score",
       .words = "classifier score: sure of each, varied over all"},
      [](const at::Tensor& set) { return Number{ClassifierScore(set)}; });
  logits.Add(
      {.key = "confidence", .words = "how sure the classifier is of an image"},
      [](const at::Tensor& set) {
        return MeanOf(std::get<0>(at::softmax(set.to(at::kDouble), 1).max(1)));
      });
  logits.AddDistance(
      {.key = "class_mix",
       .words = "class mix: share that is of other classes"},
      [](const at::Tensor& x, const at::Tensor& y) {
        return (Shares(x) - Shares(y)).abs().sum().item<double>() / 2;
      });
  logits.AddDistance(
      {.key = "frechet_distance",
       .words = "Fréchet distance of the sides, classifier's logits"},
      FrechetDistance);
}

}  // namespace

std::vector<runs::Measure> ImageMeasures(const Lineup& lineup,
                                         const std::vector<at::Tensor>& images,
                                         const Judge* judge) {
  std::vector<MeasuredSides> measures;
  Sets drawn{lineup, images, measures};
  const bool grey = images.front().size(3) == 1;
  for (std::size_t i = 0; i < Figures().size(); ++i) {
    const Figure& figure = Figures()[i];
    if (grey && figure.key == "colour") continue;
    drawn.Add(
        {.key = figure.key, .words = figure.words}, [i](const at::Tensor& set) {
          return MeanOf(FiguresOf(set).select(1, static_cast<std::int64_t>(i)));
        });
  }
  drawn.Add({.key = "diversity", .words = "how varied images are"},
            [](const at::Tensor& set) { return Number{Diversity(set)}; });
  if (judge != nullptr) {
    Sets logits{lineup, {}, measures};
    for (const at::Tensor& set : images) {
      logits.sets.push_back(Logits(*judge, set));
    }
    AddJudged(std::move(logits));
  }
  return MostDifferentFirst(std::move(measures), [](const MeasuredSides& each) {
    return each.measure.floor + 1e-4;
  });
}

}  // namespace sfumato::eval
