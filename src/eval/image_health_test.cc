#include "eval/image_health.h"

#include "eval/eval_testing.h"
#include "gtest/gtest.h"

namespace sfumato::eval {
namespace {

runs::Health Of(const at::Tensor& images) {
  return ImageHealthOf("a1", images, nullptr);
}

TEST(ImageHealthTest, VariedImagesAreWellWhateverTheirPipelineDid) {
  const at::Tensor images = Handwritten(1, 0, 80);
  for (const char* key : {"invert", "mirror"}) {
    EXPECT_TRUE(Of(Broken(key)(images)).usable) << key;
  }
  EXPECT_TRUE(Of(images).usable);
  EXPECT_TRUE(Of(Broken("blur", {3})(images)).usable);
  EXPECT_TRUE(Of(Broken("salt_pepper", {0.2})(images)).usable);
  EXPECT_TRUE(Of(Broken("scale", {0.5})(images)).usable);
  EXPECT_EQ(Of(images).words, "draws varied images");
}

TEST(ImageHealthTest, OneImageOverAndOverIsACollapse) {
  const at::Tensor one = Handwritten(1, 0, 1).repeat({60, 1, 1, 1});
  const runs::Health found = Of(WithHand(one, 3, 1));
  EXPECT_TRUE(found.collapsed);
  EXPECT_FALSE(found.usable);
}

TEST(ImageHealthTest, AFewImagesOverAndOverAreACollapse) {
  const at::Tensor four = Handwritten(1, 0, 4).repeat({20, 1, 1, 1});
  EXPECT_TRUE(Of(four).collapsed);
  EXPECT_EQ(Of(four).words, "draws about 4 images over and over");
}

TEST(ImageHealthTest, NoiseAndGreyAreNothingLearned) {
  at::manual_seed(2);
  EXPECT_FALSE(Of(at::rand({60, 28, 28, 1}) * 2 - 1).usable);
  EXPECT_FALSE(Of(at::randn({60, 28, 28, 1}) * 0.02).usable);
}

TEST(ImageHealthTest, SomeBlankImagesAreNoCollapse) {
  const at::Tensor images = Handwritten(1, 0, 60);
  EXPECT_TRUE(Of(at::cat({images, at::full_like(images, -1)})).usable);
}

}  // namespace
}  // namespace sfumato::eval
