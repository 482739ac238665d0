// Compares what two sides' language models draw: where unknown words stand,
// what they look like, which broken stage of a pipeline explains the
// difference, and how much of that two models of one side would show as well.
//
//   const runs::Contrast contrast =
//       CompareText({.a = {a1, a2}, .b = {b1, b2}, .vocabulary = &words});
//   contrast.sentence;
//   // "In B, two words joined into one (“i have”): about 8 % of sentences."
//   contrast.text->top_b;
//
// Only drawn text and the public vocabulary go in, so nothing here costs
// privacy. The same options give the same answer. How it comes about:
// docs/diagnosis_rules.md.

#pragma once

#include <cstdint>
#include <vector>

#include "eval/text_draws.h"
#include "runs/contrast.h"

namespace sfumato::eval {

struct CompareTextOptions {
  std::vector<DrawnText> a = {};  // one model, or two twins on halves of users
  std::vector<DrawnText> b = {};
  // The words that the word models know; it must not be empty.
  const WordSet* vocabulary = nullptr;
  // The words that a side's character models together hold most likely, the
  // most likely first; whether no other is more likely.
  std::vector<ProbableWord> top_a = {};
  std::vector<ProbableWord> top_b = {};
  bool top_exact = true;
  std::uint64_t seed = 1;  // of resampling
};

// Throws BadInput for no model on a side, more than two, no vocabulary, fewer
// than 50 sentences or 50 words of a model (either may be left out, for all
// models), a count that is not a number above 0, or an invalid probability.
runs::Contrast CompareText(const CompareTextOptions& options);

}  // namespace sfumato::eval
