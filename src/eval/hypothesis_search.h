// Tests every change of the catalogue between two sides, and the same between
// models of one population, which gives the floor.
//
//   const Gallery gallery(models, judge, seed);
//   const Pairing ab{.from = {0, 1}, .to = {2, 3}};
//   for (const Tested& tested : TestChanges(gallery, ab, floors, draws)) {
//     Show(tested.change->key, tested.fit.gain);
//   }
//
// Each model's images are cut in two: parameters of a change (which angle,
// which rows) are chosen on the first half and judged on the second, so that a
// change with many parameters gains nothing by having them. Floors choose their
// own parameters: what the best angle explains between two models of one
// population is what counts.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eval/energy.h"
#include "eval/hypotheses.h"
#include "eval/image_features.h"
#include "eval/lineup.h"

namespace sfumato::eval {

// One half of a model's images, with its features.
struct Half {
  Observed seen;
  Blocks features;
  at::Tensor within;  // [n, n] distances
};

// What all models drew, on one scale.
class Gallery {
 public:
  // `images`: one tensor [n, h, w, c] per model.
  Gallery(const std::vector<at::Tensor>& images, const Judge* judge,
          std::uint64_t seed);

  std::size_t models() const { return choosing_.size(); }
  // Parameters are chosen on these (without the judge: that is fast) …
  const Half& choosing(int model) const { return choosing_.at(model); }
  // … and judged on these.
  const Half& judging(int model) const { return judging_.at(model); }
  // Both halves, whole features.
  Blocks Whole(int model) const;
  Blocks Features(const at::Tensor& images, bool with_judge) const;
  const Judge* judge() const { return judge_; }
  std::uint64_t seed() const { return seed_; }

 private:
  const Judge* judge_;
  std::uint64_t seed_;
  FeatureScale scale_;
  std::vector<Half> choosing_;
  std::vector<Half> judging_;
  std::vector<Blocks> whole_;
};

// The distance of two sides by itself: [draws], first without resampling.
at::Tensor SideDistance(const Gallery& gallery, const Pairing& pairing,
                        std::int64_t draws);

struct Tested {
  const Change* change = nullptr;
  Values values = {};
  MixtureLine line = {};  // mean over the pairs of models, [draws]
  MixtureFit fit = {};
  // The gain between models of one population, one per floor pairing.
  std::vector<double> floors = {};
};

// `floors` may be empty. Changes without a candidate are left out.
std::vector<Tested> TestChanges(const Gallery& gallery, const Pairing& pairing,
                                const std::vector<Pairing>& floors,
                                std::int64_t draws);

// Images that a change makes of these; one that only counts them otherwise
// leaves out those it counts least. `classes` as in Observed.
at::Tensor Changed(const Change& change, const Values& values,
                   const Observed& seen, std::uint64_t seed);

}  // namespace sfumato::eval
