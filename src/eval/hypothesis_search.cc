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
constexpr std::int64_t kMostChoosing = 60;
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
  PairWeights(const Pairing& pairing, std::int64_t draws, std::uint64_t seed)
      : weights_(at::zeros({draws, Count(pairing)}, at::kDouble)) {
    base::Rng rng(seed, {base::Key("pairs")});
    const auto from = pairing.from.size();
    const auto to = pairing.to.size();
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
  static std::int64_t Count(const Pairing& pairing) {
    return static_cast<std::int64_t>(pairing.from.size() * pairing.to.size());
  }
  at::Tensor weights_;  // [draws, pairs]
};

// Everything about one half of the images that tests share, computed once.
class Bench {
 public:
  Bench(const Gallery& gallery, bool judging, std::int64_t draws)
      : gallery_(gallery), judging_(judging), draws_(draws) {
    for (int model = 0; model < static_cast<int>(gallery.models()); ++model) {
      const Half& images = half(model);
      counts_.push_back(ResampleCounts(
          draws, images.seen.images.size(0),
          gallery.seed() + static_cast<std::uint64_t>(model) * 1000003));
      within_.push_back(
          MeanWithin(images.within, counts_.back(), counts_.back()));
    }
  }

  const Gallery& gallery() const { return gallery_; }
  bool judging() const { return judging_; }
  std::int64_t draws() const { return draws_; }
  const Half& half(int model) const {
    return judging_ ? gallery_.judging(model) : gallery_.choosing(model);
  }
  // How often each image was drawn, [draws, n].
  const at::Tensor& counts(int model) const { return counts_.at(model); }
  // Mean distances within and between models, [draws].
  const at::Tensor& within(int model) const { return within_.at(model); }
  const at::Tensor& between(int from, int to) {
    at::Tensor& mean = between_[{from, to}];
    if (!mean.defined()) {
      mean = MeanBetween(BlockDistances(half(from).features, half(to).features),
                         counts(from), counts(to));
    }
    return mean;
  }

 private:
  const Gallery& gallery_;
  bool judging_;
  std::int64_t draws_;
  std::vector<at::Tensor> counts_;
  std::vector<at::Tensor> within_;
  std::map<std::pair<int, int>, at::Tensor> between_;
};

// What a change makes of one model's images.
struct ChangedHalf {
  Blocks features;    // of the images, changed or only counted otherwise
  at::Tensor counts;  // [draws, n]
  at::Tensor xt;      // mean distances, [draws]
  at::Tensor tt;
};
using ChangedHalves = std::map<int, ChangedHalf>;  // by model

ChangedHalf ChangeHalf(const Bench& bench, int model, const Change& change,
                       const Values& values) {
  const Half& half = bench.half(model);
  const at::Tensor& counts = bench.counts(model);
  ChangedHalf changed;
  at::Tensor xt = half.within;
  at::Tensor tt = half.within;
  if (change.weigh) {
    changed.features = half.features;
    changed.counts = counts * change.weigh(half.seen.classes, values);
  } else {
    const at::Tensor images =
        change.apply(half.seen.images, values, bench.gallery().seed());
    changed.features = bench.gallery().Features(images, bench.judging());
    changed.counts = counts;
    xt = BlockDistances(half.features, changed.features);
    tt = BlockDistances(changed.features, changed.features);
  }
  changed.xt = MeanWithin(xt, counts, changed.counts);
  changed.tt = MeanWithin(tt, changed.counts, changed.counts);
  return changed;
}

// The mean over pairs of models.
MixtureLine MeanLine(Bench& bench, const Pairing& pairing,
                     const ChangedHalves& changed) {
  std::vector<at::Tensor> distance;
  std::vector<at::Tensor> slope;
  std::vector<at::Tensor> bend;
  for (const int i : pairing.from) {
    const ChangedHalf& t = changed.at(i);
    for (const int j : pairing.to) {
      const at::Tensor ty = BlockDistances(t.features, bench.half(j).features);
      const MixtureLine line =
          LineOf({.xx = bench.within(i),
                  .xt = t.xt,
                  .tt = t.tt,
                  .xy = bench.between(i, j),
                  .ty = MeanBetween(ty, t.counts, bench.counts(j)),
                  .yy = bench.within(j)});
      distance.push_back(line.distance);
      slope.push_back(line.slope);
      bend.push_back(line.bend);
    }
  }
  const PairWeights weights(pairing, bench.draws(), bench.gallery().seed());
  return {weights.Mean(distance), weights.Mean(slope), weights.Mean(bend)};
}

