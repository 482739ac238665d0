// Whether a language model's text can be compared: varied sentences and
// readable words, not one over and over, not garbage.
//
//   const runs::Health health = TextHealthOf(drawn, vocabulary.size());
//   if (!health.usable) Warn(health.words);

#pragma once

#include <cstddef>

#include "eval/text_draws.h"
#include "runs/contrast.h"

namespace sfumato::eval {

// `vocabulary`: how many words the word model knows. `diversity` is the share
// of drawn sentences (of words, where there are none) that are distinct.
runs::Health TextHealthOf(const DrawnText& drawn, std::size_t vocabulary);

// The figures beside it.
runs::TextModel TextModelOf(const DrawnText& drawn);

// Whether a character model wrote enough words that are text. One whose users
// had no unknown word writes garbage: there was nothing to learn.
bool IsSpelled(const DrawnText& drawn);

}  // namespace sfumato::eval
