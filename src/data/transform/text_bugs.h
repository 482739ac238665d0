// Broken stages of the text pipeline (data/text.h).
//
// A raw sentence passes through the whole pipeline with that one stage broken.
// Of a sentence that is already tokens, what the stage would have done is put
// in as well as it can be: a token that a bug before the tokeniser changes is
// taken apart again; case that was folded away comes back only where English
// surely had it, at the first word and in "I".

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/dataset.h"
#include "data/transform/bugs.h"

namespace sfumato::data {

// The first two tokens as one, with U+00A0 between them.
std::string JoinFirstTwo(std::string_view tokens);
// Every token that ends in a letter, and is longer than that, without it.
std::string CutLastLetters(std::string_view tokens);
// The first word and "I" (I'm, I've) with a capital.
std::string Capitalise(std::string_view tokens);
// UTF-8 read as Windows-1252 and written as UTF-8 again: é becomes Ã©. The five
// bytes that Windows-1252 leaves open become control characters, as in the
// WHATWG's table.
std::string Mojibake(std::string_view text);

struct TextBug {
  BugInfo info;
  std::string (*apply)(std::string_view sentence, TextForm form);
};

const std::vector<TextBug>& TextBugs();

}  // namespace sfumato::data
