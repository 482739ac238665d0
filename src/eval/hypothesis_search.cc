#include "eval/hypothesis_search.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "base/random.h"

namespace sfumato::eval {
namespace {

// More images than these make intervals little narrower and everything slower.
constexpr std::int64_t kMostChoosing = 100;
constexpr std::int64_t kMostJudging = 250;

at::Tensor Shuffled(std::int64_t n, std::uint64_t seed, std::uint64_t model) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  base::Rng rng(seed, {base::Key("halves"), model});
  rng.Shuffle(std::span(order));
  return at::tensor(order, at::kLong);
}

// Draws and their pairs of models: row r has the weight of every pair. The
// first row weighs all alike; others draw models of each side anew.
class PairWeights {
 public:
  PairWeights(const Direction& direction, std::int64_t draws,
              std::uint64_t seed)
      : weights_(at::zeros({draws, Count(direction)}, at::kDouble)) {
    base::Rng rng(seed, {base::Key("pairs")});
    const auto from = direction.from.size();
    const auto to = direction.to.size();
    weights_[0].fill_(1.0 / static_cast<double>(from * to));
    auto rows = weights_.accessor<double, 2>();
    for (std::int64_t draw = 1; draw < draws; ++draw) {
      std::vector<std::size_t> left;
      std::vector<std::size_t> right;
      for (std::size_t k = 0; k < from; ++k) left.push_back(rng.Below(from));
      for (std::size_t k = 0; k < to; ++k) right.push_back(rng.Below(to));
      for (const std::size_t i : left) {
        for (const std::size_t j : right) {
          rows[draw][static_cast<std::int64_t>(i * to + j)] +=
              1.0 / static_cast<double>(from * to);
        }
      }
    }
  }

  at::Tensor Mean(const std::vector<at::Tensor>& pairs) const {
    return (at::stack(pairs, 1) * weights_).sum(1);
  }

 private:
  static std::int64_t Count(const Direction& direction) {
    return static_cast<std::int64_t>(direction.from.size() *
                                     direction.to.size());
  }
  at::Tensor weights_;  // [draws, pairs]
};

// What a change makes of one model's half.
struct ChangedHalf {
  Blocks features;     // empty when only counted otherwise
  at::Tensor weights;  // [n] double
  at::Tensor xt;       // [n, n]
  at::Tensor tt;
};

ChangedHalf ChangeHalf(const Gallery& gallery, const Half& half,
                       const Change& change, const Values& values,
                       bool with_judge) {
  ChangedHalf changed;
  if (change.weigh) {
    changed.weights = change.weigh(half.seen.classes, values);
    changed.xt = half.within;
    changed.tt = half.within;
    return changed;
  }
  const at::Tensor images =
      change.apply(half.seen.images, values, gallery.seed());
  changed.features = gallery.Features(images, with_judge);
  changed.weights = at::ones({images.size(0)}, at::kDouble);
  changed.xt = BlockDistances(half.features, changed.features);
  changed.tt = BlockDistances(changed.features, changed.features);
  return changed;
}

// Counts of resampled images, one tensor a model; the same in every test.
class Resamples {
 public:
  Resamples(const Gallery& gallery, bool judging, std::int64_t draws) {
    for (int model = 0; model < static_cast<int>(gallery.models()); ++model) {
      const Half& half =
          judging ? gallery.judging(model) : gallery.choosing(model);
      counts_.push_back(ResampleCounts(
          draws, half.seen.images.size(0),
          gallery.seed() + static_cast<std::uint64_t>(model) * 1000003));
    }
  }
  const at::Tensor& operator[](int model) const { return counts_.at(model); }

 private:
  std::vector<at::Tensor> counts_;
};

// Distances between models' halves, computed once.
class Between {
 public:
  Between(const Gallery& gallery, bool judging)
      : gallery_(gallery), judging_(judging) {}

  const Half& half(int model) const {
    return judging_ ? gallery_.judging(model) : gallery_.choosing(model);
  }
  const at::Tensor& operator()(int from, int to) {
    at::Tensor& pairs = pairs_[{from, to}];
    if (!pairs.defined()) {
      pairs = BlockDistances(half(from).features, half(to).features);
    }
    return pairs;
  }

 private:
  const Gallery& gallery_;
  bool judging_;
  std::map<std::pair<int, int>, at::Tensor> pairs_;
};

// Everything about one half of the images that tests share.
struct Bench {
  Bench(const Gallery& images, bool judges, std::int64_t draw_count)
      : gallery(images),
        judging(judges),
        draws(draw_count),
        between(images, judges),
        counts(images, judges, draw_count) {}

