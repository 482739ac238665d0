#include "base/image.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace sfumato::base {
namespace {

using Pixels = std::vector<std::uint8_t>;

TEST(PngTest, GivesBackGreyAndColour) {
  const Image grey{2, 1, 1, {0, 200}};
  EXPECT_EQ(DecodePng(EncodePng(grey), "x").pixels, grey.pixels);
  const Image colour{1, 2, 3, {1, 2, 3, 250, 251, 252}};
  const Image back = DecodePng(EncodePng(colour), "x");
  EXPECT_EQ(back.channels, 3);
  EXPECT_EQ(back.height, 2);
  EXPECT_EQ(back.pixels, colour.pixels);
}

TEST(PngTest, RefusesEveryTruncation) {
  const std::string whole = EncodePng(BlankImage(9, 7, 1, 33));
  for (std::size_t size = 0; size + 12 < whole.size(); ++size) {
    EXPECT_THROW(DecodePng(whole.substr(0, size), "x"), Error) << size;
  }
}

TEST(PngTest, RefusesNonsenseAndHugePictures) {
  EXPECT_THROW(DecodePng("not a picture", "x"), Error);
  // The width of the header chunk is bytes 16 to 19; its checksum is then
  // wrong too, and either reason to refuse will do.
  std::string huge = EncodePng(BlankImage(1, 1, 1, 0));
  huge[16] = 0x7f;
  EXPECT_THROW(DecodePng(huge, "x"), Error);
}

TEST(ResizeTest, ShrinksByAreaAndGrowsBetweenCentres) {
  const Image square{2, 2, 1, {0, 100, 200, 100}};
  EXPECT_EQ(Resize(square, 1, 1).pixels, (Pixels{100}));
  // Thirds: the first target pixel covers one and a half source pixels.
  EXPECT_EQ(Resize({3, 1, 1, {0, 90, 30}}, 2, 1).pixels, (Pixels{30, 50}));
  // Centres of the four target pixels lie at -1/4 (clamped), 1/4, 3/4, 5/4.
  EXPECT_EQ(Resize({2, 1, 1, {0, 100}}, 4, 1).pixels, (Pixels{0, 25, 75, 100}));
  EXPECT_EQ(Resize({1, 1, 1, {7}}, 3, 2).pixels, Pixels(6, 7));
  EXPECT_EQ(Resize(square, 2, 2).pixels, square.pixels);
}

TEST(ImageGridTest, LaysCellsSideBySideWithGaps) {
  const std::vector<Image> cells = {
      {1, 1, 1, {10}}, {1, 1, 1, {20}}, {1, 1, 1, {30}}};
  const Image grid =
      ImageGrid(cells, {.columns = 2, .scale = 1, .gap = 1, .background = 0});
  EXPECT_EQ(grid.width, 5);
  EXPECT_EQ(grid.height, 5);
  EXPECT_EQ(grid.pixels, (Pixels{0, 0,  0, 0,  0,  //
                                 0, 10, 0, 20, 0,  //
                                 0, 0,  0, 0,  0,  //
                                 0, 30, 0, 0,  0,  //
                                 0, 0,  0, 0,  0}));
}

TEST(ImageGridTest, EnlargesCellsAndMakesGreyOnesColourBesideColour) {
  const std::vector<Image> cells = {{1, 1, 3, {1, 2, 3}}, {1, 1, 1, {9}}};
  const Image grid =
      ImageGrid(cells, {.columns = 2, .scale = 2, .gap = 0, .background = 0});
  EXPECT_EQ(grid.pixels, (Pixels{1, 2, 3, 1, 2, 3, 9, 9, 9, 9, 9, 9,  //
                                 1, 2, 3, 1, 2, 3, 9, 9, 9, 9, 9, 9}));
}

}  // namespace
}  // namespace sfumato::base
