#include "report/terminal_picture.h"

#include <algorithm>

#include "gtest/gtest.h"

namespace sfumato::report {
namespace {

TEST(TerminalPictureTest, AHalfBlockIsTwoPixelsOneAboveTheOther) {
  // White over black, then black over the grey of 128: 232 + (128 - 8) / 10.
  const base::Image image{2, 2, 1, {255, 0, 0, 128}};
  EXPECT_EQ(TerminalPicture(image),
            "\x1b[38;5;231m\x1b[48;5;16m▀"
            "\x1b[38;5;16m\x1b[48;5;244m▀\x1b[0m\n");
}

TEST(TerminalPictureTest, AColourIsSaidOnceForAsLongAsItLasts) {
  EXPECT_EQ(TerminalPicture(base::BlankImage(3, 2, 1, 0)),
            "\x1b[38;5;16m\x1b[48;5;16m▀▀▀\x1b[0m\n");
}

TEST(TerminalPictureTest, ColoursAreTheNearestOfTheCube) {
  // Red, and (95, 135, 175), which is the cube's (1, 2, 3): 16 + 36 + 12 + 3.
  const base::Image image{1, 2, 3, {255, 0, 0, 95, 135, 175}};
  EXPECT_EQ(TerminalPicture(image), "\x1b[38;5;196m\x1b[48;5;67m▀\x1b[0m\n");
}

TEST(TerminalPictureTest, ALastRowAloneStandsOnTheTerminalsOwnBackground) {
  EXPECT_EQ(TerminalPicture(base::BlankImage(1, 3, 1, 255)),
            "\x1b[38;5;231m\x1b[48;5;231m▀\x1b[0m\n"
            "\x1b[38;5;231m\x1b[49m▀\x1b[0m\n");
}

TEST(TerminalPictureTest, WithoutColourLighterIsDenser) {
  // Means of the columns: 0, 127.5, 255.
  const base::Image image{3, 2, 1, {0, 255, 255, 0, 0, 255}};
  EXPECT_EQ(TerminalPicture(image, {.colour = false}), " =@\n");
  EXPECT_EQ(TerminalPicture(image, {.utf8 = false}), " =@\n");
}

TEST(TerminalPictureTest, WidePicturesAreMadeSmallerAndEmptyOnesAreNothing) {
  const std::string text = TerminalPicture(base::BlankImage(100, 40, 1, 255),
                                           {.columns = 50, .colour = false});
  EXPECT_EQ(std::ranges::count(text, '\n'), 10);
  EXPECT_EQ(text.substr(0, 51), std::string(50, '@') + "\n");
  EXPECT_EQ(TerminalPicture({}), "");
  EXPECT_EQ(TerminalPicture(base::BlankImage(1000, 1, 1, 255),
                            {.columns = 4, .colour = false}),
            "@@@@\n");
}

}  // namespace
}  // namespace sfumato::report