  const Gallery& gallery;
  bool judging;
  std::int64_t draws;
  Between between;
  Resamples counts;
};

using ChangedHalves = std::map<int, ChangedHalf>;  // by model

MixtureLine MeanLine(Bench& bench, const Direction& direction,
                     const ChangedHalves& changed, std::int64_t draws) {
  std::vector<at::Tensor> distance;
  std::vector<at::Tensor> slope;
  std::vector<at::Tensor> bend;
  for (const int i : direction.from) {
    const ChangedHalf& t = changed.at(i);
    for (const int j : direction.to) {
      const at::Tensor& xy = bench.between(i, j);
      const at::Tensor x = bench.counts[i].narrow(0, 0, draws);
      const MixtureLine line =
          LineOf({.xx = bench.between.half(i).within,
                  .xt = t.xt,
                  .tt = t.tt,
                  .xy = xy,
                  .ty = t.features.empty()
                            ? xy
                            : BlockDistances(t.features,
                                             bench.between.half(j).features),
                  .yy = bench.between.half(j).within},
                 {.x = x,
                  .t = x * t.weights,
                  .y = bench.counts[j].narrow(0, 0, draws)});
      distance.push_back(line.distance);
      slope.push_back(line.slope);
      bend.push_back(line.bend);
    }
  }
  const PairWeights weights(direction, draws, bench.gallery.seed());
  return {weights.Mean(distance), weights.Mean(slope), weights.Mean(bend)};
}

// Finds the values of one change that explain most, direction by direction;
// what a value makes of a model is computed once for all directions.
class Chooser {
 public:
  Chooser(Bench& bench, const Change& change)
      : bench_(bench), change_(change) {}

  std::optional<Values> Best(const Direction& direction) {
    best_.reset();
    best_gain_ = -1;
    Try(direction, change_.first(Pool(direction.from), Pool(direction.to)));
    for (int round = 0; best_ && change_.next; ++round) {
      const std::vector<Values> nearer = change_.next(*best_, round);
      if (nearer.empty()) break;
      Try(direction, nearer);
    }
    return best_;
  }

 private:
  Seen Pool(const std::vector<int>& models) const {
    std::vector<at::Tensor> images;
    std::vector<at::Tensor> classes;
    Seen pool;
    for (const int model : models) {
      const Seen& seen = bench_.gallery.choosing(model).seen;
      images.push_back(seen.images);
      if (seen.classes.defined()) classes.push_back(seen.classes);
      pool.kinds = seen.kinds;
    }
    pool.images = at::cat(images);
    if (!classes.empty()) pool.classes = at::cat(classes);
    return pool;
  }

  void Try(const Direction& direction, const std::vector<Values>& candidates) {
    for (const Values& values : candidates) {
      const MixtureFit fit = BestMixture(
          MeanLine(bench_, direction, HalvesFor(direction, values), 1));
      const double gain = fit.gain[0].item<double>();
      if (gain <= best_gain_) continue;
      best_gain_ = gain;
      best_ = values;
    }
  }

  const ChangedHalves& HalvesFor(const Direction& direction,
                                 const Values& values) {
    ChangedHalves& halves = made_[values];
    for (const int model : direction.from) {
      if (halves.contains(model)) continue;
      halves[model] = ChangeHalf(bench_.gallery, bench_.gallery.choosing(model),
                                 change_, values, /*with_judge=*/false);
    }
    return halves;
  }

  Bench& bench_;
  const Change& change_;
  std::map<Values, ChangedHalves> made_;
  std::optional<Values> best_;
  double best_gain_ = -1;
};

MixtureLine JudgeChange(Bench& bench, const Direction& direction,
                        const Change& change, const Values& values,
                        std::int64_t draws) {
  ChangedHalves halves;
  for (const int model : direction.from) {
    halves[model] = ChangeHalf(bench.gallery, bench.gallery.judging(model),
                               change, values, /*with_judge=*/true);
  }
  return MeanLine(bench, direction, halves, draws);
}

}  // namespace

