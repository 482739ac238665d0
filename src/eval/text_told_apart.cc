#include "eval/text_told_apart.h"

#include <algorithm>

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

// A test trained on one pair and tried on another: by spellings, or by
// sentences.
class Trial {
 public:
  Trial(const TextDraws& draws, const TextTwins& roles,
        std::pair<int, int> learned, std::pair<int, int> tried, bool words)
      : draws_(draws),
        cast_(roles),
        tried_(tried),
        words_(words),
        ranked_(ScoresOf(learned, tried.first),
                ScoresOf(learned, tried.second)) {}

  double Chance() const {
    return Chance(draws_.Whole(tried_.first), draws_.Whole(tried_.second));
  }
  double Resampled(base::Rng& rng) const {
    const DrawWeights from = draws_.Resampled(tried_.first, rng);
    return Chance(from, draws_.Resampled(tried_.second, rng));
  }

 private:
  std::vector<double> ScoresOf(std::pair<int, int> learned, int model) const {
    TextDraws::Scores scores =
        draws_.ScoresOf(learned.first, learned.second, model);
    return words_ ? scores.words : scores.sentences;
  }
  double Chance(const DrawWeights& from, const DrawWeights& to) const {
    if (!words_) return ranked_.Chance(from.sentences, to.sentences);
    const auto model = [&](int number) -> const DrawnText& {
      return cast_.models[static_cast<std::size_t>(number)];
    };
    return ranked_.Chance(CountsTimes(model(tried_.first), from.words),
                          CountsTimes(model(tried_.second), to.words));
  }

  const TextDraws& draws_;
  const TextTwins& cast_;
  std::pair<int, int> tried_;
  bool words_;
  RankedScores ranked_;
};

TextToldApart MeasureSeparation(const TextDraws& draws, const TextTwins& roles,
                                bool words, std::uint64_t seed) {
  TextToldApart told;
  if (roles.twins.size() < 2) return told;
  const auto [a1, a2] = roles.twins[0];
  const auto [b1, b2] = roles.twins[1];
  using Pair = std::pair<int, int>;
  std::vector<Trial> trials;
  double value = 0;
  for (const auto& [learned, tried] : {std::pair(Pair(a1, b1), Pair(a2, b2)),
                                       {Pair(a2, b2), Pair(a1, b1)},
                                       {Pair(a1, b2), Pair(a2, b1)},
                                       {Pair(a2, b1), Pair(a1, b2)}}) {
    trials.emplace_back(draws, roles, learned, tried, words);
    value += trials.back().Chance() / 4;
  }
  std::vector<double> chances;
  for (int draw = 0; draw < kDraws; ++draw) {
    base::Rng rng(seed, {base::Key("told_apart"), words ? 1u : 0u,
                         static_cast<std::uint64_t>(draw)});
    chances.push_back(trials[rng.Below(trials.size())].Resampled(rng));
  }
  told.sides = EstimateOf(value, std::move(chances));
  for (const auto& [learned, tried] :
       {std::pair(Pair(a1, a2), Pair(b1, b2)), {Pair(b1, b2), Pair(a1, a2)}}) {
    const double chance = Trial(draws, roles, learned, tried, words).Chance();
    told.floor = std::max({told.floor, chance, 1 - chance});
  }
  return told;
}

}  // namespace

runs::Estimate EstimateOf(double value, std::vector<double> draws) {
  if (draws.empty()) return {value, value, value};
  std::ranges::sort(draws);
  const auto at = [&](double share) {
    return draws[static_cast<std::size_t>(
        share * static_cast<double>(draws.size() - 1))];
  };
  return {value, std::min(value, at(0.05)), std::max(value, at(0.95))};
}

TextToldApart MeasureTextSeparation(const TextDraws& draws,
                                    const TextTwins& roles,
                                    std::uint64_t seed) {
  TextToldApart best;
  const DrawnText& any = roles.models.front();
  for (const bool words : {false, true}) {
    if (words ? any.words.empty() : any.sentences.empty()) continue;
    const TextToldApart told = MeasureSeparation(draws, roles, words, seed);
    if (told.sides.value > best.sides.value) best.sides = told.sides;
    best.floor = std::max(best.floor, told.floor);
  }
  return best;
}

}  // namespace sfumato::eval
