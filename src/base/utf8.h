// UTF-8, byte by byte: decode, encode, check. No locale is involved.
//
//   for (std::string_view rest = text; !rest.empty();) {
//     const base::CodePoint c = base::DecodeUtf8(rest);
//     Use(c.value);
//     rest.remove_prefix(c.size);
//   }
//
// Well-formed is what Table 3-7 of the Unicode Standard allows: no overlong
// form, no surrogate, nothing above U+10FFFF.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sfumato::base {

// Stands for what could not be read.
inline constexpr char32_t kReplacementCharacter = 0xFFFD;

struct CodePoint {
  char32_t value = kReplacementCharacter;
  std::size_t size = 1;  // bytes it was read from
};

// The code point that `text` begins with. Ill-formed bytes give U+FFFD, one for
// every maximal subpart of a sequence (the Standard's recommended practice), so
// reading always advances. REQUIRES: text not empty.
CodePoint DecodeUtf8(std::string_view text);

// Appends `value` to `out`; a surrogate or a value above U+10FFFF is appended
// as U+FFFD.
void AppendUtf8(char32_t value, std::string& out);

bool IsUtf8(std::string_view text);

// What a name of a set, a population or a run may be: 1 to kLongestName bytes
// of UTF-8 without control characters.
inline constexpr std::size_t kLongestName = 200;
bool IsName(std::string_view text);

// Code points of `text`: how wide it is, more or less.
std::size_t Letters(std::string_view text);

}  // namespace sfumato::base
