#include "eval/image_features.h"

#include <cmath>

#include "eval/eval_testing.h"
#include "gtest/gtest.h"

namespace sfumato::eval {
namespace {

// Left half dark, right half light: one upright edge.
at::Tensor UprightEdge() {
  at::Tensor image = at::full({1, 8, 8, 1}, -1.0);
  image.narrow(2, 4, 4).fill_(1);
  return image;
}

TEST(FiguresTest, MatchOneEdgeByHand) {
  const at::Tensor figures = FiguresOf(UprightEdge())[0];
  const auto figure = [&](int i) { return figures[i].item<double>(); };
  EXPECT_NEAR(figure(0), 0.5, 1e-6);      // brightness
  EXPECT_NEAR(figure(1), 0.5, 1e-6);      // deviation of halves 0 and 1
  EXPECT_NEAR(figure(2), 1.0 / 7, 1e-6);  // one of seven steps is an edge of 1
  // Steps across: mean square 1 / 7; down: none.
  EXPECT_NEAR(figure(3), std::sqrt(1.0 / 7) / 0.52, 1e-5);
  // Second steps across: +1 and −1 of six.
  EXPECT_NEAR(figure(4), (2.0 / 6) / (1.0 / 7), 1e-4);
  EXPECT_NEAR(figure(5), 0.5, 1e-6);
  EXPECT_NEAR(figure(6), 0, 1e-6);
  EXPECT_NEAR(figure(7), 0, 1e-6);
}

TEST(FeaturesTest, EdgesTurnWithTheImage) {
  const at::Tensor upright = RawFeatures(UprightEdge(), nullptr)[2][0];
  const at::Tensor level =
      RawFeatures(UprightEdge().transpose(1, 2), nullptr)[2][0];
  // Orientation 0 of an upright edge is orientation 4 (a quarter turn) after.
  const auto sum = [](const at::Tensor& edges, int orientation) {
    return edges.view({16, 8}).select(1, orientation).sum().item<double>();
  };
  EXPECT_GT(sum(upright, 0), 0.5);
  EXPECT_NEAR(sum(upright, 4), 0, 1e-4);
  EXPECT_NEAR(sum(level, 4), sum(upright, 0), 1e-4);
}

TEST(FeaturesTest, BlocksWeighAlike) {
  const Blocks raw = RawFeatures(Handwritten(1, 0, 90), nullptr);
  const Blocks scaled = Scaled(raw, FitScale(raw));
  for (const at::Tensor& block : scaled) {
    const at::Tensor pairs = PairDistances(block, block);
    EXPECT_NEAR(pairs.sum().item<double>() / (90 * 89), 1, 0.02);
  }
}

TEST(FeaturesTest, DistancesAreMeansOverBlocks) {
  const Blocks x = {at::zeros({1, 2}), at::zeros({1, 1})};
  const Blocks y = {at::tensor({3.0F, 4.0F}).view({1, 2}),
                    at::full({1, 1}, 7.0F)};
  EXPECT_NEAR(BlockDistances(x, y).item<double>(), (5 + 7) / 2.0, 1e-5);
}

}  // namespace
}  // namespace sfumato::eval
