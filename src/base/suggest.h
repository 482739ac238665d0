// The nearest known word to a mistyped one, for error messages.

#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sfumato::base {

// The word of `known` with the smallest edit distance (insert, delete, replace,
// swap of neighbours) to `word`; empty when none is near (more than a third of
// the letters differ) or `known` is empty.
std::string Nearest(std::string_view word, std::span<const std::string> known);

// "did you mean 'mirror'?", or "one of: a, b, c" when nothing is near.
std::string DidYouMean(std::string_view word,
                       std::span<const std::string> known);

}  // namespace sfumato::base
