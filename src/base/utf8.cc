#include "base/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace sfumato::base {
namespace {

// What may follow a lead byte: how many bytes, and the range of the first of
// them, which is where overlong forms, surrogates and values above U+10FFFF are
// kept out. Further bytes are always 80..BF.
struct Lead {
  int following = -1;  // -1: no sequence begins with this byte
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
};

Lead Classify(unsigned char byte) {
  if (byte < 0x80) return {.following = 0};
  if (byte < 0xC2) return {};
  if (byte < 0xE0) return {.following = 1};
  if (byte == 0xE0) return {.following = 2, .low = 0xA0};
  if (byte == 0xED) return {.following = 2, .high = 0x9F};
  if (byte < 0xF0) return {.following = 2};
  if (byte == 0xF0) return {.following = 3, .low = 0x90};
  if (byte < 0xF4) return {.following = 3};
  if (byte == 0xF4) return {.following = 3, .high = 0x8F};
  return {};
}

}  // namespace

CodePoint DecodeUtf8(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  if (byte(0) < 0x80) return {byte(0), 1};
  const Lead lead = Classify(byte(0));
  if (lead.following < 0) return {};
  const std::size_t size = 1 + static_cast<std::size_t>(lead.following);
  char32_t value = byte(0) & (0x3Fu >> lead.following);
  for (std::size_t i = 1; i < size; ++i) {
    const unsigned char low = i == 1 ? lead.low : 0x80;
    const unsigned char high = i == 1 ? lead.high : 0xBF;
    if (i == text.size() || byte(i) < low || byte(i) > high) {
      return {kReplacementCharacter, i};
    }
    value = value << 6 | (byte(i) & 0x3Fu);
  }
  return {value, size};
}

void AppendUtf8(char32_t value, std::string& out) {
  if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
    value = kReplacementCharacter;
  }
  const auto tail = [&](int shift) {
    out.push_back(static_cast<char>(0x80 | (value >> shift & 0x3F)));
  };
  if (value < 0x80) {
    out.push_back(static_cast<char>(value));
  } else if (value < 0x800) {
    out.push_back(static_cast<char>(0xC0 | value >> 6));
    tail(0);
  } else if (value < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | value >> 12));
    tail(6);
    tail(0);
  } else {
    out.push_back(static_cast<char>(0xF0 | value >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    // Most text is ASCII: eight bytes at a time.
    std::uint64_t block;
    if (text.size() >= sizeof block) {
      std::memcpy(&block, text.data(), sizeof block);
      if ((block & 0x8080808080808080u) == 0) {
        text.remove_prefix(sizeof block);
        continue;
      }
    }
    const CodePoint c = DecodeUtf8(text);
    // U+FFFD itself is three bytes long; a subpart that was replaced can be
    // three bytes long too, but then begins with F0 or above.
    if (c.value == kReplacementCharacter &&
        (c.size != 3 || static_cast<unsigned char>(text[0]) != 0xEF)) {
      return false;
    }
    text.remove_prefix(c.size);
  }
  return true;
}

bool IsName(std::string_view text) {
  return !text.empty() && text.size() <= kLongestName && IsUtf8(text) &&
         std::ranges::none_of(text, [](char c) {
           return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
         });
}

std::size_t Letters(std::string_view text) {
  std::size_t letters = 0;
  for (; !text.empty(); ++letters) {
    text.remove_prefix(DecodeUtf8(text).size);
  }
  return letters;
}

}  // namespace sfumato::base
