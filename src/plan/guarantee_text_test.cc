#include "plan/guarantee_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "report/number_text.h"

namespace sfumato::plan {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(RoundedUpTest, IsNeverBelow) {
  EXPECT_EQ(dp::RoundedUp(1.032445, 5), 1.0325);
  EXPECT_EQ(dp::RoundedUp(1.0, 5), 1.0);
  EXPECT_EQ(dp::RoundedUp(0.1, 5), 0.1);
  EXPECT_EQ(dp::RoundedUp(0.3, 5), 0.3);
  EXPECT_EQ(dp::RoundedUp(99999.5, 5), 100000);
  EXPECT_EQ(dp::RoundedUp(0, 5), 0);
  EXPECT_EQ(dp::RoundedUp(kInfinity, 5), kInfinity);
  for (double x = 1e-9; x < 1e9; x *= 1.37) {
    EXPECT_GE(dp::RoundedUp(x, 4), x * (1 - 1e-15));
    EXPECT_LE(dp::RoundedUp(x, 4), x * 1.001);
  }
}

TEST(BoundTextTest, ReadsAsPeopleWriteNumbers) {
  EXPECT_EQ(report::BoundText(1.032445), "1.0325");
  EXPECT_EQ(report::BoundText(610.3441), "610.35");
  EXPECT_EQ(report::BoundText(15137.2), "15,138");
  EXPECT_EQ(report::BoundText(9989042.3), "9,989,043");
  EXPECT_EQ(report::BoundText(1.2e-7), "1.2e-7");
  EXPECT_EQ(report::BoundText(kInfinity), "unbounded");
  EXPECT_EQ(report::NumberText(2.3797284), "2.3797");
  EXPECT_EQ(report::SmallText(4e-8), "4e-8");
  EXPECT_EQ(report::SmallText(0.828459), "0.828459");
  EXPECT_EQ(report::SmallText(1e-10), "1e-10");
  EXPECT_EQ(report::SmallText(9.99e6), "9.99e6");
}

Spent With(double guessed_right) {
  Spent spent;
  spent.guarantee.epsilon = 1;
  spent.guarantee.delta = 1e-6;
  spent.guessed_right = guessed_right;
  return spent;
}

TEST(OddsSentenceTest, CountsGuessesRoundedUp) {
  const auto has = [](double chance, const char* words) {
    const std::string sentence = OddsSentence(With(chance));
    return sentence.find(words) != std::string::npos;
  };
  EXPECT_TRUE(has(0.7310588, "right at most 74 times in 100."));
  EXPECT_TRUE(has(0.9999, "right at most 9,999 times in 10,000."));
  EXPECT_TRUE(has(0.5023, "right at most 503 times in 1,000."));
  EXPECT_TRUE(has(1.0, "excludes nothing"));
  EXPECT_TRUE(has(NAN, "excludes nothing"));
}

TEST(MeansLineTest, SpeaksOfTheAdjacency) {
  EXPECT_EQ(MeansLine(0.651),
            "Means    a guess whether somebody took part, from even odds, is "
            "right at most 66 times in 100\n");
  EXPECT_NE(MeansLine(0.651, dp::Adjacency::kReplaceOne)
                .find("which of two versions of somebody's data"),
            std::string::npos);
}

TEST(OddsSentenceTest, SpeaksOfTheAdjacencyAndTheUnit) {
  Spent spent = With(0.7);
  EXPECT_NE(OddsSentence(spent).find("whether you took part"),
            std::string::npos);
  spent.guarantee.adjacency = dp::Adjacency::kReplaceOne;
  EXPECT_NE(OddsSentence(spent).find("which of two versions of your data"),
            std::string::npos);
  spent.guarantee.unit = dp::Unit::kExample;
  EXPECT_NE(OddsSentence(spent).find("which of two versions of an example"),
            std::string::npos);
  spent.guarantee.accountant = dp::Accountant::kPublished;
  EXPECT_EQ(OddsSentence(spent), "No odds follow from it.");
}

// With even odds, epsilon log 3 and no delta: three to one, 75 in 100. A
// randomised response of that epsilon attains it.
TEST(AccountForTest, TheOddsOfRandomisedResponseAreItsOwn) {
  const dp::Event response{.mechanism = dp::Pure{.epsilon = std::log(3.0)}};
  const Spent spent = AccountFor({&response, 1}, 1e-9, dp::Accountant::kPld);
  EXPECT_NEAR(spent.guessed_right, 0.75, 1e-3);
}

TEST(AccountForTest, NoOddsFollowFromAPublishedNumber) {
  const dp::Event round{.mechanism = dp::Gaussian{.noise_multiplier = 1},
                        .sampling = dp::Poisson{.rate = 0.01},
                        .count = 10};
  EXPECT_TRUE(std::isnan(
      AccountFor({&round, 1}, 1e-6, dp::Accountant::kPublished).guessed_right));
}

TEST(GuaranteeJsonTest, SaysAgainstWhomItHolds) {
  Spent spent = With(0.7);
  const auto against = [&](const char* sampling) {
    spent.guarantee.sampling = sampling;
    return GuaranteeJson(spent)["holds_against"].get<std::string>();
  };
  // Amplification holds only where the draw is secret.
  EXPECT_NE(against("poisson").find("not who was drawn"), std::string::npos);
  EXPECT_NE(against("all and fixed").find("not who was drawn"),
            std::string::npos);
  EXPECT_EQ(against("revealed").find("not who was drawn"), std::string::npos);
  EXPECT_EQ(against("all").find("not who was drawn"), std::string::npos);
  EXPECT_NE(against("all").find("planned before"), std::string::npos);
  spent.guarantee.accountant = dp::Accountant::kRdp;
  EXPECT_EQ(against("all").find("planned before"), std::string::npos);
  spent.guarantee.accountant = dp::Accountant::kPublished;
  EXPECT_EQ(against("fixed"), "nobody");
}

TEST(GuaranteeJsonTest, WhatIsNotFiniteIsNull) {
  Spent spent = With(NAN);
  spent.guarantee.epsilon = kInfinity;
  EXPECT_TRUE(GuaranteeJson(spent)["epsilon"].is_null());
  EXPECT_TRUE(GuaranteeJson(spent)["guessed_right"].is_null());
}

TEST(WrappedTest, KeepsWordsWholeAndLinesShort) {
  const std::string text(
      "one two three four five six seven eight nine ten eleven twelve thirteen "
      "fourteen fifteen");
  const std::string wrapped = Wrapped(text, 4);
  EXPECT_NE(wrapped.find("\n    "), std::string::npos);
  for (std::size_t begin = 0; begin < wrapped.size();) {
    const auto end = std::min(wrapped.find('\n', begin), wrapped.size());
    EXPECT_LE(end - begin, 80u);
    begin = end + 1;
  }
  std::string joined = wrapped;
  joined.replace(joined.find("\n    "), 5, " ");
  EXPECT_EQ(joined, text);
}

}  // namespace
}  // namespace sfumato::plan
