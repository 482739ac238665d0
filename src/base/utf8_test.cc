#include "base/utf8.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sfumato::base {
namespace {

using std::string_view_literals::operator""sv;

std::vector<char32_t> Decode(std::string_view text) {
  std::vector<char32_t> values;
  while (!text.empty()) {
    const CodePoint c = DecodeUtf8(text);
    values.push_back(c.value);
    text.remove_prefix(c.size);
  }
  return values;
}

std::string Encode(char32_t value) {
  std::string out;
  AppendUtf8(value, out);
  return out;
}

// The first and last code point of every length, from Table 3-6.
const std::vector<std::pair<char32_t, std::string_view>> kBorders = {
    {0x0, "\x00"sv},
    {0x7F, "\x7F"},
    {0x80, "\xC2\x80"},
    {0x7FF, "\xDF\xBF"},
    {0x800, "\xE0\xA0\x80"},
    {0xD7FF, "\xED\x9F\xBF"},
    {0xE000, "\xEE\x80\x80"},
    {0xFFFD, "\xEF\xBF\xBD"},
    {0xFFFF, "\xEF\xBF\xBF"},
    {0x10000, "\xF0\x90\x80\x80"},
    {0x10FFFF, "\xF4\x8F\xBF\xBF"},
};

TEST(Utf8Test, DecodesAndEncodesTheBordersOfEveryLength) {
  for (const auto& [value, bytes] : kBorders) {
    EXPECT_EQ(Decode(bytes), std::vector<char32_t>{value});
    EXPECT_EQ(Encode(value), bytes);
    EXPECT_TRUE(IsUtf8(bytes)) << static_cast<std::uint32_t>(value);
  }
}

TEST(Utf8Test, DecodesMixedLengthsInOrder) {
  EXPECT_EQ(Decode("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z"),
            (std::vector<char32_t>{'a', 0xE9, 0x20AC, 0x1F600, 'z'}));
}

TEST(Utf8Test, RefusesWhatTheStandardCallsIllFormed) {
  const std::vector<std::string_view> ill_formed = {
      "\x80",              // a continuation alone
      "\xC0\x80",          // overlong NUL
      "\xC1\xBF",          // overlong
      "\xE0\x9F\xBF",      // overlong
      "\xF0\x8F\xBF\xBF",  // overlong
      "\xED\xA0\x80",      // surrogate
      "\xF4\x90\x80\x80",  // above U+10FFFF
      "\xF5\x80\x80\x80",
      "\xFF",
      "\xC3",  // cut short
      "\xE2\x82",
      "\xF0\x9F\x98",
      "\xC3(",  // interrupted
  };
  for (const std::string_view text : ill_formed) {
    EXPECT_FALSE(IsUtf8(text));
    EXPECT_FALSE(IsUtf8(std::string(text) + "a"));
    EXPECT_FALSE(IsUtf8("a long way before it " + std::string(text)));
    EXPECT_EQ(Decode(text).front(), kReplacementCharacter);
  }
}

TEST(Utf8Test, AcceptsTheReplacementCharacterItself) {
  EXPECT_TRUE(IsUtf8("a \xEF\xBF\xBD b"));
  EXPECT_TRUE(IsUtf8(""));
}

TEST(Utf8Test, ReplacesEachMaximalSubpartOnce) {
  // Table 3-11 of the Unicode Standard, "U+FFFD for Truncated Sequences".
  EXPECT_EQ(Decode("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"),
            (std::vector<char32_t>{0xFFFD, 0xFFFD, 0xFFFD, 0xFFFD, 0x41}));
  // Table 3-8, "U+FFFD for Non-Shortest Form Sequences": one for each byte.
  EXPECT_EQ(Decode("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"),
            (std::vector<char32_t>{0xFFFD, 0xFFFD, 0xFFFD, 0xFFFD, 0xFFFD,
                                   0xFFFD, 0xFFFD, 0xFFFD, 0x41}));
}

TEST(Utf8Test, EncodesWhatIsNoCharacterAsReplacement) {
  for (const char32_t value : {0xD800, 0xDFFF, 0x110000}) {
    EXPECT_EQ(Encode(value), "\xEF\xBF\xBD");
  }
}

TEST(Utf8Test, EveryCodePointSurvivesARoundTrip) {
  for (char32_t value = 0; value <= 0x10FFFF; ++value) {
    if (value == 0xD800) value = 0xE000;
    const std::string bytes = Encode(value);
    const CodePoint c = DecodeUtf8(bytes);
    ASSERT_EQ(c.value, value);
    ASSERT_EQ(c.size, bytes.size());
    ASSERT_TRUE(IsUtf8(bytes));
  }
}

}  // namespace
}  // namespace sfumato::base
