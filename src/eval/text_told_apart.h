// Whether a test that learned from one pair of models tells what another pair
// drew: naive Bayes by words, of spellings and of sentences.
//
//   const TextToldApart told = MeasureTextSeparation(
//       draws, {.models = models, .twins = {{0, 1}, {2, 3}}}, seed);
//   told.sides.value;   // 0.5 is a coin

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "eval/text_draws.h"
#include "runs/contrast.h"

namespace sfumato::eval {

struct TextToldApart {
  runs::Estimate sides = {0.5, 0.5, 0.5};
  double floor = 0.5;
};

// All models, and which two are of one side: A's first, then B's.
struct TextTwins {
  const std::vector<DrawnText>& models;
  std::vector<std::pair<int, int>> twins;
};

// Of spellings and sentences what tells more, against the higher floor; a coin
// without twins of both sides.
TextToldApart MeasureTextSeparation(const TextDraws& draws,
                                    const TextTwins& roles, std::uint64_t seed);

// A value with the 90 % interval of its resampled ones.
runs::Estimate EstimateOf(double value, std::vector<double> draws);

}  // namespace sfumato::eval