Gallery::Gallery(const std::vector<at::Tensor>& images, const Judge* judge,
                 std::uint64_t seed)
    : judge_(judge), seed_(seed) {
  std::vector<Blocks> raw;
  std::vector<at::Tensor> kept;
  std::vector<std::int64_t> cuts;
  for (std::size_t model = 0; model < images.size(); ++model) {
    const std::int64_t n = images[model].size(0);
    const std::int64_t cut = std::min(n / 3, kMostChoosing);
    const std::int64_t all = std::min(n, cut + kMostJudging);
    const at::Tensor order = Shuffled(n, seed, model).narrow(0, 0, all);
    kept.push_back(Rounded(images[model].index_select(0, order)));
    cuts.push_back(cut);
    raw.push_back(RawFeatures(kept.back(), judge));
  }
  scale_ = FitScale(Stacked(raw));
  for (std::size_t model = 0; model < kept.size(); ++model) {
    whole_.push_back(Scaled(raw[model], scale_));
    const at::Tensor classes =
        judge != nullptr ? raw[model].back().argmax(1) : at::Tensor();
    const auto half = [&](std::int64_t first, std::int64_t count,
                          bool with_judge) {
      Half part;
      part.seen.images = kept[model].narrow(0, first, count);
      if (classes.defined()) {
        part.seen.classes = classes.narrow(0, first, count);
        part.seen.kinds = raw[model].back().size(1);
      }
      for (const at::Tensor& block : whole_.back()) {
        part.features.push_back(block.narrow(0, first, count));
      }
      if (!with_judge && judge != nullptr) part.features.pop_back();
      part.within = BlockDistances(part.features, part.features);
      return part;
    };
    const std::int64_t cut = cuts[model];
    choosing_.push_back(half(0, cut, false));
    judging_.push_back(half(cut, kept[model].size(0) - cut, true));
  }
}

Blocks Gallery::Whole(int model) const { return whole_.at(model); }

Blocks Gallery::Features(const at::Tensor& images, bool with_judge) const {
  const Blocks raw = RawFeatures(images, with_judge ? judge_ : nullptr);
  FeatureScale scale = scale_;
  scale.centre.resize(raw.size());
  scale.factor.resize(raw.size());
  return Scaled(raw, scale);
}

at::Tensor SideDistance(const Gallery& gallery, const Direction& direction,
                        std::int64_t draws) {
  Bench bench(gallery, /*judges=*/true, draws);
  std::vector<at::Tensor> pairs;
  for (const int i : direction.from) {
    for (const int j : direction.to) {
      const at::Tensor& x = bench.counts[i];
      const at::Tensor& y = bench.counts[j];
      pairs.push_back(2 * MeanBetween(bench.between(i, j), x, y) -
                      MeanWithin(bench.between.half(i).within, x, x) -
                      MeanWithin(bench.between.half(j).within, y, y));
    }
  }
  return PairWeights(direction, draws, gallery.seed()).Mean(pairs);
}

std::vector<Tested> TestChanges(const Gallery& gallery,
                                const Direction& direction,
                                const std::vector<Direction>& floors,
                                std::int64_t draws) {
  Bench choosing(gallery, /*judges=*/false, 1);
  Bench judging(gallery, /*judges=*/true, draws);
  std::vector<Tested> all;
  for (const Change& change : Changes()) {
    Chooser chooser(choosing, change);
    const std::optional<Values> values = chooser.Best(direction);
    if (!values) continue;
    Tested tested{.change = &change, .values = *values};
    tested.line = JudgeChange(judging, direction, change, *values, draws);
    tested.fit = BestMixture(tested.line);
    for (const Direction& floor : floors) {
      const std::optional<Values> own = chooser.Best(floor);
      if (!own) {
        tested.floors.push_back(0);
        continue;
      }
      // A difference against the change is as much a difference as one along
      // it: which it is, is chance.
      MixtureLine line = JudgeChange(judging, floor, change, *own, 1);
      line.slope = line.slope.abs();
      const MixtureFit fit = BestMixture(line);
      tested.floors.push_back(fit.gain[0].item<double>());
    }
    all.push_back(std::move(tested));
  }
  return all;
}

at::Tensor Changed(const Change& change, const Values& values, const Seen& seen,
                   std::uint64_t seed) {
  if (change.apply) return change.apply(seen.images, values, seed);
  const at::Tensor weights = change.weigh(seen.classes, values);
  const at::Tensor kept =
      (weights >= std::min(1.0, weights.mean().item<double>()))
          .nonzero()
          .flatten();
  return seen.images.index_select(0, kept);
}

}  // namespace sfumato::eval
