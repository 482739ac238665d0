#include "eval/contrast.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "eval/generator_health.h"
#include "eval/hypothesis_search.h"
#include "eval/side_measures.h"
#include "eval/told_apart.h"
#include "eval/verdict.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sfumato::eval {
namespace {

constexpr std::int64_t kLeastImages = 20;
constexpr std::int64_t kDraws = 201;      // the first is not resampled
constexpr std::int64_t kMapPoints = 150;  // a side
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

void Check(const CompareOptions& options) {
  for (const auto* side : {&options.a, &options.b}) {
    if (side->empty() || side->size() > 2) {
      throw BadInput(fmt::format("{} models on a side", side->size()), "",
                     "give one, or two twins");
    }
    for (const Drawn& model : *side) {
      CheckModel(model, options.a.front().images);
    }
  }
}

// Everyone on stage: models by number, who is compared with whom.
struct Roles {
  std::vector<std::string> names;
  std::vector<at::Tensor> images;
  Direction sides;
  // Models of one population, each pair both ways.
  std::vector<Direction> floors;
  std::string floor_source = "none";
  double floor_factor = 1;

  int Add(std::string name, const at::Tensor& drawn) {
    names.push_back(std::move(name));
    images.push_back(drawn.to(at::kCPU).to(at::kFloat));
    return static_cast<int>(images.size()) - 1;
  }
  void AddFloor(int one, int other) {
    floors.push_back({.from = {one}, .to = {other}});
    floors.push_back({.from = {other}, .to = {one}});
  }
};

Roles RolesOf(const CompareOptions& options) {
  Roles roles;
  for (const Drawn& model : options.a) {
    roles.sides.from.push_back(roles.Add(model.model, model.images));
  }
  for (const Drawn& model : options.b) {
    roles.sides.to.push_back(roles.Add(model.model, model.images));
  }
  for (const auto* side : {&roles.sides.from, &roles.sides.to}) {
    if (side->size() == 2) roles.AddFloor(side->front(), side->back());
  }
  if (!roles.floors.empty()) {
    roles.floor_source = "twins";
    return roles;
  }
  for (const auto& [model, number] :
       {std::pair(&options.a.front(), roles.sides.from.front()),
        std::pair(&options.b.front(), roles.sides.to.front())}) {
    if (model->earlier.empty() ||
        model->earlier.back().size(0) < kLeastImages) {
      continue;
    }
    const int earlier =
        roles.Add(model->model + " earlier", model->earlier.back());
    roles.AddFloor(number, earlier);
  }
  if (!roles.floors.empty()) {
    roles.floor_source = "checkpoints";
    roles.floor_factor = kCheckpointFactor;
  }
  return roles;
}

// Value of the first draw; 90 % interval of the others.
runs::Estimate EstimateOf(const at::Tensor& draws) {
  const double value = draws[0].item<double>();
  if (draws.size(0) < 3) return {value, value, value};
  const at::Tensor others = draws.narrow(0, 1, draws.size(0) - 1);
  const auto quantile = [&](double q) {
    return at::quantile(others, q).item<double>();
  };
  return {value, std::min(value, quantile(0.05)),
          std::max(value, quantile(0.95))};
}

double Folded(double chance) { return std::max(chance, 1 - chance); }

double MeanWins(const at::Tensor& wins) { return wins.mean().item<double>(); }

// A set's features in two parts.
std::pair<Blocks, Blocks> TwoParts(const Blocks& whole) {
  const std::int64_t n = whole.front().size(0);
  const at::Tensor index = at::arange(n);
  return {Rows(whole, index.narrow(0, 0, n / 2)),
          Rows(whole, index.narrow(0, n / 2, n - n / 2))};
}

struct Separation {
  runs::Estimate sides = {};
  double floor = 0.5;
};

// Trained on one pair of models, tried on the other, both ways.
Separation WithTwins(const Gallery& gallery, const Roles& roles) {
  const auto features = [&](int model) { return gallery.Whole(model); };
  const int a1 = roles.sides.from[0];
  const int a2 = roles.sides.from[1];
  const int b1 = roles.sides.to[0];
  const int b2 = roles.sides.to[1];
  const auto wins = [&](int x, int y, int test_x, int test_y) {
    return OrderedRightly(features(x), features(y), features(test_x),
                          features(test_y));
  };
  at::Tensor draws = at::zeros({kDraws}, at::kDouble);
  std::uint64_t key = gallery.seed();
  for (const at::Tensor& won : {wins(a1, b1, a2, b2), wins(a2, b2, a1, b1),
                                wins(a1, b2, a2, b1), wins(a2, b1, a1, b2)}) {
    const at::Tensor a = ResampleCounts(kDraws, won.size(0), ++key);
    const at::Tensor b = ResampleCounts(kDraws, won.size(1), ++key);
    draws += MeanBetween(won, a, b) / 4;
  }
  // The same between twins: a direction in which a1 and a2 differ has no reason
  // to part b1 from b2, and either sign of it is as good.
  const double floor = std::max(Folded(MeanWins(wins(a1, a2, b1, b2))),
                                Folded(MeanWins(wins(b1, b2, a1, a2))));
  return {EstimateOf(draws), floor};
}

// One model a side: trained and tried on different images of the same models,
// so that what a training happened to draw counts too, as it does in the floor.
Separation WithoutTwins(const Gallery& gallery, const Roles& roles) {
  const auto wins = [&](int x, int y) {
    const auto [train_x, test_x] = TwoParts(gallery.Whole(x));
    const auto [train_y, test_y] = TwoParts(gallery.Whole(y));
    return OrderedRightly(train_x, train_y, test_x, test_y);
  };
  const at::Tensor won = wins(roles.sides.from[0], roles.sides.to[0]);
  Separation told;
  told.sides = EstimateOf(
      MeanBetween(won, ResampleCounts(kDraws, won.size(0), gallery.seed() + 1),
                  ResampleCounts(kDraws, won.size(1), gallery.seed() + 2)));
  for (const Direction& floor : roles.floors) {
    told.floor = std::max(told.floor,
                          Folded(MeanWins(wins(floor.from[0], floor.to[0]))));
  }
  return told;
}

Separation MeasureSeparation(const Gallery& gallery, const Roles& roles) {
  const bool twins = roles.sides.from.size() == 2 && roles.sides.to.size() == 2;
  return twins ? WithTwins(gallery, roles) : WithoutTwins(gallery, roles);
}

double DifferenceFloor(const Gallery& gallery, const Roles& roles) {
  double floor = 0;
  for (std::size_t i = 0; i < roles.floors.size(); i += 2) {
    floor = std::max(
        floor, SideDistance(gallery, roles.floors[i], 1)[0].item<double>());
  }
  return roles.floor_factor * floor;
}

// A tested change with its gains.
struct Entry {
  const Tested* tested = nullptr;
  runs::Hypothesis hypothesis = {};
  double least_gain = 0;
  runs::Estimate gain = {};
};

double OwnFloor(const Tested& tested, double factor) {
  double floor = 0;
  for (const double gain : tested.floors) floor = std::max(floor, gain);
  return factor * floor;
}

// `seen`: a test trained on one pair of models orders the other pair rightly.
// What trainings may do by chance must be seen so too.
std::vector<Entry> Ranked(const std::vector<Tested>& all, const Roles& roles,
                          bool seen, const ClassNames& names) {
  double highest = 0;
  for (const Tested& tested : all) {
    highest = std::max(highest, OwnFloor(tested, roles.floor_factor));
  }
  std::vector<Entry> entries;
  double best = 0;
  for (const Tested& tested : all) {
    Entry entry{.tested = &tested};
    const at::Tensor distance = tested.line.distance.clamp_min(1e-9);
    const at::Tensor share = (tested.fit.gain / distance).clamp(0, 1);
    const double own = OwnFloor(tested, roles.floor_factor);
    entry.gain = EstimateOf(tested.fit.gain);
    const bool never = tested.change->never_by_chance(tested.values);
    entry.least_gain = LeastGain(own, highest, never);
    runs::Hypothesis& hypothesis = entry.hypothesis;
    hypothesis.key = tested.change->key;
    hypothesis.words = tested.change->words(tested.values, names);
    hypothesis.cause = tested.change->cause;
    hypothesis.explained = EstimateOf(share);
    hypothesis.affected = tested.fit.affected[0].item<double>();
    hypothesis.floor = std::min(1.0, own / distance[0].item<double>());
    const double bend = tested.line.bend[0].item<double>();
    hypothesis.visible_from =
        roles.floor_source != "none" && bend > entry.least_gain
            ? std::sqrt(entry.least_gain / bend)
            : 1;
    hypothesis.supported =
        roles.floor_source != "none" && (never || seen) &&
        entry.gain.low > entry.least_gain &&
        hypothesis.explained.value >= kMargins.least_explained;
    if (hypothesis.supported) {
      best = std::max(best, hypothesis.explained.value);
    }
    entries.push_back(std::move(entry));
  }
  for (Entry& entry : entries) {
    if (entry.hypothesis.explained.value < kMargins.least_of_best * best) {
      entry.hypothesis.supported = false;
    }
  }
  // Shares that print alike are decided by the catalogue's order: simple first.
  const auto rank = [](const Entry& entry) {
    return std::pair(!entry.hypothesis.supported,
                     -std::round(entry.hypothesis.explained.value * 50));
  };
  std::stable_sort(
      entries.begin(), entries.end(),
      [&](const Entry& x, const Entry& y) { return rank(x) < rank(y); });
  return entries;
}

double Median(std::vector<double> values) {
  if (values.empty()) return 1;
  const auto middle =
      values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

base::Image Cell(const at::Tensor& image) {
  const at::Tensor bytes =
      ((image + 1) * 127.5).round().clamp(0, 255).to(at::kByte).contiguous();
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
base::Image Picture(const Gallery& gallery, const Roles& roles,
                    const Tested& tested) {
  const Observed a = Shown(gallery, roles.sides.from, kPicturedImages);
  const Observed b = Shown(gallery, roles.sides.to, kPicturedImages);
  at::Tensor changed;
  if (tested.change->apply) {
    changed = Changed(*tested.change, tested.values, a, gallery.seed());
  } else {
    // A change of numbers is shown on more images than the row has.
    const Observed more =
        Shown(gallery, roles.sides.from, 40 * kPicturedImages);
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
std::vector<runs::MapPoint> MapOf(const Gallery& gallery, const Roles& roles) {
  std::vector<at::Tensor> rows;
  std::vector<std::string> models;
  for (const auto* side : {&roles.sides.from, &roles.sides.to}) {
    for (const int model : *side) {
      const at::Tensor all = at::cat(gallery.Whole(model), 1);
      const std::int64_t n = std::min(
          all.size(0), kMapPoints / static_cast<std::int64_t>(side->size()));
      rows.push_back(all.narrow(0, 0, n));
      models.insert(models.end(), static_cast<std::size_t>(n),
                    roles.names[static_cast<std::size_t>(model)]);
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

std::vector<runs::Measure> MeasuresOf(const Roles& roles, const Judge* judge) {
  MeasureOptions options{.floor_factor = roles.floor_factor, .judge = judge};
  const auto image = [&](int model) -> const at::Tensor& {
    return roles.images[static_cast<std::size_t>(model)];
  };
  for (const int model : roles.sides.from) options.a.push_back(image(model));
  for (const int model : roles.sides.to) options.b.push_back(image(model));
  for (std::size_t i = 0; i < roles.floors.size(); i += 2) {
    options.alike.emplace_back(image(roles.floors[i].from[0]),
                               image(roles.floors[i].to[0]));
  }
  return SideMeasures(options);
}

// "b1 draws noise", "each of a1, a2 draws noise": what several share is said
// once.
std::vector<std::string> IllWords(const std::vector<runs::Health>& all) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const runs::Health& health : all) {
    if (health.usable) continue;
    auto group = std::ranges::find(groups, health.words,
                                   [](const auto& each) { return each.first; });
    if (group == groups.end()) {
      group = groups.insert(groups.end(), {health.words, {}});
    }
    group->second.push_back(health.model);
  }
  std::vector<std::string> ill;
  for (const auto& [words, models] : groups) {
    ill.push_back(fmt::format("{}{} {}", models.size() > 1 ? "each of " : "",
                              fmt::join(models, ", "), words));
  }
  return ill;
}

// Health of every model; returns what makes them unfit, in words.
std::vector<std::string> Examine(const Roles& roles, const Judge* judge,
                                 runs::Contrast& contrast) {
  for (const auto* side : {&roles.sides.from, &roles.sides.to}) {
    for (const int model : *side) {
      const auto number = static_cast<std::size_t>(model);
      const GeneratorHealth state =
          HealthOf(roles.names[number], roles.images[number], judge);
      contrast.health.push_back(state.health);
      contrast.health.back().usable = state.usable;
    }
  }
  return IllWords(contrast.health);
}

void Warn(const Roles& roles, runs::Contrast& contrast) {
  if (roles.floor_source == "checkpoints") {
    contrast.warnings.push_back(fmt::format(
        "The floor is an estimate from earlier rounds of the same models, "
        "taken {:.0f} times: it tends to be too low. Twins give a true one.",
        kCheckpointFactor));
  }
  if (roles.floor_source == "none") {
    contrast.warnings.push_back(
        "Nothing shows how much two trainings on one population differ: no "
        "twins, and no earlier rounds.");
  }
  for (std::size_t model = 0; model < contrast.health.size(); ++model) {
    if (roles.images[model].size(0) < 100) {
      contrast.warnings.push_back(
          fmt::format("{} drew {} images; 200 or more give clearer answers.",
                      roles.names[model], roles.images[model].size(0)));
    }
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
  Check(options);
  const at::NoGradGuard no_grad;
  const Roles roles = RolesOf(options);
  const Gallery gallery(roles.images, options.judge, options.seed);
  Compared compared;
  runs::Contrast& contrast = compared.contrast;
  contrast.floor_source = roles.floor_source;
  contrast.margins = kMargins;
  Evidence evidence{.ill = Examine(roles, options.judge, contrast)};
  Warn(roles, contrast);

  evidence.difference = EstimateOf(SideDistance(gallery, roles.sides, kDraws));
  contrast.difference = evidence.difference.value;
  contrast.difference_floor = DifferenceFloor(gallery, roles);
  const Separation told = MeasureSeparation(gallery, roles);
  contrast.told_apart = told.sides;
  contrast.told_apart_floor = told.floor;

  // What cannot be compared is not explained either.
  const std::vector<Tested> tested =
      evidence.ill.empty()
          ? TestChanges(gallery, roles.sides, roles.floors, kDraws)
          : std::vector<Tested>();
  std::vector<Entry> entries =
      Ranked(tested, roles, contrast.told_apart.low > 0.5,
             options.judge != nullptr ? options.judge->classes : ClassNames{});
  std::vector<double> visible;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    runs::Hypothesis& hypothesis = entries[i].hypothesis;
    visible.push_back(hypothesis.visible_from);
    if (hypothesis.supported || i < kPictured) {
      hypothesis.picture = fmt::format("pictures/{}.png", hypothesis.key);
      compared.pictures[hypothesis.picture] =
          Picture(gallery, roles, *entries[i].tested);
    }
    contrast.hypotheses.push_back(hypothesis);
  }
  evidence.usually_visible_from = Median(visible);
  contrast.measures = MeasuresOf(roles, options.judge);
  contrast.map = MapOf(gallery, roles);
  Decide(evidence, contrast);
  NameOutliers(contrast);
  if (!entries.empty() && entries.front().hypothesis.supported) {
    compared.transformed = Through(options, *entries.front().tested);
  }
  return compared;
}

}  // namespace sfumato::eval
