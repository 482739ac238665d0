#include "bench/outside_damages.h"

#include "gtest/gtest.h"

namespace sfumato::bench {
namespace {

// A bright stroke that is not its own mirror image, on an uneven ground.
census::ImageSet Strokes(const data::ImageShape& shape) {
  census::ImageSet set{.shape = shape, .labels = {-1}};
  data::Pixels image;
  for (int y = 0; y < shape.height; ++y) {
    for (int x = 0; x < shape.width; ++x) {
      for (int c = 0; c < shape.channels; ++c) {
        const bool ink = x > 5 && x < 12 && y > 3 + x / 3;
        image.push_back(static_cast<std::uint8_t>(ink ? 230 - 3 * y : 2 * x));
      }
    }
  }
  set.images.push_back(image);
  return set;
}

TEST(OutsideDamagesTest, EachChangesImagesOfAnyShapeAndKeepsTheShape) {
  for (const data::ImageShape& shape :
       {data::ImageShape{28, 28, 1}, {16, 16, 1}, {20, 31, 3}}) {
    const census::ImageSet before = Strokes(shape);
    for (const OutsideImage& damage : OutsideImages()) {
      census::ImageSet after = before;
      base::Rng rng(1);
      damage.change(after, rng);
      EXPECT_EQ(after.images[0].size(), shape.size()) << damage.words;
      EXPECT_NE(after.images[0], before.images[0]) << damage.words;
    }
  }
}

TEST(OutsideDamagesTest, EachChangesText) {
  const std::string sentence = "the quick brown fox thanks another lazy dog .";
  for (const OutsideText& damage : OutsideTexts()) {
    base::Rng rng(1);
    const std::string after =
        damage.change(sentence, data::TextForm::kTokens, rng);
    EXPECT_NE(after, sentence) << damage.words;
    EXPECT_FALSE(after.empty()) << damage.words;
  }
}

TEST(OutsideDamagesTest, WordsAreChangedAsDescribed) {
  const auto of = [](std::string_view words, std::string_view sentence) {
    for (const OutsideText& damage : OutsideTexts()) {
      base::Rng rng(1);
      if (damage.words == words) {
        return damage.change(sentence, data::TextForm::kTokens, rng);
      }
    }
    return std::string();
  };
  EXPECT_EQ(of("words as base64", "man any a"), "bWFu YW55 YQ==");
  EXPECT_EQ(of("neighbouring words letter by letter", "an other ."),
            "aonther .");
  EXPECT_EQ(of("first letter last, and ay", "pig !"), "igpay !");
  EXPECT_EQ(of("spaces as %20", "a b"), "a % 20b");
}

}  // namespace
}  // namespace sfumato::bench
