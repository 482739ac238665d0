#include "census/voter/text_fit.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace sfumato::census {
namespace {

using Rows = std::vector<std::vector<float>>;

Rows Around(float centre, std::size_t count, std::uint64_t seed) {
  base::Rng rng(seed);
  Rows rows(count);
  for (auto& row : rows) {
    for (int i = 0; i < 3; ++i) {
      row.push_back(static_cast<float>(rng.Normal(centre, 1)));
    }
  }
  return rows;
}

TEST(TextFitTest, TheSpreadIsTheStandardDeviation) {
  const std::vector<float> spread = SpreadOf({{1, 5}, {3, 5}});
  EXPECT_NEAR(spread[0], 1.02, 1e-6);  // 0.02 keeps constant features finite
  EXPECT_NEAR(spread[1], 0.02, 1e-6);
}

TEST(TextFitTest, RefusesTheShareItWasAskedTo) {
  TextFit fit;
  fit.Learn(Around(0, 500, 1), {1, 1, 1});
  fit.SetLimit(Around(0, 1000, 2), 0.05);
  int refused = 0;
  for (const auto& row : Around(0, 2000, 3)) refused += !fit.IsLike(row);
  // 100 expected of 2,000; the limit itself is known to ± 14 %. More than 180
  // or fewer than 40 happen in fewer than one of a million seeds.
  EXPECT_LT(refused, 180);
  EXPECT_GT(refused, 40);
  for (const auto& row : Around(20, 100, 4)) EXPECT_FALSE(fit.IsLike(row));
}

// A row at 0 and others at 1: the limit is a distance of 1.
TEST(TextFitTest, SlackWidensTheLimit) {
  TextFit fit{.scale = {1}, .rows = {0}};
  fit.SetLimit(Rows(20, {1}), 0.05);
  EXPECT_TRUE(fit.IsLike({1}));
  EXPECT_FALSE(fit.IsLike({1.5}));
  EXPECT_TRUE(fit.IsLike({1.5}, 2));
  EXPECT_FALSE(fit.IsLike({2.5}, 2));
}

TEST(TextFitTest, TooFewUsersRefuseNobody) {
  TextFit fit;
  fit.Learn(Around(0, 5, 1), {1, 1, 1});
  fit.SetLimit(Around(0, 5, 2), 0.05);
  EXPECT_TRUE(fit.IsLike({100, 100, 100}));
}

}  // namespace
}  // namespace sfumato::census
