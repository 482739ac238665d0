#include "data/transform/image_bugs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"

namespace sfumato::data {
namespace {

constexpr ImageShape kThree{3, 3, 1};
constexpr ImageShape kFour{4, 4, 1};

const Pixels kSteps = {10, 20, 30,  //
                       40, 50, 60,  //
                       70, 80, 90};

Pixels RandomPixels(const ImageShape& shape, std::uint64_t seed) {
  base::Rng rng(seed);
  Pixels pixels(shape.size());
  for (std::uint8_t& value : pixels) {
    value = static_cast<std::uint8_t>(rng.Below(256));
  }
  return pixels;
}

TEST(ImageBugsTest, InvertTakesFrom255) {
  EXPECT_EQ(Invert({kThree, kSteps}), (Pixels{245, 235, 225,  //
                                              215, 205, 195,  //
                                              185, 175, 165}));
}

TEST(ImageBugsTest, MirrorReversesRows) {
  EXPECT_EQ(Mirror({kThree, kSteps}), (Pixels{30, 20, 10,  //
                                              60, 50, 40,  //
                                              90, 80, 70}));
}

TEST(ImageBugsTest, MirrorKeepsTheChannelsOfAPixelInOrder) {
  const Pixels two = {1, 2, 3, 4, 5, 6};  // two pixels of three channels
  EXPECT_EQ(Mirror({{1, 2, 3}, two}), (Pixels{4, 5, 6, 1, 2, 3}));
}

TEST(ImageBugsTest, RotateByQuartersIsExact) {
  const Pixels quarter = {70, 40, 10,  //
                          80, 50, 20,  //
                          90, 60, 30};
  const Pixels half = {90, 80, 70,  //
                       60, 50, 40,  //
                       30, 20, 10};
  const Pixels three_quarters = {30, 60, 90,  //
                                 20, 50, 80,  //
                                 10, 40, 70};
  const ImageView image{kThree, kSteps};
  EXPECT_EQ(Rotate(image, 90), quarter);
  EXPECT_EQ(Rotate(image, 180), half);
  EXPECT_EQ(Rotate(image, 270), three_quarters);
  EXPECT_EQ(Rotate(image, -90), three_quarters);
  EXPECT_EQ(Rotate(image, -180), half);
  EXPECT_EQ(Rotate(image, 0), kSteps);
  EXPECT_EQ(Rotate(image, 360), kSteps);
}

TEST(ImageBugsTest, RotateInterpolatesAtOtherAngles) {
  // A neighbour of the centre lands (1 - 1/√2, 1 - 1/√2) from the corner of the
  // lit pixel: 100 · 0.2929² = 8.6. The corners land outside it.
  const Pixels dot = {0, 0, 0, 0, 100, 0, 0, 0, 0};
  EXPECT_EQ(Rotate({kThree, dot}, 45), (Pixels{0, 9, 0, 9, 100, 9, 0, 9, 0}));
}

TEST(ImageBugsTest, RotateFillsFromOutsideWithBackground) {
  const Pixels row = {10, 20, 30};
  EXPECT_EQ(Rotate({{1, 3, 1}, row}, 90), (Pixels{0, 20, 0}));
  EXPECT_EQ(Rotate({{1, 3, 1}, row}, 180), (Pixels{30, 20, 10}));
}

TEST(ImageBugsTest, ShiftMovesRightAndDown) {
  const ImageView image{kThree, kSteps};
  EXPECT_EQ(Shift(image, 1, -1), (Pixels{0, 40, 50,  //
                                         0, 70, 80,  //
                                         0, 0, 0}));
  EXPECT_EQ(Shift(image, -2, 1), (Pixels{0, 0, 0,   //
                                         30, 0, 0,  //
                                         60, 0, 0}));
  EXPECT_EQ(Shift(image, 3, 0), Pixels(9, 0));
  EXPECT_EQ(Shift(image, 0, 0), kSteps);
}

TEST(ImageBugsTest, BlurTakesTheMeanOfWhatLiesInside) {
  // 90 / 4 = 22.5 in the corners, 90 / 6 beside them, 90 / 9 in the middle.
  const Pixels dot = {0, 0, 0, 0, 90, 0, 0, 0, 0};
  EXPECT_EQ(Blur({kThree, dot}, 1), (Pixels{23, 15, 23,  //
                                            15, 10, 15,  //
                                            23, 15, 23}));
  EXPECT_EQ(Blur({kThree, kSteps}, 2), Pixels(9, 50));
  EXPECT_EQ(Blur({kFour, Pixels(16, 255)}, 1), Pixels(16, 255));
}

TEST(ImageBugsTest, BlurKeepsChannelsApart) {
  const Pixels two = {0, 100, 10, 50};  // two pixels of two channels
  EXPECT_EQ(Blur({{1, 2, 2}, two}, 1), (Pixels{5, 75, 5, 75}));
}

TEST(ImageBugsTest, DeadRowsAreDark) {
  const std::vector<int> rows = {2, 0};
  EXPECT_EQ(DeadRows({kThree, kSteps}, rows), (Pixels{0, 0, 0,     //
                                                      40, 50, 60,  //
                                                      0, 0, 0}));
}

const Pixels kBlocks = {4,  8,  100, 104,  //
                        12, 16, 108, 112,  //
                        20, 24, 0,   0,    //
                        28, 32, 0,   0};

TEST(ImageBugsTest, ScaleByHalfAveragesBlocksIntoTheMiddle) {
  EXPECT_EQ(Scale({kFour, kBlocks}, 0.5), (Pixels{0, 0, 0, 0,     //
                                                  0, 10, 106, 0,  //
                                                  0, 26, 0, 0,    //
                                                  0, 0, 0, 0}));
}

TEST(ImageBugsTest, ScaleByAQuarterLooksAtEveryPixel) {
  // Each block of four fills a quarter of a new pixel: its sum over 16.
  EXPECT_EQ(Scale({kFour, kBlocks}, 0.25), (Pixels{0, 0, 0, 0,   //
                                                   0, 3, 27, 0,  //
                                                   0, 7, 0, 0,   //
                                                   0, 0, 0, 0}));
}

TEST(ImageBugsTest, ScaleByTwoInterpolatesTheMiddle) {
  // Pixel x comes from 1.5 + (x - 1.5) / 2: 0.75, 1.25, 1.75, 2.25.
  const Pixels ramp = {0, 40, 80, 120, 0, 40, 80, 120,
                       0, 40, 80, 120, 0, 40, 80, 120};
  EXPECT_EQ(Scale({kFour, ramp}, 2), (Pixels{30, 50, 70, 90, 30, 50, 70, 90, 30,
                                             50, 70, 90, 30, 50, 70, 90}));
  EXPECT_EQ(Scale({kFour, ramp}, 1), ramp);
}

TEST(ImageBugsTest, StuckShowsThePatchOfTheHeldImage) {
  const Pixels held = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const Patch patch{.left = 1, .top = 0, .width = 2, .height = 2};
  EXPECT_EQ(Stuck({kThree, kSteps}, {kThree, held}, patch),
            (Pixels{10, 2, 3,  //
                    40, 5, 6,  //
                    70, 80, 90}));
}

TEST(ImageBugsTest, SaltAndPepperTurnsTheShareBlackAndWhiteAlike) {
  // 10,000 pixels at 0.3: deviation 46 for all, 36 for one colour. Bounds of
  // six deviations raise a false alarm below once in 1e8.
  const ImageShape shape{100, 100, 1};
  const Pixels grey(shape.size(), 100);
  base::Rng rng(11);
  const Pixels noisy = SaltAndPepper({shape, grey}, 0.3, rng);
  EXPECT_NEAR(std::ranges::count(noisy, 100), 7000, 275);
  EXPECT_NEAR(std::ranges::count(noisy, 0), 1500, 215);
  EXPECT_NEAR(std::ranges::count(noisy, 255), 1500, 215);
}

TEST(ImageBugsTest, SaltAndPepperTurnsWholePixels) {
  const ImageShape shape{8, 8, 3};
  const Pixels grey(shape.size(), 100);
  base::Rng rng(3);
  EXPECT_EQ(SaltAndPepper({shape, grey}, 0, rng), grey);
  const Pixels noisy = SaltAndPepper({shape, grey}, 1, rng);
  for (std::size_t i = 0; i < noisy.size(); i += 3) {
    EXPECT_TRUE(noisy[i] == 0 || noisy[i] == 255);
    EXPECT_EQ(noisy[i], noisy[i + 1]);
    EXPECT_EQ(noisy[i], noisy[i + 2]);
  }
}

TEST(ImageBugsTest, InvertAndMirrorUndoThemselves) {
  for (const ImageShape shape :
       {ImageShape{5, 4, 1}, ImageShape{4, 7, 3}, ImageShape{28, 28, 1}}) {
    const Pixels pixels = RandomPixels(shape, 1);
    EXPECT_EQ(Invert({shape, Invert({shape, pixels})}), pixels);
    EXPECT_EQ(Mirror({shape, Mirror({shape, pixels})}), pixels);
    EXPECT_EQ(Rotate({shape, Rotate({shape, pixels}, 180)}, 180), pixels);
  }
}

TEST(ImageBugsTest, FourQuarterTurnsChangeNothing) {
  for (const ImageShape shape : {ImageShape{5, 5, 1}, ImageShape{28, 28, 3}}) {
    const Pixels pixels = RandomPixels(shape, 2);
    Pixels turned = pixels;
    for (int i = 0; i < 4; ++i) turned = Rotate({shape, turned}, 90);
    EXPECT_EQ(turned, pixels);
  }
}

// The catalogue's entry, run on one image of a user.
Pixels OnDevice(const std::string& name, const BugValues& values,
                std::uint64_t user, std::uint64_t image, const ImageView& view,
                const ImageView& first) {
  for (const ImageBug& bug : ImageBugs()) {
    if (bug.info.name == name) {
      return bug.apply(view, values,
                       {.first = first,
                        .device = base::Rng(1, {user}),
                        .image = base::Rng(2, {user, image})});
    }
  }
  ADD_FAILURE() << "no bug " << name;
  return {};
}

TEST(ImageBugsTest, DeadRowsBelongToTheDevice) {
  const ImageShape shape{28, 2, 1};
  const Pixels white(shape.size(), 255);
  const ImageView view{shape, white};
  const BugValues values = {{"rows", 5}, {"first", -1}};
  const auto dead = [&](std::uint64_t user, std::uint64_t image) {
    return OnDevice("dead_rows", values, user, image, view, view);
  };
  EXPECT_EQ(std::ranges::count(dead(1, 0), 0), 10);
  EXPECT_EQ(dead(1, 0), dead(1, 1));
  EXPECT_NE(dead(1, 0), dead(2, 0));
}

TEST(ImageBugsTest, DeadRowsBeginWhereAsked) {
  const ImageView view{kThree, kSteps};
  EXPECT_EQ(
      OnDevice("dead_rows", {{"rows", 2}, {"first", 1}}, 0, 0, view, view),
      (Pixels{10, 20, 30, 0, 0, 0, 0, 0, 0}));
}

TEST(ImageBugsTest, AWhollyStuckSensorRepeatsTheFirstImage) {
  const Pixels first = RandomPixels(kThree, 5);
  EXPECT_EQ(OnDevice("stuck", {{"size", 1}, {"value", -1}}, 0, 3,
                     {kThree, kSteps}, {kThree, first}),
            first);
}

TEST(ImageBugsTest, AStuckPatchIsOfOneSizeAndOnePlaceADevice) {
  const ImageShape shape{8, 8, 1};
  const Pixels black(shape.size(), 0);
  const ImageView view{shape, black};
  const auto stuck = [&](std::uint64_t user, std::uint64_t image) {
    return OnDevice("stuck", {{"size", 0.25}, {"value", 200}}, user, image,
                    view, view);
  };
  EXPECT_EQ(std::ranges::count(stuck(1, 0), 200), 4);
  EXPECT_EQ(stuck(1, 0), stuck(1, 1));
  EXPECT_NE(stuck(1, 0), stuck(2, 0));
}

}  // namespace
}  // namespace sfumato::data