// Finds the values of one change that explain most, pairing by pairing;
// what a value makes of a model is computed once for all pairings.
class Chooser {
 public:
  Chooser(Bench& bench, const Change& change)
      : bench_(bench), change_(change) {}

  std::optional<Values> Best(const Pairing& pairing) {
    best_.reset();
    best_gain_ = -1;
    Try(pairing, change_.first(Pool(pairing.from), Pool(pairing.to)));
    for (int round = 0; best_ && change_.next; ++round) {
      const std::vector<Values> nearer = change_.next(*best_, round);
      if (nearer.empty()) break;
      Try(pairing, nearer);
    }
    return best_;
  }

 private:
  Observed Pool(const std::vector<int>& models) const {
    std::vector<at::Tensor> images;
    std::vector<at::Tensor> classes;
    Observed pool;
    for (const int model : models) {
      const Observed& seen = bench_.half(model).seen;
      images.push_back(seen.images);
      if (seen.classes.defined()) classes.push_back(seen.classes);
      pool.kinds = seen.kinds;
    }
    pool.images = at::cat(images);
    if (!classes.empty()) pool.classes = at::cat(classes);
    return pool;
  }

  void Try(const Pairing& pairing, const std::vector<Values>& candidates) {
    for (const Values& values : candidates) {
      const MixtureFit fit =
          BestMixture(MeanLine(bench_, pairing, HalvesFor(pairing, values)));
      const double gain = fit.gain[0].item<double>();
      if (gain <= best_gain_) continue;
      best_gain_ = gain;
      best_ = values;
    }
  }

  const ChangedHalves& HalvesFor(const Pairing& pairing, const Values& values) {
    ChangedHalves& halves = made_[values];
    for (const int model : pairing.from) {
      if (halves.contains(model)) continue;
      halves[model] = ChangeHalf(bench_, model, change_, values);
    }
    return halves;
  }

  Bench& bench_;
  const Change& change_;
  std::map<Values, ChangedHalves> made_;
  std::optional<Values> best_;
  double best_gain_ = -1;
};

MixtureLine JudgeChange(Bench& bench, const Pairing& pairing,
                        const Change& change, const Values& values) {
  ChangedHalves halves;
  for (const int model : pairing.from) {
    halves[model] = ChangeHalf(bench, model, change, values);
  }
  return MeanLine(bench, pairing, halves);
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

at::Tensor SideDistance(const Gallery& gallery, const Pairing& pairing,
                        std::int64_t draws) {
  Bench bench(gallery, /*judging=*/true, draws);
  std::vector<at::Tensor> pairs;
  for (const int i : pairing.from) {
    for (const int j : pairing.to) {
      pairs.push_back(2 * bench.between(i, j) - bench.within(i) -
                      bench.within(j));
    }
  }
  return PairWeights(pairing, draws, gallery.seed()).Mean(pairs);
}

std::vector<Tested> TestChanges(const Gallery& gallery, const Pairing& pairing,
                                const std::vector<Pairing>& floors,
                                std::int64_t draws) {
  Bench choosing(gallery, /*judging=*/false, 1);
  Bench judging(gallery, /*judging=*/true, draws);
  Bench floor_judging(gallery, /*judging=*/true, 1);
  std::vector<Tested> all;
  for (const Change& change : Changes()) {
    Chooser chooser(choosing, change);
    const std::optional<Values> values = chooser.Best(pairing);
    if (!values) continue;
    Tested tested{.change = &change, .values = *values};
    tested.line = JudgeChange(judging, pairing, change, *values);
    tested.fit = BestMixture(tested.line);
    for (const Pairing& floor : floors) {
      const std::optional<Values> own = chooser.Best(floor);
      if (!own) {
        tested.floors.push_back(0);
        continue;
      }
      // A difference against the change is as much a difference as one along
      // it: which it is, is chance.
      MixtureLine line = JudgeChange(floor_judging, floor, change, *own);
      line.slope = line.slope.abs();
      const MixtureFit fit = BestMixture(line);
      tested.floors.push_back(fit.gain[0].item<double>());
    }
    all.push_back(std::move(tested));
  }
  return all;
}

at::Tensor Changed(const Change& change, const Values& values,
                   const Observed& seen, std::uint64_t seed) {
  if (change.apply) return change.apply(seen.images, values, seed);
  const at::Tensor weights = change.weigh(seen.classes, values);
  const at::Tensor kept =
      (weights >= std::min(1.0, weights.mean().item<double>()))
          .nonzero()
          .flatten();
  return seen.images.index_select(0, kept);
}

}  // namespace sfumato::eval
