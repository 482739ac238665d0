#include "eval/contrast.h"

#include "base/error.h"
#include "eval/eval_testing.h"
#include "gtest/gtest.h"

namespace sfumato::eval {
namespace {

using runs::Verdict;

TEST(CompareTest, SidesOfOnePopulationAreTheSame) {
  const Compared compared = Compare(Stage({}));
  const runs::Contrast& contrast = compared.contrast;
  EXPECT_EQ(contrast.verdict, Verdict::kSame) << contrast.reason;
  EXPECT_FALSE(contrast.hypotheses.front().supported);
  EXPECT_FALSE(compared.transformed.defined());
  EXPECT_EQ(contrast.floor_source, "twins");
  EXPECT_EQ(contrast.health.size(), 4);
  EXPECT_EQ(contrast.map.size(), 300);
}

struct Bug {
  std::string key;
  Values values = {};
  double share = 1;
  double hands = 0;
};

class FindsTest : public testing::TestWithParam<Bug> {};

TEST_P(FindsTest, TheBugAndHowManyItTouched) {
  const Bug& bug = GetParam();
  const Compared compared = Compare(Stage({.seed = 2,
                                           .hands = bug.hands,
                                           .bug = Broken(bug.key, bug.values),
                                           .share = bug.share}));
  const runs::Contrast& contrast = compared.contrast;
  ASSERT_EQ(contrast.verdict, Verdict::kDiffers) << contrast.reason;
  const runs::Hypothesis& best = contrast.hypotheses.front();
  EXPECT_EQ(best.key, bug.key) << best.words;
  EXPECT_TRUE(best.supported);
  EXPECT_NEAR(best.affected, bug.share, 0.16);
  EXPECT_GT(best.explained.low, best.floor);
  EXPECT_GE(best.explained.value, best.explained.low);
  // Rows a, T(a), b of ten, and a's images through it.
  const base::Image& picture = compared.pictures.at(best.picture);
  EXPECT_EQ(picture.width, 10 * 56 + 11 * 2);
  EXPECT_EQ(picture.height, 3 * 56 + 4 * 2);
  EXPECT_EQ(compared.transformed.size(0), 240);
}

INSTANTIATE_TEST_SUITE_P(
    Bugs, FindsTest,
    testing::Values(Bug{"invert"}, Bug{"invert", {}, 0.6},
                    Bug{"rotate", {90}, 0.6},
                    Bug{"dead_rows", {9, 10, 11, 12, 13, 14}, 0.6},
                    Bug{"blur", {2}, 0.6},
                    // Each model with a distortion of its own.
                    Bug{"invert", {}, 0.6, 0.6}),
    [](const testing::TestParamInfo<Bug>& bug) {
      return bug.param.key + "_" + std::to_string(bug.index);
    });

TEST(CompareTest, FindsMirroredLettersThatDifferLittle) {
  const runs::Contrast contrast =
      Compare(Stage({.images = 300, .bug = Broken("mirror")})).contrast;
  ASSERT_EQ(contrast.verdict, Verdict::kDiffers) << contrast.reason;
  EXPECT_EQ(contrast.hypotheses.front().key, "mirror");
  EXPECT_NEAR(contrast.hypotheses.front().affected, 1, 0.16);
}

TEST(CompareTest, TrainingsThatDifferAreNoFinding) {
  const runs::Contrast contrast =
      Compare(Stage({.seed = 101, .images = 90, .hands = 1})).contrast;
  EXPECT_NE(contrast.verdict, Verdict::kDiffers) << contrast.sentence;
  EXPECT_FALSE(contrast.hypotheses.front().supported);
}

TEST(CompareTest, CollapsedModelsCannotBeCompared) {
  CompareOptions options = Stage({.images = 40});
  at::Tensor& images = options.b[0].images;
  images = images.narrow(0, 0, 1).repeat({40, 1, 1, 1});
  const runs::Contrast contrast = Compare(options).contrast;
  EXPECT_EQ(contrast.verdict, Verdict::kCannotSay);
  EXPECT_TRUE(contrast.health[2].collapsed);
  EXPECT_NE(contrast.reason.find("b1"), std::string::npos);
  EXPECT_TRUE(contrast.hypotheses.empty());
}

TEST(CompareTest, NoiseInColourCannotBeCompared) {
  CompareOptions options;
  at::manual_seed(4);
  for (auto* side : {&options.a, &options.b}) {
    for (int i = 0; i < 2; ++i) {
      side->push_back(
          {.model = "noise", .images = at::rand({30, 32, 32, 3}) * 2 - 1});
    }
  }
  EXPECT_EQ(Compare(options).contrast.verdict, Verdict::kCannotSay);
}

TEST(CompareTest, WithoutTwinsEarlierRoundsAreTheFloor) {
  CompareOptions options = Stage({.images = 60, .bug = Broken("invert")});
  for (auto* side : {&options.a, &options.b}) {
    (*side)[0].earlier = {(*side)[1].images};
    side->pop_back();
  }
  const runs::Contrast contrast = Compare(options).contrast;
  EXPECT_EQ(contrast.floor_source, "checkpoints");
  EXPECT_FALSE(contrast.warnings.empty());
  EXPECT_EQ(contrast.verdict, Verdict::kDiffers) << contrast.reason;
  EXPECT_EQ(contrast.hypotheses.front().key, "invert");
}

TEST(CompareTest, WithoutAFloorNothingIsSupported) {
  const runs::Contrast contrast =
      Compare(Stage({.images = 40, .bug = Broken("invert"), .twins = false}))
          .contrast;
  EXPECT_EQ(contrast.floor_source, "none");
  EXPECT_EQ(contrast.verdict, Verdict::kCannotSay);
  EXPECT_FALSE(contrast.hypotheses.front().supported);
}

TEST(CompareTest, RefusesWhatCannotBeCompared) {
  EXPECT_THROW(Compare({}), Error);
  CompareOptions few = Stage({.images = 20, .twins = false});
  few.b[0].images = few.b[0].images.narrow(0, 0, 19);
  EXPECT_THROW(Compare(few), Error);
  CompareOptions other = Stage({.images = 20, .twins = false});
  other.b[0].images = at::zeros({20, 32, 32, 3});
  EXPECT_THROW(Compare(other), Error);
  CompareOptions broken = Stage({.images = 20, .twins = false});
  broken.b[0].images[3][4][5][0] = std::nan("");
  EXPECT_THROW(Compare(broken), Error);
}

}  // namespace
}  // namespace sfumato::eval
