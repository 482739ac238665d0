// The text pipeline: a sentence as somebody typed it, to tokens.
//
//   NormaliseText("Don't use C++, try .NET 3.5!");
//   // "don't use c++ , try .net 3.5 !"
//
// Tokens are separated by one space, with none before or after. A token is a
// word or a single mark:
//   - Letters, digits, underscores and combining marks make words. Scripts
//     written without spaces stay together.
//   - ' . - @ stay inside a word (don't, file.txt, e-mail, a@b.org), and so do
//     , and : between digits (1,000, 10:30). At the end of a word they stand
//     apart. A dot before a word stays with it (.net, .5).
//   - ++ stays at the end of a word that ends in a letter, # at the end of a
//     single letter (c++, c#), also before digits (c++11).
//   - Everything else (punctuation, symbols, emoji) stands alone.
// Typographic quotes and hyphens become ' " and -; spaces of every kind and
// control characters separate; invisible characters (soft hyphen, zero-width
// space and joiners, variation selectors) are dropped; ill-formed UTF-8 becomes
// U+FFFD, which counts as a letter.
//
// The result does not depend on the locale, and normalising it again changes
// nothing.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sfumato::data {

struct NormaliseOptions {
  bool fold_case = true;  // to lower case
};

std::string NormaliseText(std::string_view sentence,
                          const NormaliseOptions& options = {});

// The tokens of a normalised sentence, as views into it.
std::vector<std::string_view> SplitTokens(std::string_view tokens);

// Simple case mapping (one code point to one) of ASCII, Latin-1, Latin
// Extended-A, Greek and Cyrillic; everything else maps to itself. UpperCase
// undoes LowerCase: what no capital is folded to (ß, final sigma) stays.
char32_t LowerCase(char32_t c);
char32_t UpperCase(char32_t c);

// Whether `c` makes words and is not an ASCII digit or underscore.
bool IsLetter(char32_t c);

}  // namespace sfumato::data
