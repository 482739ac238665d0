#include "eval/text_separation.h"

#include <algorithm>
#include <utility>

namespace sfumato::eval {
namespace {

constexpr int kDraws = 200;

std::vector<double> CountsTimes(const DrawnText& drawn,
                                const std::vector<double>& weights) {
  std::vector<double> counts;
  counts.reserve(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    counts.push_back(weights[i] * drawn.words[i].count);
  }
  return counts;
}

// A test that learned from one pair, on the draws of another.
class TriedTest {
 public:
  TriedTest(const TextDraws& draws, const std::vector<DrawnText>& models,
            const Trial& trial, bool words)
      : draws_(draws),
        models_(models),
        trial_(trial),
        words_(words),
        ranked_(ScoresOf(trial.tried.first), ScoresOf(trial.tried.second)) {}

  double Chance() const {
    return Chance(draws_.Whole(trial_.tried.first),
                  draws_.Whole(trial_.tried.second));
  }
  double Resampled(base::Rng& rng) const {
    const DrawWeights from = draws_.Resampled(trial_.tried.first, rng);
    return Chance(from, draws_.Resampled(trial_.tried.second, rng));
  }

 private:
  std::vector<double> ScoresOf(int model) const {
    TextDraws::Scores scores =
        draws_.ScoresOf(trial_.learned.first, trial_.learned.second, model);
    return words_ ? scores.words : scores.sentences;
  }
  double Chance(const DrawWeights& from, const DrawWeights& to) const {
    if (!words_) return ranked_.Chance(from.sentences, to.sentences);
    const auto model = [&](int number) -> const DrawnText& {
      return models_[static_cast<std::size_t>(number)];
    };
    return ranked_.Chance(CountsTimes(model(trial_.tried.first), from.words),
                          CountsTimes(model(trial_.tried.second), to.words));
  }

  const TextDraws& draws_;
  const std::vector<DrawnText>& models_;
  Trial trial_;
  bool words_;
  RankedScores ranked_;
};

Separation Measure(const TextDraws& draws, const std::vector<DrawnText>& models,
                   const Lineup& lineup, bool words, std::uint64_t seed) {
  Separation found;
  std::vector<TriedTest> tests;
  double value = 0;
  for (const Trial& trial : AcrossSides(lineup)) {
    tests.emplace_back(draws, models, trial, words);
    value += tests.back().Chance() / 4;
  }
  std::vector<double> chances;
  for (int draw = 0; draw < kDraws; ++draw) {
    base::Rng rng(seed, {base::Key("told_apart"), words ? 1u : 0u,
                         static_cast<std::uint64_t>(draw)});
    chances.push_back(tests[rng.Below(tests.size())].Resampled(rng));
  }
  found.sides = EstimateOf(value, std::move(chances));
  for (const Trial& trial : AcrossTwins(lineup)) {
    found.RaiseFloor(TriedTest(draws, models, trial, words).Chance());
  }
  return found;
}

}  // namespace

Separation MeasureTextSeparation(const TextDraws& draws,
                                 const std::vector<DrawnText>& models,
                                 const Lineup& lineup, std::uint64_t seed) {
  Separation best;
  if (!lineup.twins_of_both()) return best;
  for (const bool words : {false, true}) {
    const DrawnText& any = models.front();
    if (words ? any.words.empty() : any.sentences.empty()) continue;
    const Separation found = Measure(draws, models, lineup, words, seed);
    if (found.sides.value > best.sides.value) best.sides = found.sides;
    best.floor = std::max(best.floor, found.floor);
  }
  return best;
}

}  // namespace sfumato::eval
