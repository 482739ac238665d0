#include "data/text.h"

#include <gtest/gtest.h>
#include <wctype.h>

#include <clocale>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8.h"

namespace sfumato::data {
namespace {

using Cases = std::vector<std::pair<std::string_view, std::string_view>>;

void ExpectNormalised(const Cases& cases) {
  for (const auto& [sentence, tokens] : cases) {
    EXPECT_EQ(NormaliseText(sentence), tokens) << "of: " << sentence;
    EXPECT_EQ(NormaliseText(tokens), tokens) << "not stable: " << tokens;
  }
}

TEST(NormaliseTextTest, SeparatesTokensByOneSpace) {
  ExpectNormalised({{"", ""},
                    {"  \t\r\n ", ""},
                    {"  How\tcan  I \n", "how can i"},
                    {"Hello, world!", "hello , world !"},
                    {"(a)[b]", "( a ) [ b ]"},
                    {"what?!", "what ? !"},
                    {"wait...", "wait . . ."},
                    {"a\xC2\xA0"
                     "b\xE3\x80\x80"
                     "c",
                     "a b c"}});
}

TEST(NormaliseTextTest, KeepsMarksThatBelongInsideWords) {
  ExpectNormalised(
      {{"Don't", "don't"},
       {"the users' 'quoted' names", "the users ' ' quoted ' names"},
       {"open file.txt.", "open file.txt ."},
       {"version 3.5, i.e. new", "version 3.5 , i.e . new"},
       {"an e-mail - sent", "an e-mail - sent"},
       {"--force", "- - force"},
       {"me@site.org", "me@site.org"},
       {"1,000 at 10:30", "1,000 at 10:30"},
       {"a,b c:d 1,b b,1", "a , b c : d 1 , b b , 1"},
       {"snake_case", "snake_case"},
       {"and/or", "and / or"}});
}

TEST(NormaliseTextTest, KeepsTheNamesOfTechnicalThings) {
  ExpectNormalised({{"C++ and C#", "c++ and c#"},
                    {"(C++)", "( c++ )"},
                    {"C++11 or C#7", "c++11 or c#7"},
                    {"i++;", "i++ ;"},
                    {"a++b a+++ a+ 1++", "a + + b a + + + a + 1 + +"},
                    {"foo# #5 c#d", "foo # # 5 c # d"},
                    {"C++'s", "c++'s"},
                    {".NET, ASP.NET (.net)", ".net , asp.net ( .net )"},
                    {"..up end..next", ". . up end . . next"},
                    {".5 . .", ".5 . ."}});
}

TEST(NormaliseTextTest, ReadsTypographicMarksAsPlainOnes) {
  ExpectNormalised(
      {{"don\u2019t", "don't"},
       {"\u201Cyes\u201D", "\" yes \""},
       {"e\u2011mail \u2014 now\u2026", "e-mail \u2014 now \u2026"}});
}

TEST(NormaliseTextTest, DropsInvisibleCharactersInsideWords) {
  ExpectNormalised({{"soft\u00ADware", "software"},
                    {"\uFEFFstart", "start"},
                    {"zero\u200Bwidth", "zerowidth"},
                    {"c#\u00ADd a++\u200Bb", "c # d a + + b"},
                    {"c++\u200B11 c#\u200B", "c++11 c#"}});
}

TEST(NormaliseTextTest, SetsSymbolsApart) {
  ExpectNormalised({{"5\u20AC 2\u00D72", "5 \u20AC 2 \u00D7 2"},
                    {"ok\U0001F600\U0001F600", "ok \U0001F600 \U0001F600"},
                    {"\u3053\u3002", "\u3053 \u3002"}});
}

TEST(NormaliseTextTest, FoldsCaseBeyondAscii) {
  ExpectNormalised(
      {{"\u00C9COLE \u0141\u00F3d\u017A", "\u00E9cole \u0142\u00F3d\u017A"},
       {"\u0391\u0398\u0397\u039D\u0391", "\u03B1\u03B8\u03B7\u03BD\u03B1"},
       {"\u041C\u041E\u0421\u041A\u0412\u0410 \u0401\u0416",
        "\u043C\u043E\u0441\u043A\u0432\u0430 \u0451\u0436"}});
}

TEST(NormaliseTextTest, KeepsCaseWhenAsked) {
  EXPECT_EQ(NormaliseText("How can I, \u00C9?", {.fold_case = false}),
            "How can I , \u00C9 ?");
}

TEST(NormaliseTextTest, ReplacesIllFormedBytesByALetter) {
  ExpectNormalised({{"caf\xE9 au", "caf\uFFFD au"},
                    {"\xFF\xFE", "\uFFFD\uFFFD"},
                    {"cut \xE2\x82", "cut \uFFFD"}});
}

TEST(SplitTokensTest, ReturnsWhatStandsBetweenSpaces) {
  EXPECT_EQ(SplitTokens("how can i ?"),
            (std::vector<std::string_view>{"how", "can", "i", "?"}));
  EXPECT_EQ(SplitTokens("i\u00A0have it"),
            (std::vector<std::string_view>{"i\u00A0have", "it"}));
  EXPECT_TRUE(SplitTokens("").empty());
}

TEST(LowerCaseTest, AgreesWithTheCLibraryInItsBlocks) {
  const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  if (locale == nullptr) GTEST_SKIP() << "no locale C.UTF-8 here";
  for (char32_t c = 0; c < 0x530; ++c) {
    if (c >= 0x180 && c < 0x370) continue;
    EXPECT_EQ(LowerCase(c), towlower_l(static_cast<wint_t>(c), locale))
        << std::hex << static_cast<unsigned>(c);
  }
  freelocale(locale);
}

TEST(UpperCaseTest, UndoesLowerCase) {
  for (char32_t c = 0; c < 0x600; ++c) {
    if (LowerCase(c) == c || c == 0x130 || c == 0x3F4) continue;
    const char32_t capital = UpperCase(LowerCase(c));
    EXPECT_EQ(LowerCase(capital), LowerCase(c));
    EXPECT_NE(capital, LowerCase(c)) << std::hex << static_cast<unsigned>(c);
  }
  EXPECT_EQ(UpperCase('i'), U'I');
  EXPECT_EQ(UpperCase(U'\u00FF'), U'\u0178');
  EXPECT_EQ(UpperCase(U'\u00DF'), U'\u00DF');
}

}  // namespace
}  // namespace sfumato::data
