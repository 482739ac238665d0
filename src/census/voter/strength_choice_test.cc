#include "census/voter/strength_choice.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace sfumato::census {
namespace {

struct Users {
  std::vector<std::vector<float>> rows = {};
  std::vector<std::int64_t> strengths = {};
};

// Two features that go up and down together (deviation 3), and apart from each
// other by a deviation of 0.1. Strengths 0, 1, 2 move them apart by 1 each.
Users Correlated(std::uint64_t seed, int of_each, std::size_t constants = 0) {
  base::Rng rng(seed, {base::Key("users")});
  Users users;
  for (int i = 0; i < 3 * of_each; ++i) {
    const std::int64_t strength = i % 3;
    const double both = rng.Normal(0, 3);
    const double apart = rng.Normal(static_cast<double>(strength), 0.1);
    std::vector<float> row(constants, 7.1F);
    row.push_back(static_cast<float>(100 + both));
    row.push_back(static_cast<float>(both + apart));
    users.rows.push_back(std::move(row));
    users.strengths.push_back(strength);
  }
  return users;
}

int Right(const StrengthChoice& choice, const Users& users) {
  int right = 0;
  for (std::size_t i = 0; i < users.rows.size(); ++i) {
    right += choice.Choose(users.rows[i]) ==
                     static_cast<std::size_t>(users.strengths[i])
                 ? 1
                 : 0;
  }
  return right;
}

// Half of the way to the next strength is five deviations of what is left when
// the common part is known: all 300 are right, except with probability 2e-4.
// By the nearest mean, half of the way is 0.5 of a deviation of 3: less than
// half are.
TEST(StrengthChoiceTest, NoiseThatTwoFeaturesShareIsSeenThrough) {
  const Users known = Correlated(1, 100);
  const StrengthChoice choice =
      StrengthChoice::Learn(known.rows, known.strengths, 3);
  EXPECT_GE(Right(choice, Correlated(2, 100)), 297);
}

TEST(StrengthChoiceTest, FeaturesThatNeverChangeAreNotLookedAt) {
  const Users known = Correlated(1, 100, 2);
  const StrengthChoice choice =
      StrengthChoice::Learn(known.rows, known.strengths, 3);
  ASSERT_EQ(choice.features(), 4U);
  for (const std::size_t f : {0U, 1U, 4U, 5U, 8U, 9U}) {
    EXPECT_EQ(choice.weights[f], 0);
  }
  Users others = Correlated(2, 100, 2);
  for (auto& row : others.rows) row[0] = 1e6F;  // never seen
  EXPECT_GE(Right(choice, others), 297);
}

// One feature, equal at 0, 1 and 2 in all users of a strength.
TEST(StrengthChoiceTest, AStrengthWithoutAnySpreadIsFound) {
  const std::vector<std::vector<float>> rows = {{0}, {0}, {1}, {1}, {2}, {2}};
  const StrengthChoice choice = StrengthChoice::Learn(
      rows, std::vector<std::int64_t>{0, 0, 1, 1, 2, 2}, 3);
  EXPECT_EQ(choice.Choose(std::vector<float>{0.4F}), 0U);
  EXPECT_EQ(choice.Choose(std::vector<float>{0.6F}), 1U);
  EXPECT_EQ(choice.Choose(std::vector<float>{1.6F}), 2U);
}

// Means 0 and 2 in the first of 60 features, deviation 0.25; the others are
// noise, and there are fewer rows than features.
TEST(StrengthChoiceTest, MoreFeaturesThanRowsDoNoHarm) {
  const auto users = [](std::uint64_t seed, int count) {
    base::Rng rng(seed, {base::Key("users")});
    Users all;
    for (int i = 0; i < count; ++i) {
      std::vector<float> row(60);
      for (float& x : row) x = static_cast<float>(rng.Normal(0, 0.25));
      row[0] += static_cast<float>(2 * (i % 2));
      all.rows.push_back(std::move(row));
      all.strengths.push_back(i % 2);
    }
    return all;
  };
  const Users known = users(1, 40);
  const StrengthChoice choice =
      StrengthChoice::Learn(known.rows, known.strengths, 2);
  EXPECT_GE(Right(choice, users(2, 100)), 95);
}

TEST(StrengthChoiceTest, NothingToTellStrengthsApartIsAChoiceAllTheSame) {
  const std::vector<std::vector<float>> rows = {{3, 3}, {3, 3}};
  const StrengthChoice choice =
      StrengthChoice::Learn(rows, std::vector<std::int64_t>{0, 1}, 2);
  for (const float x : choice.weights) EXPECT_TRUE(std::isfinite(x));
  for (const float x : choice.bias) EXPECT_TRUE(std::isfinite(x));
  EXPECT_LT(choice.Choose(rows[0]), 2U);
}

}  // namespace
}  // namespace sfumato::census
