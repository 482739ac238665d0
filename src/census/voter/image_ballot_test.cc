#include "census/voter/image_ballot.h"

#include <gtest/gtest.h>

namespace sfumato::census {
namespace {

using Marks = std::vector<std::int64_t>;

// Two families, and the output of other damages.
const Ballot kBallot{.margins = {1, 1, 1},
                     .unsure = {0, 0, 0},
                     .beside = {{9, 2, 2.5}, {1, 9, 1}},
                     .odd_of_pairs = 3.5};

Marks MarksOf(std::vector<float> logits, std::int64_t marks = 1,
              bool fits = true) {
  return kBallot.Marks(logits, marks, [fits](std::int64_t) { return fits; });
}

TEST(BallotTest, WhoReachesNothingIsHealthy) {
  EXPECT_EQ(MarksOf({-5, -5, -5}), Marks{kHealthyMark});
}

TEST(BallotTest, MarksTheStrongestFamilyAboveItsMargin) {
  EXPECT_EQ(MarksOf({2, 3, -5}), Marks{1});
  EXPECT_EQ(MarksOf({2, -3, -5}), Marks{0});
}

TEST(BallotTest, BetweenHealthyAndTheMarginNobodyCanTell) {
  EXPECT_EQ(MarksOf({0.5, -5, -5}), Marks{kUnsureMark});
  EXPECT_EQ(MarksOf({-5, -5, 0.5}), Marks{kUnsureMark});
}

TEST(BallotTest, OtherDamagesAreNoneOfThese) {
  EXPECT_EQ(MarksOf({-5, -5, 2}), Marks{kNoneMark});
  // Users with damage 0 reach 2.5 there, and with damage 1 only 1.
  EXPECT_EQ(MarksOf({2, -5, 3}), Marks{kNoneMark});
  EXPECT_EQ(MarksOf({2, -5, 2}), Marks{0});
  EXPECT_EQ(MarksOf({-5, 3, 2}), Marks{kNoneMark});
}

TEST(BallotTest, WhoMayHaveTwoDamagesReachesMoreInThatOfOthers) {
  EXPECT_EQ(MarksOf({-5, 3, 3}, 2), Marks{1});
  EXPECT_EQ(MarksOf({-5, 3, 4}, 2), Marks{kNoneMark});
}

TEST(BallotTest, WhatDoesNotFitIsNoneOfThese) {
  EXPECT_EQ(MarksOf({3, -5, -5}, 1, false), Marks{kNoneMark});
  EXPECT_EQ(MarksOf({-5, -5, -5}, 1, false), Marks{kNoneMark});
  EXPECT_EQ(MarksOf({3, 3, -5}, 2, false), Marks{kNoneMark});
}

TEST(BallotTest, ASecondMarkNeedsMore) {
  EXPECT_EQ(MarksOf({4, 1.5, -5}, 2), Marks{0});
  EXPECT_EQ(MarksOf({4, 2.5, -5}, 2), (Marks{0, 1}));
  EXPECT_EQ(MarksOf({4, 2.5, -5}, 1), Marks{0});
}

TEST(BallotTest, AsksWhetherThatVeryStateFits) {
  std::vector<std::int64_t> asked;
  const auto marks = [&](std::vector<float> logits, std::int64_t marks,
                         std::int64_t that_fits) {
    asked.clear();
    return kBallot.Marks(logits, marks, [&](std::int64_t state) {
      asked.push_back(state);
      return state == that_fits;
    });
  };
  EXPECT_EQ(marks({-5, -5, -5}, 2, kHealthyMark), Marks{kHealthyMark});
  EXPECT_EQ(asked, Marks{kHealthyMark});
  EXPECT_EQ(marks({-5, 3, -5}, 1, 0), Marks{kNoneMark});
  EXPECT_EQ(asked, Marks{1});
  EXPECT_EQ(marks({4, 3, -5}, 2, 2), (Marks{0, 1}));
  EXPECT_EQ(asked, Marks{2});
  // One of two damages was not marked: the pair is what has to fit.
  EXPECT_EQ(marks({-5, 3, -5}, 2, 2), Marks{1});
  EXPECT_EQ(asked, (Marks{1, 2}));
}

// Of 1,001 healthy users with logits −10, −9.99, …, 0, one in a thousand lies
// above the margin before it is moved beyond by half of the upper spread
// (quantiles .98 and .5 are 4.8 apart).
TEST(BallotTest, MarginsLieBeyondTheHealthy) {
  const at::Tensor logits = at::arange(1001, at::kFloat).div(100).sub(10);
  const Ballot ballot =
      BallotFor(at::stack({logits + 5, logits - 20}, 1).contiguous());
  EXPECT_NEAR(ballot.margins[0], 5 - 0.01 + 2.4, 0.02);
  EXPECT_NEAR(ballot.unsure[0], 5 - 0.03, 0.02);
  EXPECT_EQ(ballot.margins[1], -2);
  EXPECT_EQ(ballot.unsure[1], -3);
}

// Of 101 users with damage 0, who reach 0, 0.1, … 10 in output 1, two in a
// hundred lie above 9.8; the one with damage 1 is below the margin in output 0.
TEST(BallotTest, WhatUsersWithOneDamageReachIsNoSecondOne) {
  Ballot ballot{.margins = {0, 0, 0}, .unsure = {0, 0, 0}};
  at::Tensor damaged = at::zeros({102, 3});
  damaged.select(1, 1).copy_(at::arange(102, at::kFloat).div(10));
  damaged[101].copy_(at::tensor({-1.F, 9.F, -5.F}));
  std::vector<std::int64_t> family(102);
  family[101] = 1;
  SetBeside(ballot, damaged, family);
  EXPECT_NEAR(ballot.beside[0][1], 9.8, 1e-4);
  EXPECT_EQ(ballot.beside[1][0], 0);
}

TEST(BallotTest, WhatPairsReachInTheOutputOfOthers) {
  Ballot ballot;
  SetPairs(ballot, at::arange(101, at::kFloat).div(10).view({101, 1}));
  EXPECT_NEAR(ballot.odd_of_pairs, 9.8, 1e-4);
}

}  // namespace
}  // namespace sfumato::census
