#include "eval/contrast.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "eval/energy.h"
#include "eval/hypothesis_search.h"
#include "eval/image_health.h"
#include "eval/image_measures.h"
#include "eval/lineup.h"
#include "eval/separation.h"
#include "eval/verdict.h"
#include "fmt/format.h"
#include "models/batch.h"

namespace sfumato::eval {
namespace {

constexpr std::int64_t kLeastImages = 20;
constexpr std::int64_t kDraws = 201;      // the first is not resampled
constexpr std::int64_t kMapPoints = 150;  // per side
constexpr std::size_t kPictured = 3;      // hypotheses, besides supported ones
constexpr std::int64_t kPicturedImages = 10;

void CheckModel(const Drawn& model, const at::Tensor& like) {
  const std::string where = fmt::format("model '{}'", model.model);
  if (!model.images.defined() || model.images.dim() != 4 ||
      model.images.size(0) < kLeastImages) {
    throw BadInput("too few images to compare", where,
                   fmt::format("draw at least {}", kLeastImages));
  }
  if (model.images.sizes().slice(1) != like.sizes().slice(1)) {
    throw BadInput("images of another shape than the first model's", where,
                   "compare models that were trained on images of one size");
  }
  if (!model.images.isfinite().all().item<bool>()) {
    throw BadInput("images with numbers that are not finite", where,
                   "the training diverged: lower its learning rate");
  }
}

// Everything that takes part: models by number, and their images.
struct Models {
  Lineup lineup;
  std::vector<at::Tensor> images = {};
};

// Without twins, each model's earlier rounds give the floor.
void AddEarlier(const CompareOptions& options, Models& models) {
  Lineup& lineup = models.lineup;
  for (const auto& [model, number] :
       {std::pair(&options.a.front(), lineup.sides.from.front()),
        std::pair(&options.b.front(), lineup.sides.to.front())}) {
    if (model->earlier.empty() ||
        model->earlier.back().size(0) < kLeastImages) {
      continue;
    }
    lineup.alike.emplace_back(number, lineup.Add(model->model + " earlier"));
    models.images.push_back(model->earlier.back());
  }
  if (lineup.alike.empty()) return;
  lineup.floor_source = "checkpoints";
  lineup.floor_factor = kCheckpointFactor;
}

// Throws BadInput for what cannot be compared.
Models ModelsOf(const CompareOptions& options) {
  Models models{.lineup = LineUp(options.a, options.b)};
  for (const auto* side : {&options.a, &options.b}) {
    for (const Drawn& model : *side) {
      CheckModel(model, options.a.front().images);
      models.images.push_back(model.images);
    }
  }
  if (models.lineup.alike.empty()) AddEarlier(options, models);
  for (at::Tensor& images : models.images) {
    images = images.to(at::kCPU).to(at::kFloat);
  }
  return models;
}

double DifferenceFloor(const Gallery& gallery, const Lineup& lineup) {
  double floor = 0;
  for (const auto& [one, other] : lineup.alike) {
    const Pairing pair{.from = {one}, .to = {other}};
    floor = std::max(floor, SideDistance(gallery, pair, 1)[0].item<double>());
  }
  return lineup.floor_factor * floor;
}

double OwnFloor(const Tested& tested, double factor) {
  double floor = 0;
  for (const double gain : tested.floors) floor = std::max(floor, gain);
  return factor * floor;
}

// `separable`: a test trained on one pair of models orders the other pair
// correctly. What trainings may do by chance must show in it too.
std::vector<Explanation> Explain(const std::vector<Tested>& all,
                                 const Lineup& lineup, bool separable,
                                 const ClassNames& names) {
  double highest = 0;
  for (const Tested& tested : all) {
    highest = std::max(highest, OwnFloor(tested, lineup.floor_factor));
  }
  std::vector<Explanation> explanations;
  for (const Tested& tested : all) {
    const Change& change = *tested.change;
    const at::Tensor distance = tested.line.distance.clamp_min(1e-9);
    const at::Tensor share = (tested.fit.gain / distance).clamp(0, 1);
    const double bend = tested.line.bend[0].item<double>();
    const double own = OwnFloor(tested, lineup.floor_factor);
    const bool never = change.never_by_chance(tested.values);
    const double least = LeastGain(own, highest, never);
    explanations.push_back(
        {.hypothesis = {.key = change.key,
                        .words = change.words(tested.values, names),
                        .cause = change.cause,
                        .explained = EstimateOf(share),
                        .affected = tested.fit.affected[0].item<double>(),
                        .floor =
                            std::min(1.0, own / distance[0].item<double>()),
                        .visible_from = lineup.floor_known() && bend > least
                                            ? std::sqrt(least / bend)
                                            : 1},
         .entry = explanations.size(),
         .never_by_chance = never,
         .gain_low = EstimateOf(tested.fit.gain).low,
         .least_gain = least,
         .confirmed = lineup.floor_known() && (never || separable)});
  }
  RankExplanations(explanations, kImages);
  return explanations;
}

base::Image Cell(const at::Tensor& image) {
  const at::Tensor bytes = models::ToBytes(image);
  const auto* at = bytes.data_ptr<std::uint8_t>();
  return {static_cast<int>(image.size(1)), static_cast<int>(image.size(0)),
          static_cast<int>(image.size(2)),
          std::vector<std::uint8_t>(at, at + bytes.numel())};
}

// Some images of each model of a side.
Observed Shown(const Gallery& gallery, const std::vector<int>& models,
               std::int64_t count) {
  std::vector<at::Tensor> images;
  std::vector<at::Tensor> classes;
  const auto sides = static_cast<std::int64_t>(models.size());
  for (const int model : models) {
    const Observed& seen = gallery.judging(model).seen;
    const std::int64_t n = std::min(seen.images.size(0), count / sides);
    images.push_back(seen.images.narrow(0, 0, n));
    if (seen.classes.defined()) classes.push_back(seen.classes.narrow(0, 0, n));
  }
  Observed shown{.images = at::cat(images)};
  if (!classes.empty()) shown.classes = at::cat(classes);
  return shown;
}

// Rows a, T(a), b.
base::Image Picture(const Gallery& gallery, const Lineup& lineup,
                    const Tested& tested) {
  const Observed a = Shown(gallery, lineup.sides.from, kPicturedImages);
  const Observed b = Shown(gallery, lineup.sides.to, kPicturedImages);
  at::Tensor changed;
  if (tested.change->apply) {
    changed = Changed(*tested.change, tested.values, a, gallery.seed());
  } else {
    // A change of numbers is shown on more images than the row has.
    const Observed more =
        Shown(gallery, lineup.sides.from, 40 * kPicturedImages);
    changed = Changed(*tested.change, tested.values, more, gallery.seed());
  }
  std::vector<base::Image> cells;
  for (const at::Tensor& row : {a.images, changed, b.images}) {
    for (std::int64_t i = 0; i < kPicturedImages; ++i) {
      cells.push_back(i < row.size(0)
                          ? Cell(row[i])
                          : base::BlankImage(static_cast<int>(row.size(2)),
                                             static_cast<int>(row.size(1)),
                                             static_cast<int>(row.size(3)),
                                             128));
    }
  }
  return base::ImageGrid(cells, {.columns = static_cast<int>(kPicturedImages)});
}

// Drawn samples along the two directions in which they differ most.
std::vector<runs::MapPoint> MapOf(const Gallery& gallery,
                                  const Lineup& lineup) {
  std::vector<at::Tensor> rows;
  std::vector<std::string> models;
  for (const auto* side : {&lineup.sides.from, &lineup.sides.to}) {
    for (const int model : *side) {
      const at::Tensor all = at::cat(gallery.Whole(model), 1);
      const std::int64_t n = std::min(
          all.size(0), kMapPoints / static_cast<std::int64_t>(side->size()));
      rows.push_back(all.narrow(0, 0, n));
      models.insert(models.end(), static_cast<std::size_t>(n),
                    lineup.names[static_cast<std::size_t>(model)]);
    }
  }
  at::Tensor x = at::cat(rows).to(at::kDouble);
  x = x - x.mean(0);
  const auto [values, vectors] = at::linalg_eigh(at::matmul(x.t(), x));
  const std::int64_t d = vectors.size(1);
  at::Tensor axes = vectors.narrow(1, d - 2, 2).flip({1});  // [d, 2]
  // A direction has no sign; ours has its largest part positive.
  const at::Tensor largest =
      axes.gather(0, axes.abs().argmax(0, /*keepdim=*/true)).sign();
  const at::Tensor places = at::matmul(x, axes * largest).contiguous();
  std::vector<runs::MapPoint> map;
  const auto at = places.accessor<double, 2>();
  for (std::int64_t i = 0; i < places.size(0); ++i) {
    map.push_back({at[i][0], at[i][1], models[static_cast<std::size_t>(i)]});
  }
  return map;
}

void Warn(const Models& models, runs::Contrast& contrast) {
  if (contrast.floor_source == "checkpoints") {
    contrast.warnings.push_back(fmt::format(
        "The floor is an estimate from earlier rounds of the same models, "
        "taken {:.0f} times: it tends to be too low. Twins give a true one.",
        kCheckpointFactor));
  }
  if (contrast.floor_source == "none") {
    contrast.warnings.push_back(
        "Nothing shows how much two trainings on one population differ: no "
        "twins, and no earlier rounds.");
  }
  for (std::size_t model = 0; model < contrast.health.size(); ++model) {
    const std::int64_t count = models.images[model].size(0);
    if (count >= 100) continue;
    contrast.warnings.push_back(
        fmt::format("{} drew {} images; 200 or more give clearer answers.",
                    models.lineup.names[model], count));
  }
}

at::Tensor Through(const CompareOptions& options, const Tested& tested) {
  std::vector<at::Tensor> images;
  for (const Drawn& model : options.a) {
    images.push_back(Rounded(model.images.to(at::kCPU)));
  }
  Observed all{.images = at::cat(images)};
  if (tested.change->weigh) {
    all.classes = Logits(*options.judge, all.images).argmax(1);
  }
  return Changed(*tested.change, tested.values, all, options.seed);
}

}  // namespace

Compared Compare(const CompareOptions& options) {
  const at::NoGradGuard no_grad;
  const Models models = ModelsOf(options);
  const Lineup& lineup = models.lineup;
  const Gallery gallery(models.images, options.judge, options.seed);
  Compared compared;
  runs::Contrast& contrast = compared.contrast;
  contrast.floor_source = lineup.floor_source;
  contrast.margins = kMargins;
  for (std::size_t i = 0; i < options.a.size() + options.b.size(); ++i) {
    contrast.health.push_back(
        ImageHealthOf(lineup.names[i], models.images[i], options.judge));
  }
  Evidence evidence{.unusable = UnusableModels(contrast.health, kImages)};
  Warn(models, contrast);

  evidence.difference = EstimateOf(SideDistance(gallery, lineup.sides, kDraws));
  contrast.difference = evidence.difference.value;
  contrast.difference_floor = DifferenceFloor(gallery, lineup);
  const Separation separation = MeasureSeparation(gallery, lineup, kDraws);
  contrast.separation = separation.sides;
  contrast.separation_floor = separation.floor;

  // What cannot be compared is not explained either.
  const std::vector<Tested> tested =
      evidence.unusable.empty()
          ? TestChanges(gallery, lineup.sides, BothWays(lineup.alike), kDraws)
          : std::vector<Tested>();
  std::vector<Explanation> ranked =
      Explain(tested, lineup, separation.sides.low > 0.5,
              options.judge != nullptr ? options.judge->classes : ClassNames{});
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    runs::Hypothesis& hypothesis = ranked[i].hypothesis;
    if (!hypothesis.supported && i >= kPictured) continue;
    hypothesis.picture = fmt::format("pictures/{}.png", hypothesis.key);
    compared.pictures[hypothesis.picture] =
        Picture(gallery, lineup, tested[ranked[i].entry]);
  }
  AddHypotheses(ranked, evidence, contrast);
  contrast.measures = ImageMeasures(lineup, models.images, options.judge);
  contrast.map = MapOf(gallery, lineup);
  Decide(evidence, contrast);
  NameOutliers(contrast);
  if (!ranked.empty() && ranked.front().hypothesis.supported) {
    compared.transformed = Through(options, tested[ranked.front().entry]);
  }
  return compared;
}

}  // namespace sfumato::eval
