#include "eval/hypotheses.h"

#include <set>

#include "data/transform/bugs.h"
#include "eval/eval_testing.h"
#include "gtest/gtest.h"
#include "runs/sweep.h"

namespace sfumato::eval {
namespace {

// 1 × 2 × 3 × 1: rows (0, 51, 102) and (153, 204, 255) of 255.
at::Tensor SmallImage() {
  return (at::arange(6, at::kFloat) * 51 / 127.5 - 1).view({1, 2, 3, 1});
}

std::vector<int> Levels(const at::Tensor& images) {
  const at::Tensor bytes = ((images + 1) * 127.5).round().flatten();
  std::vector<int> levels;
  for (std::int64_t i = 0; i < bytes.numel(); ++i) {
    levels.push_back(bytes[i].item<int>());
  }
  return levels;
}

using Ints = std::vector<int>;

TEST(ChangesTest, DoToPixelsWhatTheyAreNamedAfter) {
  const at::Tensor image = SmallImage();
  const auto after = [&](const std::string& key, Values values = {}) {
    return Levels(Broken(key, values)(image));
  };
  EXPECT_EQ(after("invert"), (Ints{255, 204, 153, 102, 51, 0}));
  EXPECT_EQ(after("mirror"), (Ints{102, 51, 0, 255, 204, 153}));
  EXPECT_EQ(after("flip"), (Ints{153, 204, 255, 0, 51, 102}));
  EXPECT_EQ(after("rotate", {180}), (Ints{255, 204, 153, 102, 51, 0}));
  EXPECT_EQ(after("shift", {1, 0}), (Ints{0, 0, 51, 0, 153, 204}));
  EXPECT_EQ(after("dead_rows", {0}), (Ints{0, 0, 0, 153, 204, 255}));
  EXPECT_EQ(after("dead_columns", {1}), (Ints{0, 0, 102, 153, 0, 255}));
  EXPECT_EQ(after("contrast", {2}), (Ints{0, 102, 204, 255, 255, 255}));
  EXPECT_EQ(after("washed_out", {0.5}), (Ints{128, 153, 179, 204, 230, 255}));
  EXPECT_EQ(after("blank", {1}), Ints(6, 255));
  EXPECT_EQ(after("stuck", {1, 0, 2, 1, 255}),
            (Ints{0, 255, 255, 153, 204, 255}));
}

TEST(ChangesTest, FitImagesOfAnySizeAndColour) {
  for (const at::Tensor& images :
       {at::rand({6, 32, 32, 3}) * 2 - 1, at::rand({6, 20, 28, 1}) * 2 - 1}) {
    const Observed good{.images = Rounded(images)};
    const Observed bad{.images = Rounded(images.flip({1}) * 0.5 - 0.3)};
    for (const Change& change : Changes()) {
      for (const Values& values : change.first(good, bad)) {
        const at::Tensor changed = change.apply(good.images, values, 1);
        ASSERT_EQ(changed.sizes(), images.sizes()) << change.key;
        EXPECT_LE(changed.abs().max().item<float>(), 1.0001F) << change.key;
        EXPECT_FALSE(change.words(values, {}).empty());
      }
    }
  }
}

TEST(ChangesTest, HaveKeysAndCausesOfTheirOwn) {
  std::set<std::string> keys;
  for (const Change& change : Changes()) {
    EXPECT_TRUE(keys.insert(change.key).second) << change.key;
    EXPECT_FALSE(change.cause.empty());
    EXPECT_NE(static_cast<bool>(change.apply), static_cast<bool>(change.weigh));
  }
}

TEST(ChangesTest, SwapRedAndBlueOnlyWhereThereIsColour) {
  const auto channels = [](std::int64_t count) {
    const Observed seen{.images = at::zeros({4, 8, 8, count})};
    for (const Change& change : Changes()) {
      if (change.key == "channels") return change.first(seen, seen).size();
    }
    return std::size_t{99};
  };
  EXPECT_EQ(channels(1), 0);
  EXPECT_EQ(channels(3), 1);
}

TEST(ChangesTest, TakeClassesOutOrInOtherNumbers) {
  // Class 1 is half of the good ones and none of the bad.
  const Observed good{.images = at::zeros({4, 2, 2, 1}),
                      .classes = at::tensor({0, 1, 1, 2}, at::kLong),
                      .kinds = 3};
  const Observed bad{.images = at::zeros({4, 2, 2, 1}),
                     .classes = at::tensor({0, 0, 2, 2}, at::kLong),
                     .kinds = 3};
  for (const Change& change : Changes()) {
    if (!change.weigh) continue;
    const std::vector<Values> values = change.first(good, bad);
    ASSERT_FALSE(values.empty()) << change.key;
    const at::Tensor weights = change.weigh(good.classes, values.front());
    if (change.key == "class_missing") {
      EXPECT_EQ(change.words(values.front(), {"a", "b", "c"}), "without 'b'");
      EXPECT_TRUE(weights.equal(at::tensor({1.0, 0.0, 0.0, 1.0}, at::kDouble)));
    } else {
      // Counts (1, 2, 1) + ⅓ become (2, 0, 2) + ⅓.
      EXPECT_NEAR(weights[0].item<double>(), 7.0 / 4, 1e-9);
      EXPECT_NEAR(weights[1].item<double>(), 1.0 / 7, 1e-9);
    }
  }
}

TEST(ChangesTest, NameRowsAsPeopleDo) {
  for (const Change& change : Changes()) {
    if (change.key == "dead_rows") {
      EXPECT_EQ(change.words({2, 3, 4, 8}, {}), "with dead rows 3–5, 9");
      EXPECT_EQ(change.words({-1, 6}, {}), "with 6 dead rows, scattered");
    }
    if (change.key == "rotate") {
      EXPECT_EQ(change.words({270}, {}), "turned by 90° counter-clockwise");
    }
    if (change.key == "shift") {
      EXPECT_EQ(change.words({-4, 2}, {}), "moved (pixels: 4 left, 2 down)");
    }
  }
}

// A sweep asks whether the bug that was put there is the one that was named.
TEST(ChangesTest, EveryBugOfImagesHasItsHypothesis) {
  std::set<std::string> keys;
  for (const Change& change : Changes()) keys.insert(change.key);
  int bugs = 0;
  for (const data::BugInfo& bug : data::BugCatalogue()) {
    if (bug.kind != data::Kind::kImages) continue;
    EXPECT_TRUE(keys.contains(runs::HypothesisFor(bug.name))) << bug.name;
    ++bugs;
  }
  EXPECT_GE(bugs, 9);
}

}  // namespace
}  // namespace sfumato::eval
