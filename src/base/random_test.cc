#include "base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

namespace sfumato::base {
namespace {

using Block = std::array<std::uint32_t, 4>;

// Known answers of the Random123 distribution (kat_vectors, philox4x32 10).
TEST(PhiloxTest, GivesThePublishedAnswers) {
  EXPECT_EQ(Philox({0, 0, 0, 0}, {0, 0}),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(Philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                   {0xffffffff, 0xffffffff}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                   {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RngTest, AStreamIsAFunctionOfItsName) {
  Rng a(7, {Key("writer"), 3});
  Rng b(7, {Key("writer"), 3});
  std::vector<std::uint64_t> first;
  for (int i = 0; i < 9; ++i) first.push_back(a());
  for (int i = 0; i < 9; ++i) EXPECT_EQ(b(), first[i]);
}

TEST(RngTest, NamesThatDifferAnywhereGiveOtherNumbers) {
  std::set<std::uint64_t> seen;
  seen.insert(Rng(1)());
  seen.insert(Rng(2)());
  seen.insert(Rng(1, {0})());
  seen.insert(Rng(1, {1})());
  seen.insert(Rng(1, {0, 0})());
  seen.insert(Rng(1, {0, 1})());
  seen.insert(Rng(1, {1, 0})());
  EXPECT_EQ(seen.size(), 7u);
}

// 100,000 values each; a mean further than five of its standard errors from
// the truth happens by chance less than once in a million seeds.
TEST(RngTest, DistributionsHaveTheirMeansAndVariances) {
  constexpr int kDraws = 100'000;
  const auto check = [](const char* name, auto draw, double mean,
                        double variance) {
    Rng rng(11, {Key(name)});
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double x = draw(rng);
      sum += x;
      squares += x * x;
    }
    const double m = sum / kDraws;
    EXPECT_NEAR(m, mean, 5 * std::sqrt(variance / kDraws)) << name;
    EXPECT_NEAR(squares / kDraws - m * m, variance, 0.05 * variance) << name;
  };
  check("uniform", [](Rng& r) { return r.Uniform(); }, 0.5, 1.0 / 12);
  check("range", [](Rng& r) { return r.Uniform(-2, 4); }, 1.0, 3.0);
  check("normal", [](Rng& r) { return r.Normal(3, 2); }, 3.0, 4.0);
  check("gamma 0.5", [](Rng& r) { return r.Gamma(0.5); }, 0.5, 0.5);
  check("gamma 4", [](Rng& r) { return r.Gamma(4); }, 4.0, 4.0);
  check("die", [](Rng& r) { return double(r.Below(6)); }, 2.5, 35.0 / 12);
  check("coin", [](Rng& r) { return double(r.Bernoulli(0.2)); }, 0.2, 0.16);
}

TEST(RngTest, BelowNeverReachesItsBound) {
  Rng rng(3);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_LT(rng.Below(3), 3u);
    EXPECT_EQ(rng.Below(1), 0u);
  }
  EXPECT_LT(rng.Below(~0ull), ~0ull);
}

TEST(RngTest, DirichletSharesSumToOneEvenWhenTheyUnderflow) {
  Rng rng(5);
  for (const double alpha : {1e-6, 0.1, 1.0, 100.0}) {
    const auto shares = rng.Dirichlet(10, alpha);
    EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1.0, 1e-12);
    for (const double share : shares) EXPECT_GE(share, 0.0);
  }
}

TEST(RngTest, ShuffleKeepsEveryItemAndReachesEveryOrder) {
  std::set<std::vector<int>> orders;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::vector<int> items = {1, 2, 3};
    Rng(seed).Shuffle<int>(items);
    EXPECT_EQ(std::multiset<int>(items.begin(), items.end()),
              (std::multiset<int>{1, 2, 3}));
    orders.insert(items);
  }
  EXPECT_EQ(orders.size(), 6u);
}

TEST(ChoiceTest, DrawsInProportionToTheWeights) {
  const std::vector<double> weights = {1, 0, 3, 6};
  const Choice choice(weights);
  Rng rng(9);
  std::vector<int> counts(4);
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) ++counts[choice(rng)];
  EXPECT_EQ(counts[1], 0);
  // Five standard deviations of a binomial count.
  for (const int i : {0, 2, 3}) {
    const double p = weights[i] / 10;
    EXPECT_NEAR(counts[i], kDraws * p, 5 * std::sqrt(kDraws * p * (1 - p)));
  }
}

}  // namespace
}  // namespace sfumato::base
