// Whether a naive Bayes test by words that learned from one pair of models
// separates what another pair drew: by spellings, and by sentences.
//
//   const Separation found =
//       MeasureTextSeparation(draws, models, lineup, seed);
//   found.sides.value;   // 0.5 is a coin

#pragma once

#include <cstdint>
#include <vector>

#include "eval/lineup.h"
#include "eval/text_draws.h"

namespace sfumato::eval {

// The better of spellings and sentences, against the higher floor; a coin
// without twins of both sides.
Separation MeasureTextSeparation(const TextDraws& draws,
                                 const std::vector<DrawnText>& models,
                                 const Lineup& lineup, std::uint64_t seed);

}  // namespace sfumato::eval
