#include "census/answer/count_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace sfumato::census {
namespace {

double ChanceOf(const CountLaw& law, std::int64_t x) {
  const std::int64_t i = x - law.first;
  return i < 0 || i >= static_cast<std::int64_t>(law.chances.size())
             ? 0
             : law.chances[static_cast<std::size_t>(i)];
}

TEST(CountLawTest, BinomialMatchesAPencil) {
  const CountLaw law = BinomialLaw(3, 0.5);
  EXPECT_EQ(law.first, 0);
  ASSERT_EQ(law.chances.size(), 4u);
  EXPECT_NEAR(law.chances[1], 0.375, 1e-14);
  EXPECT_EQ(BinomialLaw(5, 0).chances, std::vector<double>{1});
  EXPECT_EQ(BinomialLaw(5, 1).first, 5);
  // 0.997^600 and 600 · 0.003 · 0.997^599.
  const CountLaw rare = BinomialLaw(600, 0.003);
  EXPECT_NEAR(ChanceOf(rare, 0), std::pow(0.997, 600), 1e-13);
  EXPECT_NEAR(ChanceOf(rare, 1), 1.8 * std::pow(0.997, 599), 1e-12);
}

TEST(CountLawTest, LargeBinomialsKeepTheirMass) {
  for (const double n : {1e4, 1e6}) {
    for (const double p : {1e-5, 0.3, 0.999}) {
      const CountLaw law = BinomialLaw(n, p);
      EXPECT_NEAR(std::accumulate(law.chances.begin(), law.chances.end(), 0.0),
                  1, 1e-8)
          << n << " " << p;
    }
  }
}

TEST(CountLawTest, ThresholdIsTheLeastCountWithItsTail) {
  const CountLaw hits = BinomialLaw(50, 0.1);
  const CountLaw noise = LawOf({.kind = NoiseKind::kLaplace, .parameter = 2});
  const std::int64_t t = ThresholdOf(hits, noise, 1e-4);
  // By the double sum.
  const auto tail = [&](std::int64_t from) {
    double sum = 0;
    for (std::int64_t k = 0; k <= 50; ++k) {
      sum += ChanceOf(hits, k) *
             TailFrom({.kind = NoiseKind::kLaplace, .parameter = 2}, from - k);
    }
    return sum;
  };
  EXPECT_LE(tail(t), 1e-4);
  EXPECT_GT(tail(t - 1), 1e-4);
  EXPECT_NEAR(TailFrom(hits, noise, static_cast<double>(t)), tail(t), 1e-12);
}

TEST(CountLawTest, WhatComesNextIsFishersExactTest) {
  // 0 of 1 seen: Beta(1, 1), so 0 … 4 of 4 are alike.
  for (const double chance : NextLaw(4, 0, 1).chances) {
    EXPECT_NEAR(chance, 0.2, 1e-14);
  }
  // 1 of 10, then 4 of 8 or more: of 5 hits among 18, at most 1 is of the 10.
  // (C(10,0) C(8,5) + C(10,1) C(8,4)) / C(18,5) = 756 / 8568.
  EXPECT_NEAR(TailFrom(NextLaw(8, 1, 10), CountLaw{}, 4), 756.0 / 8568, 1e-12);
  EXPECT_EQ(NextLaw(5, 0, 0).chances, std::vector<double>{1});
  EXPECT_EQ(NextLaw(5, 7, 7).first, 5);
}

// The claim that the verdict's level rests on: whatever the true rate is, a
// threshold set after M reference users is passed with the chance asked for at
// most. Computed, not drawn.
TEST(CountLawTest, ThresholdsAfterReferenceUsersHoldForEveryRate) {
  for (const double scale : {0.0, 0.5, 2.0, 10.0}) {
    const NoiseLaw noise{
        .kind = scale > 0 ? NoiseKind::kLaplace : NoiseKind::kNone,
        .parameter = scale};
    const CountLaw law = LawOf(noise);
    for (const std::int64_t of : {100, 1500}) {
      for (const double n : {200.0, 600.0, 6000.0}) {
        for (const double level : {1e-2, 4e-4}) {
          std::vector<std::int64_t> thresholds;
          for (const double rate : {1e-5, 1e-4, 5e-4, 2e-3, 5e-3, 0.01, 0.02}) {
            const CountLaw hits = BinomialLaw(n, rate);
            const CountLaw seen = BinomialLaw(static_cast<double>(of), rate);
            double passed = 0;
            for (std::size_t i = 0; i < seen.chances.size(); ++i) {
              const std::int64_t v = seen.first + static_cast<std::int64_t>(i);
              while (static_cast<std::int64_t>(thresholds.size()) <= v) {
                const auto hits_seen =
                    static_cast<std::int64_t>(thresholds.size());
                thresholds.push_back(
                    ThresholdOf(NextLaw(n, hits_seen, of), law, level));
              }
              passed += seen.chances[i] *
                        TailFrom(hits, law,
                                 static_cast<double>(
                                     thresholds[static_cast<std::size_t>(v)]));
            }
            EXPECT_LE(passed, level)
                << scale << " " << of << " " << n << " " << rate;
          }
        }
      }
    }
  }
}

TEST(CountLawTest, SumsOfManyAreSumsOneByOne) {
  const CountLaw one = BinomialLaw(2, 0.3);
  const CountLaw seven = SumOf(one, 7);
  const CountLaw fourteen = BinomialLaw(14, 0.3);
  for (std::int64_t x = 0; x <= 14; ++x) {
    EXPECT_NEAR(ChanceOf(seven, x), ChanceOf(fourteen, x), 1e-13) << x;
  }
  EXPECT_EQ(SumOf(one, 0).chances, std::vector<double>{1});
}

TEST(CountLawTest, ScaledNumbersAreRoundedUp) {
  const CountLaw law{.first = -1, .chances = {0.25, 0.5, 0.25}};
  const CountLaw half = ScaledUp(law, 0.5);  // -0.5 → 0, 0 → 0, 0.5 → 1
  EXPECT_EQ(half.first, 0);
  EXPECT_EQ(half.chances, (std::vector<double>{0.75, 0.25}));
  const CountLaw turned = ScaledUp(law, -2);
  EXPECT_EQ(turned.first, -2);
  EXPECT_EQ(turned.chances, (std::vector<double>{0.25, 0, 0.5, 0, 0.25}));
}

TEST(CountLawTest, BoundsAreThoseOfClopperAndPearson) {
  // 0 of 1500 at 5 %: 1 - 0.05^(1/1500); 3 of 10 at 2.5 %: published 65.25 %
  // and 6.67 %.
  EXPECT_NEAR(UpperBound(0, 1500, 0.05), 1 - std::pow(0.05, 1.0 / 1500), 1e-12);
  EXPECT_NEAR(UpperBound(3, 10, 0.025), 0.6525, 5e-5);
  EXPECT_NEAR(LowerBound(3, 10, 0.025), 0.0667, 5e-5);
  EXPECT_EQ(UpperBound(10, 10, 0.01), 1);
  EXPECT_EQ(LowerBound(0, 10, 0.01), 0);
  EXPECT_EQ(UpperBound(0, 0, 0.01), 1);
  // High counts: P(Binomial(1500, p) ≤ 700) at a p far above and below.
  EXPECT_NEAR(UpperBound(700, 1500, 1e-4), 0.5148, 1e-3);
}

TEST(CountLawTest, WithoutNoiseTheNoisyBoundIsTheSame) {
  EXPECT_NEAR(UpperBound(3.0, 10.0, CountLaw{}, 0.025),
              UpperBound(3, 10, 0.025), 1e-9);
  const CountLaw noise = LawOf({.kind = NoiseKind::kLaplace, .parameter = 2});
  EXPECT_GT(UpperBound(3.0, 10.0, noise, 0.025), UpperBound(3, 10, 0.025));
}

}  // namespace
}  // namespace sfumato::census
