#include "base/stroke_font.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace sfumato::base {
namespace {

TEST(StrokeFontTest, ReadsEdgesStrokesAndPenLifts) {
  // 'R' is 0: H = -10, \ = 10, F = -12, [ = 9, N = -4, V = 4.
  const auto glyphs = ParseHershey("  501  6H\\RFR[ RNRVR\n", "a.jhf");
  ASSERT_EQ(glyphs.size(), 1u);
  EXPECT_EQ(glyphs[0].number, 501);
  EXPECT_EQ(glyphs[0].left, -10);
  EXPECT_EQ(glyphs[0].right, 10);
  EXPECT_EQ(glyphs[0].strokes,
            (std::vector<Stroke>{{{0, -12}, {0, 9}}, {{-4, 0}, {4, 0}}}));
}

TEST(StrokeFontTest, JoinsLinesThatContinue) {
  const std::string whole = "12345  6H\\RFR[ RNRVR\n    8  2MWRR\n";
  // Cut inside the pen lift: its space ends the first line.
  const std::string cut = "12345  6H\\RFR[ \nRNRVR\r\n    8  2MWRR";
  const auto expected = ParseHershey(whole, "whole.jhf");
  const auto glyphs = ParseHershey(cut, "cut.jhf");
  ASSERT_EQ(glyphs.size(), 2u);
  EXPECT_EQ(glyphs[0].strokes, expected[0].strokes);
  EXPECT_EQ(glyphs[1].number, 8);
  EXPECT_EQ(glyphs[1].strokes, (std::vector<Stroke>{{{0, 0}}}));
}

TEST(StrokeFontTest, GlyphOfEdgesAloneHasNoStrokes) {
  const auto glyphs = ParseHershey("  699  1JZ\n", "space.jhf");
  ASSERT_EQ(glyphs.size(), 1u);
  EXPECT_TRUE(glyphs[0].strokes.empty());
}

TEST(StrokeFontTest, RefusesDamagedFilesWithTheLine) {
  struct Case {
    const char* name;
    std::string text;
    std::string where;
  };
  const std::string good = "  501  2H\\RF\n";
  const Case cases[] = {
      {"short line", good + "  50\n", "bad.jhf:2"},
      {"empty line", good + "\n" + good, "bad.jhf:2"},
      {"number missing", "       2H\\RF\n", "bad.jhf:1"},
      {"letters for a number", "12a45  2H\\RF\n", "bad.jhf:1"},
      {"letters for a count", "12345 x2H\\RF\n", "bad.jhf:1"},
      {"no pairs", "12345  0\n", "bad.jhf:1"},
      {"more pairs than announced", good + "12345  2H\\RFRR\n", "bad.jhf:2"},
      {"fewer pairs than announced", good + "12345  9H\\RF\n", "bad.jhf:2"},
      {"control character", "12345  2H\\R\t\n", "bad.jhf:1"},
      {"byte above ASCII", "12345  2H\\R\xe9\n", "bad.jhf:1"},
      {"space as a coordinate", "12345  2H\\ F\n", "bad.jhf:1"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    try {
      ParseHershey(c.text, "bad.jhf");
      ADD_FAILURE() << "was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
      EXPECT_EQ(error.where(), c.where);
    }
  }
}

TEST(StrokeFontTest, EveryEmbeddedFaceHasTheGlyphsOfAscii) {
  int faces = 0;
  for (const EmbeddedFile& file : HersheyFiles()) {
    if (file.name == "allographs.jhf") continue;
    ++faces;
    // From space to DEL; every letter and digit has strokes.
    const auto glyphs = HersheyFace(file.name);
    ASSERT_EQ(glyphs.size(), 96u) << file.name;
    for (char c = 'A'; c <= 'Z'; ++c) {
      EXPECT_FALSE(glyphs[c - ' '].strokes.empty()) << file.name << " " << c;
    }
  }
  EXPECT_EQ(faces, 3);
}

}  // namespace
}  // namespace sfumato::base
