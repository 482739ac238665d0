#include "eval/energy.h"

#include <cmath>

#include "eval/image_features.h"
#include "gtest/gtest.h"

namespace sfumato::eval {
namespace {

at::Tensor Column(const std::vector<double>& values) {
  return at::tensor(values, at::kDouble).unsqueeze(1);
}

at::Tensor Ones(const at::Tensor& rows) {
  return at::ones({1, rows.size(0)}, at::kDouble);
}

MixtureLine Line(const at::Tensor& x, const at::Tensor& t,
                 const at::Tensor& y) {
  const at::Tensor u = Ones(x);
  const at::Tensor v = Ones(y);
  return LineOf({.xx = MeanWithin(PairDistances(x, x), u, u),
                 .xt = MeanWithin(PairDistances(x, t), u, u),
                 .tt = MeanWithin(PairDistances(t, t), u, u),
                 .xy = MeanBetween(PairDistances(x, y), u, v),
                 .ty = MeanBetween(PairDistances(t, y), u, v),
                 .yy = MeanWithin(PairDistances(y, y), v, v)});
}

TEST(EnergyDistanceTest, MatchesPairsCountedByHand) {
  // X = {0, 1}, Y = {2, 4}: between 2, 4, 1, 3 → 2.5; within 1 and 2.
  const at::Tensor x = Column({0, 1});
  const MixtureLine line = Line(x, x, Column({2, 4}));
  EXPECT_NEAR(line.distance.item<double>(), 2 * 2.5 - 1 - 2, 1e-12);
}

TEST(EnergyDistanceTest, AnImageAndItsChangeAreNotAPair) {
  // X = {0, 2}, TX = {10, 12}: 0–12 and 2–10, never 0–10.
  const at::Tensor d = PairDistances(Column({0, 2}), Column({10, 12}));
  const at::Tensor u = at::ones({1, 2}, at::kDouble);
  EXPECT_NEAR(MeanWithin(d, u, u).item<double>(), (12 + 8) / 2.0, 1e-12);
}

TEST(EnergyDistanceTest, WeightsAreCountsOfRepeatedImages) {
  // {0, 0, 3} as counts 2, 1: different images only, so 0–3 twice over.
  const at::Tensor d = PairDistances(Column({0, 3}), Column({0, 3}));
  const at::Tensor u = at::tensor({2.0, 1.0}, at::kDouble).unsqueeze(0);
  EXPECT_NEAR(MeanWithin(d, u, u).item<double>(), 3, 1e-12);
  const at::Tensor v = at::tensor({1.0, 1.0}, at::kDouble).unsqueeze(0);
  EXPECT_NEAR(MeanBetween(d, u, v).item<double>(), (2 * 3 + 3) / 6.0, 1e-12);
}

TEST(BestMixtureTest, FindsTheShareThatWasMoved) {
  // Y: 30 % of a normal moved by 3. T moves all.
  at::manual_seed(7);
  const at::Tensor x = at::randn({1500, 1}, at::kDouble);
  at::Tensor y = at::randn({1500, 1}, at::kDouble);
  y.narrow(0, 0, 450).add_(3);
  const MixtureLine line = Line(x, x + 3, y);
  const MixtureFit fit = BestMixture(line);
  EXPECT_NEAR(fit.affected.item<double>(), 0.3, 0.04);
  EXPECT_NEAR(fit.gain.item<double>() / line.distance.item<double>(), 1, 0.05);
}

TEST(BestMixtureTest, IsTheLeastOfAllShares) {
  at::manual_seed(3);
  const at::Tensor x = at::randn({60, 2}, at::kDouble);
  const at::Tensor y = at::randn({60, 2}, at::kDouble) + 0.5;
  const MixtureLine line = Line(x, x + 1.5, y);
  const double best = BestMixture(line).gain.item<double>();
  double largest = 0;
  for (double p = 0; p <= 1; p += 0.001) {
    largest = std::max(largest, p * line.slope.item<double>() -
                                    p * p * line.bend.item<double>());
  }
  EXPECT_NEAR(best, largest, 1e-6);
}

TEST(BestMixtureTest, GainsNothingWhereTheChangeLeadsAway) {
  const at::Tensor one = at::ones({1}, at::kDouble);
  const MixtureFit fit =
      BestMixture({.distance = one, .slope = -one, .bend = one});
  EXPECT_EQ(fit.affected.item<double>(), 0);
  EXPECT_EQ(fit.gain.item<double>(), 0);
}

TEST(ResampleCountsTest, KeepTheNumberOfImages) {
  const at::Tensor counts = ResampleCounts(50, 30, 1);
  EXPECT_TRUE(counts[0].eq(1).all().item<bool>());
  EXPECT_TRUE(counts.sum(1).eq(30).all().item<bool>());
  EXPECT_FALSE(counts[1].equal(counts[2]));
}

}  // namespace
}  // namespace sfumato::eval
