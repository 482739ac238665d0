#include "fed/release/word_choice.h"

#include <gtest/gtest.h>

#include <vector>

#include "fed/release/release_testing.h"

namespace sfumato::fed {
namespace {

using Words = std::vector<std::vector<std::string>>;

// 400 users write "the"; each has a name that nobody else writes.
Words Written() {
  Words all;
  for (int user = 0; user < 400; ++user) {
    all.push_back({"the", fmt::format("name{}", user)});
  }
  return all;
}

WordChoice Choice(const Randomness& randomness) {
  return WordChoice({.run = "vocabulary-forum",
                     .population = "phones",
                     .randomness = randomness,
                     .words_per_user = 2,
                     .noise_multiplier = 5});
}

class WordChoiceTest : public LedgerTest {
 protected:
  void SetUp() override {
    LedgerTest::SetUp();
    Grant(5);
  }
};

TEST_F(WordChoiceTest, ShowsWhatManyShareAndNobodysOwn) {
  // Deviation 5 √2 = 7.1, threshold 1 + 7.1 · 6.1 = 44: a name is shown with
  // probability 1e-9, and a count of 400 is 50 deviations above. Seeded.
  const WordCounts counts = Choice(kSimulation).Choose(nullptr, Written);
  ASSERT_EQ(counts.words.value().size(), 1u);
  EXPECT_NEAR(static_cast<double>(counts.words.value().at("the")), 400, 36);
  EXPECT_TRUE(counts.words.simulated());
}

TEST_F(WordChoiceTest, ASimulationGivesTheSameAgainAndEntersNothing) {
  const dp::Head head = ledger_->head();
  const WordCounts first = Choice(kSimulation).Choose(&*ledger_, Written);
  const WordCounts again = Choice(kSimulation).Choose(nullptr, Written);
  EXPECT_EQ(first.words.value(), again.words.value());
  EXPECT_EQ(first.words.event(), again.words.event());
  EXPECT_EQ(first.ledger_run, "");
  EXPECT_EQ(ledger_->head(), head);
}

TEST_F(WordChoiceTest, IsPaidBeforeAnyWordIsCollected) {
  const WordCounts counts = Choice(kReal).Choose(&*ledger_, [&] {
    EXPECT_EQ(Released(), 1);
    return Written();
  });
  EXPECT_FALSE(counts.words.simulated());
  EXPECT_EQ(counts.ledger_head, dp::ToText(ledger_->head()));
  const auto run = ledger_->FindRun(counts.ledger_run);
  ASSERT_TRUE(run);
  EXPECT_TRUE(run->finished);
  EXPECT_TRUE(ledger_->FindSpent(counts.ledger_run, "phones",
                                 {&counts.words.event(), 1}));
}

TEST_F(WordChoiceTest, WhatIsNotPaidForIsNotCollected) {
  const auto nobody = [] {
    ADD_FAILURE() << "somebody's words were collected";
    return Written();
  };
  Grant(0.01);
  EXPECT_EQ(Thrown([&] { Choice(kReal).Choose(&*ledger_, nobody); }).kind(),
            ErrorKind::kBudgetSpent);
  EXPECT_EQ(Released(), 0);
  EXPECT_EQ(Thrown([&] { Choice(kReal).Choose(nullptr, nobody); }).kind(),
            ErrorKind::kUnsupported);
}

TEST_F(WordChoiceTest,
       OnPrivateDataAChoiceAgainIsAnotherReleaseAndIsPaidAgain) {
  const WordChoice choice = Choice(kReal);
  EXPECT_THROW(
      choice.Choose(&*ledger_,
                    []() -> Words { throw Unavailable("power", "", ""); }),
      Error);
  EXPECT_EQ(Released(), 1);  // nobody saw it, and it counts
  const WordCounts second = choice.Choose(&*ledger_, Written);
  const WordCounts third = choice.Choose(&*ledger_, Written);
  EXPECT_EQ(Released(), 3);
  EXPECT_NE(second.ledger_run, third.ledger_run);
  EXPECT_NE(second.words.event().cohort, third.words.event().cohort);
  EXPECT_TRUE(ledger_->Verify().empty());
}

}  // namespace
}  // namespace sfumato::fed
