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
  EXPECT_EQ(MarksOf({2, -5, 3}), Marks{kNoneMark});
  EXPECT_EQ(MarksOf({3, -5, 2}), Marks{0});
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
  const auto fits = [&](std::int64_t state) {
    asked.push_back(state);
    return true;
  };
  for (const std::vector<float>& logits :
       {std::vector<float>{-5, -5, -5}, {-5, 3, -5}, {4, 3, -5}}) {
    kBallot.Marks(logits, 2, fits);
  }
  EXPECT_EQ(asked, (Marks{kHealthyMark, 1, 2}));
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

TEST(BallotTest, TheSecondMarginLiesBeyondOtherDamages) {
  Ballot ballot{.margins = {0, 0, 0}, .unsure = {0, 0, 0}, .second = {0, 0, 0}};
  // Users with damage 0 reach 7 in output 1; those with damage 1 reach −1 in
  // output 0.
  const at::Tensor damaged =
      at::tensor({9.F, 7.F, -5.F, -1.F, 9.F, -5.F}).view({2, 3});
  const std::int64_t family[] = {0, 1};
  SetSecond(ballot, damaged, family);
  EXPECT_EQ(ballot.second[0], 0);
  EXPECT_EQ(ballot.second[1], 7);
}

}  // namespace
}  // namespace sfumato::census
