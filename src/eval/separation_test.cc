#include "eval/separation.h"

#include "gtest/gtest.h"

namespace sfumato::eval {
namespace {

Blocks Cloud(std::int64_t n, double shift) {
  at::Tensor rows = at::randn({n, 6});
  rows.select(1, 2).add_(shift);
  return {rows.narrow(1, 0, 4), rows.narrow(1, 4, 2)};
}

TEST(PairwiseWinsTest, ApproachesTheAreaUnderTheNormalCurve) {
  // Two deviations apart: Φ(2 / √2) = 0.921. Error of a share of 300 × 300
  // pairs is about 0.012.
  at::manual_seed(5);
  const at::Tensor wins =
      PairwiseWins(Cloud(300, 0), Cloud(300, 2), Cloud(300, 0), Cloud(300, 2));
  EXPECT_NEAR(wins.mean().item<double>(), 0.921, 0.04);
}

TEST(PairwiseWinsTest, IsACoinWhereTheTestPairDoesNotDiffer) {
  at::manual_seed(6);
  const at::Tensor wins =
      PairwiseWins(Cloud(300, 0), Cloud(300, 2), Cloud(300, 0), Cloud(300, 0));
  EXPECT_NEAR(wins.mean().item<double>(), 0.5, 0.06);
}

TEST(PairwiseWinsTest, CountsTiesHalf) {
  const Blocks flat = {at::ones({5, 3})};
  const Blocks other = {at::zeros({5, 3})};
  const at::Tensor wins = PairwiseWins(other, flat, flat, flat);
  EXPECT_DOUBLE_EQ(wins.mean().item<double>(), 0.5);
}

}  // namespace
}  // namespace sfumato::eval
