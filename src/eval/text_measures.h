// Plain numbers of two sides' text beside each other: unknown words, lengths,
// spellings, each with what two models of one side differ by.
//
//   contrast.measures = TextMeasures({.a = {a1, a2}, .b = {b1, b2},
//                                     .vocabulary = &vocabulary});

#pragma once

#include <vector>

#include "eval/text_draws.h"
#include "runs/contrast.h"

namespace sfumato::eval {

struct TextMeasureOptions {
  std::vector<const DrawnText*> a = {};
  std::vector<const DrawnText*> b = {};
  const WordSet* vocabulary = nullptr;
};

// Most different first. The floor is known where a side has two models.
std::vector<runs::Measure> TextMeasures(const TextMeasureOptions& options);

// Share of unknown words at the first positions of sentences: 1, 2, … 8.
std::vector<runs::UnknownAt> UnknownByPosition(
    const TextMeasureOptions& options);

}  // namespace sfumato::eval
