#include "fed/release/vote_loop.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "fed/release/release_testing.h"

namespace sfumato::fed {
namespace {

using Votes = std::vector<std::vector<std::int64_t>>;

// 300 users for cell 0, 40 for cell 2.
Votes Cast() {
  Votes votes(300, {0});
  votes.insert(votes.end(), 40, {2});
  return votes;
}

dp::VoteHistogramOptions ThreeCells(double epsilon = 0.5,
                                    std::int64_t marks = 1) {
  return {
      .cells = 3, .marks = marks, .noise = dp::LaplaceNoiseFor(epsilon, marks)};
}

class VoteLoopTest : public LedgerTest {
 protected:
  void SetUp() override {
    LedgerTest::SetUp();
    Grant(5);
  }
  VoteLoop Open(const Randomness& randomness,
                const dp::VoteHistogramOptions& histogram = ThreeCells()) {
    return VoteLoop(*ledger_, {.run = "first/vote",
                               .population = "phones",
                               .randomness = randomness,
                               .histogram = histogram});
  }
};

// Whether a way of asking has paid when it begins to collect the votes.
using AskWith = std::function<void(dp::Ledger&, const VoteLoop::Votes&)>;
bool PaysBeforeItLooks(dp::Ledger& ledger, const AskWith& ask) {
  bool paid = false;
  ask(ledger, [&] {
    paid = dp::CountOf(ledger.TotalsOf("phones").released) == 1;
    return Cast();
  });
  return paid;
}

TEST_F(VoteLoopTest, IsPaidBeforeAnybodyIsAsked) {
  for (const Randomness& randomness : {kSimulation, kReal}) {
    Grant(randomness.simulation ? 3 : 4);
    VoteLoop vote = Open(randomness);
    EXPECT_EQ(Reserved(), 1);
    EXPECT_EQ(Released(), 0);
    EXPECT_TRUE(PaysBeforeItLooks(
        *ledger_, [&](dp::Ledger&, const VoteLoop::Votes& votes) {
          const VoteCounts counts = vote.Ask(votes);
          EXPECT_EQ(counts.ledger_head, dp::ToText(ledger_->head()));
          EXPECT_EQ(counts.cells.simulated(), randomness.simulation);
          EXPECT_EQ(counts.cells.event().population.name, "phones");
        }));
    vote.Finish();
    EXPECT_EQ(Released(), 1);
    EXPECT_EQ(Reserved(), 0);
    EXPECT_TRUE(ledger_->Verify().empty());
  }
}

// The twin that forgets the ledger, and the one that pays afterwards.
TEST_F(VoteLoopTest, AWayOfAskingThatDoesNotPayFirstIsCaught) {
  const dp::VoteHistogram histogram(ThreeCells());
  const auto unpaid = [&](dp::Ledger&, const VoteLoop::Votes& votes) {
    dp::NoiseSource noise = dp::NoiseSource::Simulation(1);
    histogram.Release(votes(), "", noise);
  };
  EXPECT_FALSE(PaysBeforeItLooks(*ledger_, unpaid));
  EXPECT_FALSE(PaysBeforeItLooks(
      *ledger_, [&](dp::Ledger& ledger, const VoteLoop::Votes& votes) {
        unpaid(ledger, votes);
        dp::Event event = histogram.Event("");
        event.population = {.name = "phones"};
        ledger.Spend("late", "phones", {&event, 1});
      }));
}

TEST_F(VoteLoopTest, WhatIsNotPaidForIsNotCollected) {
  const auto nobody = [] {
    ADD_FAILURE() << "somebody was asked";
    return Cast();
  };
  Grant(0.1);
  EXPECT_EQ(Thrown([&] { Open(kReal); }).kind(), ErrorKind::kBudgetSpent);
  EXPECT_EQ(Released(), 0);
  Grant(0.9);  // for one vote of 0.5, not for two
  Open(kReal).Ask(Cast);
  VoteLoop again = Open(kReal);
  EXPECT_EQ(Thrown([&] { again.Ask(nobody); }).kind(), ErrorKind::kBudgetSpent);
  EXPECT_EQ(Released(), 1);
}

TEST_F(VoteLoopTest, TheCountsAreThoseOfTheVotes) {
  // Scale 2: beyond 50 with probability e^-25 per cell.
  const VoteCounts counts = Open(kSimulation).Ask(Cast);
  ASSERT_EQ(counts.cells.value().size(), 3u);
  EXPECT_NEAR(static_cast<double>(counts.cells.value()[0]), 300, 50);
  EXPECT_NEAR(static_cast<double>(counts.cells.value()[1]), 0, 50);
  EXPECT_NEAR(static_cast<double>(counts.cells.value()[2]), 40, 50);
}

TEST_F(VoteLoopTest, ASimulatedVoteAgainIsTheSameAndCostsNothingMore) {
  VoteLoop vote = Open(kSimulation);
  const auto first = vote.Ask(Cast).cells.value();
  const dp::Head head = ledger_->head();
  EXPECT_EQ(Open(kSimulation).Ask(Cast).cells.value(), first);
  EXPECT_EQ(ledger_->head(), head);
  vote.Finish();
  EXPECT_EQ(Open(kSimulation).Ask(Cast).cells.value(), first);
  EXPECT_EQ(Released(), 1);
  // Another seed is other noise.
  Grant(3);
  EXPECT_NE(Open({.simulation = true, .seed = 8}).Ask(Cast).cells.value(),
            first);
}

TEST_F(VoteLoopTest, OnPrivateDataAVoteAgainIsAnotherReleaseAndIsPaidAgain) {
  std::int64_t asked = 0;
  const auto open = [&] {
    return VoteLoop(*ledger_,
                    {.run = "first/vote",
                     .population = "phones",
                     .randomness = kReal,
                     .histogram = ThreeCells(),
                     .before_more = [&](const dp::Event&) { ++asked; }});
  };
  EXPECT_THROW(
      open().Ask([]() -> Votes { throw Unavailable("power", "", ""); }), Error);
  EXPECT_EQ(Released(), 1);  // nobody saw it, and it counts
  EXPECT_EQ(asked, 0);
  VoteLoop vote = open();
  const auto second = vote.Ask(Cast);
  EXPECT_EQ(Released(), 2);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(ledger_->PartsOf("first/vote").size(), 2u);
  vote.Finish();
  EXPECT_EQ(Reserved(), 0);
  EXPECT_NE(open().Ask(Cast).cells.event().cohort, second.cells.event().cohort);
  EXPECT_EQ(Released(), 3);
  EXPECT_TRUE(ledger_->Verify().empty());
}

TEST_F(VoteLoopTest, NoSayMeansNothingIsReservedAgain) {
  Open(kReal).Ask(Cast);
  VoteLoop refused(*ledger_, {.run = "first/vote",
                              .population = "phones",
                              .randomness = kReal,
                              .histogram = ThreeCells(),
                              .before_more = [](const dp::Event&) {
                                throw BadInput("nobody said yes", "", "");
                              }});
  EXPECT_EQ(Thrown([&] { refused.Ask(Cast); }).kind(), ErrorKind::kBadInput);
  EXPECT_EQ(Released(), 1);
  EXPECT_EQ(Reserved(), 0);
}

// A user who marks two moves two counts: both are in the one entry.
TEST_F(VoteLoopTest, TwoMarksAreOneEntryOfBoth) {
  VoteLoop vote = Open(kReal, ThreeCells(0.5, 2));
  EXPECT_EQ(Reserved(), 2);
  vote.Ask(Cast);
  EXPECT_EQ(Released(), 2);
  EXPECT_EQ(Reserved(), 0);
  EXPECT_EQ(ledger_->TotalsOf("phones").released.front().mechanism,
            dp::Mechanism(dp::Pure{.epsilon = 0.25}));
}

}  // namespace
}  // namespace sfumato::fed
