#include "census/voter/mark_network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"

namespace sfumato::census {
namespace {

// A network by hand: two features, two hidden units, one mark.
//   h = relu((x - 1) / 2 [1, -1; 0, 1] + [0, 1]),  logit = h [2; 3] - 1
TEST(MarkNetworkTest, IsTheFormulaByHand) {
  const MarkNetwork network{.centre = {1, 1},
                            .scale = {2, 2},
                            .in = {1, -1, 0, 1},
                            .in_bias = {0, 1},
                            .out = {2, 3},
                            .out_bias = {-1}};
  // x = (5, 3): scaled (2, 1); hidden (2, -2 + 1 + 1) = (2, 0); 4 - 1.
  EXPECT_FLOAT_EQ(network.Logits({5, 3})[0], 3);
  // x = (-1, 1): scaled (-1, 0); hidden (-1, 2) -> (0, 2); 6 - 1.
  EXPECT_FLOAT_EQ(network.Logits({-1, 1})[0], 5);
  // Far out is cut to 6: hidden (6, 0); 12 - 1.
  EXPECT_FLOAT_EQ(network.Logits({1e9, 1})[0], 11);
}

TEST(MarkNetworkTest, LearnsMarksThatNeedAHiddenLayer) {
  base::Rng rng(3);
  std::vector<std::vector<float>> rows;
  std::vector<std::vector<float>> marks;
  for (int i = 0; i < 4000; ++i) {
    const auto x = static_cast<float>(rng.Normal());
    const auto y = static_cast<float>(rng.Normal());
    rows.push_back({x, y});
    marks.push_back({x * y > 0 ? 1.0F : 0.0F, x > 0 ? 1.0F : 0.0F});
  }
  const MarkNetwork network = TrainMarks(rows, marks, {.hidden = 16});
  EXPECT_GT(network.Logits({1.5, 1.5})[0], 0);
  EXPECT_LT(network.Logits({1.5, -1.5})[0], 0);
  EXPECT_GT(network.Logits({-1.5, -1.5})[0], 0);
  EXPECT_GT(network.Logits({1, 0})[1], 0);
  EXPECT_LT(network.Logits({-1, 0})[1], 0);
  // The same rows and seed give the same network.
  EXPECT_EQ(TrainMarks(rows, marks, {.hidden = 16}).in, network.in);
}

}  // namespace
}  // namespace sfumato::census
