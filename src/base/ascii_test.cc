#include "base/ascii.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace sfumato::base {
namespace {

TEST(AsciiTest, KnowsTheEndsOfEveryRange) {
  for (int i = 0; i < 256; ++i) {
    const char c = static_cast<char>(i);
    SCOPED_TRACE(i);
    EXPECT_EQ(IsDigit(c), i >= 48 && i <= 57);
    EXPECT_EQ(IsUpper(c), i >= 65 && i <= 90);
    EXPECT_EQ(IsLower(c), i >= 97 && i <= 122);
    EXPECT_EQ(IsLetter(c), IsLower(c) || IsUpper(c));
    EXPECT_EQ(ToLower(c), static_cast<char>(IsUpper(c) ? i + 32 : i));
    EXPECT_EQ(ToUpper(c), static_cast<char>(IsLower(c) ? i - 32 : i));
  }
  EXPECT_EQ(ToLower("ÄBc-Z"), "Äbc-z");
}

TEST(ParseNumberTest, WantsAllOfTheText) {
  EXPECT_EQ(ParseNumber<int>("-12"), -12);
  EXPECT_EQ(ParseNumber<double>("2.5e1"), 25.0);
  EXPECT_EQ(ParseNumber<std::uint8_t>("255"), 255);
  for (const char* text : {"", " 1", "1 ", "+1", "1.0", "0x1", "x"}) {
    EXPECT_EQ(ParseNumber<int>(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseNumber<std::uint8_t>("256"), std::nullopt);
  EXPECT_EQ(ParseNumber<std::uint8_t>("-1"), std::nullopt);
  EXPECT_EQ(ParseNumber<double>("1e999"), std::nullopt);
}

}  // namespace
}  // namespace sfumato::base
