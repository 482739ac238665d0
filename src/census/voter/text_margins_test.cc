#include "census/voter/text_margins.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace sfumato::census {
namespace {

// Two families: logits of both and of being healthy.
TextMargins ByHand() {
  return {.first = {2, 4}, .second = {3, 5}, .healthy = {-5, -1}};
}

TEST(TextMarginsTest, TheFamilyFurthestAboveItsMarginComesFirst) {
  const Verdict verdict = ByHand().Judge({4, 8, -9});
  EXPECT_EQ(verdict.kind, Verdict::kDamaged);
  EXPECT_EQ(verdict.families, (std::vector<std::size_t>{1, 0}));
}

TEST(TextMarginsTest, ASecondFamilyNeedsMore) {
  // 2.5 is enough alone, and not beside another.
  EXPECT_EQ(ByHand().Judge({2.5, 0, -9}).families,
            (std::vector<std::size_t>{0}));
  EXPECT_EQ(ByHand().Judge({2.5, 8, -9}).families,
            (std::vector<std::size_t>{1}));
}

TEST(TextMarginsTest, WithoutAFamilyTheHealthyLogitDecides) {
  EXPECT_EQ(ByHand().Judge({0, 0, 0}).kind, Verdict::kHealthy);
  EXPECT_EQ(ByHand().Judge({0, 0, -1}).kind, Verdict::kHealthy);
  EXPECT_EQ(ByHand().Judge({0, 0, -3}).kind, Verdict::kUndecided);
  EXPECT_EQ(ByHand().Judge({0, 0, -6}).kind, Verdict::kUnexplained);
}

// Even odds are a logit of 0. A second family still needs more than by chance.
TEST(TextMarginsTest, TheLikeliestIsMarkedSureOrNot) {
  TextMargins margins = ByHand();
  margins.MarkTheLikeliest();
  EXPECT_EQ(margins.Judge({1, -1, -9}).families, (std::vector<std::size_t>{0}));
  EXPECT_EQ(margins.Judge({1, 2, -9}).families, (std::vector<std::size_t>{1}));
  EXPECT_EQ(margins.Judge({-1, -1, 0.5F}).kind, Verdict::kHealthy);
  EXPECT_EQ(margins.Judge({-1, -1, -0.5F}).kind, Verdict::kUnexplained);
}

// Healthy users whose logits are exponential, -log of (i + 1/2) / 1000: one in
// 5,000 exceeds log(5000) = 8.5.
TEST(TextMarginsTest, StandsBeyondWhatHealthyUsersWereSeenToReach) {
  std::vector<Scored> users;
  for (int i = 0; i < 1000; ++i) {
    const auto logit = static_cast<float>(-std::log((i + 0.5) / 1000));
    users.push_back({.logits = {logit, 5}, .healthy = true});
  }
  const TextMargins margins = TextMargins::Set(users, 1);
  EXPECT_NEAR(margins.first[0], std::log(5000), 0.3);
}

// A hundred users with the first damage alone: the second family's logits are
// 0 … 9.9, of which two in a hundred exceed 9.7.
TEST(TextMarginsTest, ASecondFamilyIsMeasuredOnUsersOfOthers) {
  std::vector<Scored> users = {{.logits = {-9, -9, 5}, .healthy = true}};
  for (int i = 0; i < 100; ++i) {
    users.push_back(
        {.logits = {20, 0.1F * static_cast<float>(i), -5}, .families = 1});
  }
  EXPECT_FLOAT_EQ(TextMargins::Set(users, 2).second[1], 9.7F);
}

TEST(TextMarginsTest, NeverMarksBelowEvenOdds) {
  std::vector<Scored> users(100, {.logits = {-9, 5}, .healthy = true});
  EXPECT_EQ(TextMargins::Set(users, 1).first[0], 0);
}

}  // namespace
}  // namespace sfumato::census
