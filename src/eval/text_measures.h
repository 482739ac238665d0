// Plain numbers of two sides' text beside each other: unknown words, lengths,
// spellings, each with what two models of one side differ by.
//
//   contrast.measures = TextMeasures(lineup, models, vocabulary);

#pragma once

#include <vector>

#include "eval/lineup.h"
#include "eval/text_draws.h"
#include "runs/contrast.h"

namespace sfumato::eval {

// Most different first.
std::vector<runs::Measure> TextMeasures(const Lineup& lineup,
                                        const std::vector<DrawnText>& models,
                                        const WordSet& vocabulary);

// Share of unknown words at the first positions of sentences: 1, 2, … 8.
std::vector<runs::UnknownAt> UnknownByPosition(
    const Lineup& lineup, const std::vector<DrawnText>& models);

}  // namespace sfumato::eval
