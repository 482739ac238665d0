#include "eval/image_measures.h"

#include "eval/eval_testing.h"
#include "gtest/gtest.h"

namespace sfumato::eval {
namespace {

const runs::Measure& Find(const std::vector<runs::Measure>& all,
                          const std::string& key) {
  for (const runs::Measure& measure : all) {
    if (measure.key == key) return measure;
  }
  throw std::out_of_range(key);
}

TEST(ImageMeasuresTest, SetTheSidesBesideTheFloor) {
  // Black and white images: brightness is known.
  const auto flat = [](double level) {
    return at::full({30, 8, 8, 1}, 2 * level - 1);
  };
  const std::vector<runs::Measure> all =
      ImageMeasures(LineUp({"a1", "a2"}, {"b1", "b2"}),
                    {flat(0.1), flat(0.2), flat(0.8), flat(0.9)}, nullptr);
  const runs::Measure& brightness = Find(all, "brightness");
  EXPECT_NEAR(brightness.a, 0.15, 1e-6);
  EXPECT_NEAR(brightness.b, 0.85, 1e-6);
  EXPECT_NEAR(brightness.floor, 0.1, 1e-6);
  EXPECT_EQ(brightness.verdict, runs::Verdict::kDiffers);
  EXPECT_EQ(Find(all, "edges").verdict, runs::Verdict::kSame);
}

TEST(ImageMeasuresTest, AFloorAsLargeAsTheDifferenceIsNoFinding) {
  const auto flat = [](double level) {
    return at::full({30, 8, 8, 1}, 2 * level - 1);
  };
  Lineup lineup = LineUp({"a1"}, {"b1"});
  lineup.alike = {{0, 1}};
  const std::vector<runs::Measure> all =
      ImageMeasures(lineup, {flat(0.3), flat(0.4)}, nullptr);
  EXPECT_EQ(Find(all, "brightness").verdict, runs::Verdict::kSame);
}

TEST(ImageMeasuresTest, AJudgeSeesTheMixOfClasses) {
  // One pixel, two classes: bright is class 1.
  Judge judge{.model = models::Stack({2, 2, 1}, {models::Dense{.outputs = 2}}),
              .params = at::zeros({1, 10}),
              .classes = {"dark", "light"}};
  judge.params[0][1] = 20;   // weight of the first pixel for class 1
  judge.params[0][9] = -10;  // its bias
  const auto mix = [](std::int64_t light) {
    at::Tensor images = at::full({40, 2, 2, 1}, -1.0);
    images.narrow(0, 0, light).fill_(1);
    return images;
  };
  const std::vector<runs::Measure> all =
      ImageMeasures(LineUp({"a1"}, {"b1"}), {mix(10), mix(30)}, &judge);
  EXPECT_NEAR(Find(all, "class_mix").b, 0.5, 1e-6);
  EXPECT_EQ(Find(all, "class_mix").verdict, runs::Verdict::kCannotSay);
}

}  // namespace
}  // namespace sfumato::eval
