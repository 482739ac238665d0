// The tables of a text inspection: phrases, likely words, words that changed.
// Everything in them is printable and cut (base/printable.h).
//
//   text.top_b = TopOf(words, traits, Bit(TextTrait::kJoined));

#pragma once

#include <string>
#include <vector>

#include "eval/text_draws.h"
#include "runs/text_contrast.h"

namespace sfumato::eval {

// The first ones drawn, of each twin in turn.
std::vector<runs::Phrase> PhrasesOf(const std::vector<DrawnText>& side);

// Words with a trait of `winning` are marked.
std::vector<runs::LikelyWord> TopOf(const std::vector<ProbableWord>& words,
                                    const TextTraits& traits, TraitSet winning);

// Words whose share differs between the sides by more than between twins, and
// that were drawn often enough.
std::vector<runs::ChangedWord> ChangedWords(const TextDraws& draws,
                                            const Pairing& sides);

// A drawn word as it may be looked at.
std::string TableWord(const std::string& word);

}  // namespace sfumato::eval
