#include "data/generate/glyph_set.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace sfumato::data {
namespace {

TEST(SmoothTest, CutsAStraightLineIntoEqualSteps) {
  EXPECT_EQ(Smooth({{0, 0}, {0, 4}}, 1.0f),
            (Stroke{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}}));
}

TEST(SmoothTest, KeepsCorners) {
  for (const Point& p : Smooth({{0, 0}, {0, 4}, {4, 4}}, 0.5f)) {
    EXPECT_TRUE(p.x == 0 || p.y == 4) << p.x << " " << p.y;
  }
}

TEST(SmoothTest, RoundsAClosedOctagonTowardsItsCircle) {
  const float h = 7.0710678f;  // 10 / sqrt 2
  const Stroke octagon = {{10, 0},  {h, h},   {0, 10}, {-h, h}, {-10, 0},
                          {-h, -h}, {0, -10}, {h, -h}, {10, 0}};
  // The octagon's own sides come as near as 9.24 to the middle.
  for (const Point& p : Smooth(octagon, 0.5f)) {
    EXPECT_NEAR(std::sqrt(p.x * p.x + p.y * p.y), 10.0f, 0.15f);
  }
}

TEST(SmoothTest, RepeatedAndSinglePointsDoNoHarm) {
  EXPECT_EQ(Smooth({{1, 2}}, 1.0f), (Stroke{{1, 2}}));
  EXPECT_EQ(Smooth({{1, 2}, {1, 2}}, 1.0f), (Stroke{{1, 2}}));
  EXPECT_EQ(Smooth({{0, 0}, {0, 0}, {0, 1}, {0, 1}}, 1.0f),
            (Stroke{{0, 0}, {0, 1}}));
}

TEST(GlyphSetTest, EveryCharacterCanBeWrittenInEveryManner) {
  const GlyphSet glyphs;
  ASSERT_EQ(kCharacters.size(), 62u);
  for (int label = 0; label < 62; ++label) {
    std::set<Manner> manners;
    for (const Allograph& a : glyphs.allographs(label)) {
      manners.insert(a.manner);
    }
    EXPECT_EQ(manners.size(), static_cast<std::size_t>(kManners))
        << kCharacters[label];
  }
}

TEST(GlyphSetTest, ShapesAreCentredAndNoLargerThanAPage) {
  const GlyphSet glyphs;
  for (int label = 0; label < 62; ++label) {
    for (const Allograph& a : glyphs.allographs(label)) {
      SCOPED_TRACE(kCharacters[label]);
      float left = 0, right = 0, top = 0, bottom = 0;
      for (const Stroke& stroke : a.strokes) {
        for (const Point& p : stroke) {
          left = std::min(left, p.x);
          right = std::max(right, p.x);
          top = std::min(top, p.y);
          bottom = std::max(bottom, p.y);
        }
      }
      EXPECT_NEAR(left, -right, 1e-3);
      EXPECT_NEAR(top, -bottom, 1e-3);
      // An x is 14 units high; a script J, which has both loops, 34.
      EXPECT_GT(bottom - top, 8);
      EXPECT_LT(bottom - top, 36);
    }
  }
}

}  // namespace
}  // namespace sfumato::data
