#include "fed/release/entered.h"

#include <gtest/gtest.h>

#include "fed/release/release_testing.h"

namespace sfumato::fed {
namespace {

const dp::Event kEvent{.mechanism = dp::Gaussian{.noise_multiplier = 5},
                       .cohort = "first/0"};

using EnteredTest = LedgerTest;

TEST_F(EnteredTest, HasNoiseOnlyWithAnEntryOnDisk) {
  Grant(5);
  dp::Event planned = kEvent;
  planned.cohort.clear();
  ledger_->Reserve("first", "phones", {&planned, 1});
  Entered entered(*ledger_, {.run = "first"}, kEvent, kReal, {});
  EXPECT_EQ(Released(), 1);
  EXPECT_EQ(entered.ledger_head(), dp::ToText(ledger_->head()));
  EXPECT_FALSE(entered.noise().simulated());
  // The reservation is used up: no entry, so no noise.
  EXPECT_EQ(Thrown([&] {
              dp::Event other = kEvent;
              other.cohort = "first/1";
              Entered(*ledger_, {.run = "first", .round = 1}, other, kReal, {});
            }).kind(),
            ErrorKind::kBudgetSpent);
}

TEST_F(EnteredTest, ASimulationsNoiseFollowsFromSeedAndStream) {
  const auto draw = [](const Randomness& randomness, std::uint64_t stream) {
    Entered entered(randomness, {stream});
    EXPECT_EQ(entered.ledger_head(), "");
    return entered.noise().Stream(0).Uniform();
  };
  EXPECT_EQ(draw(kSimulation, 1), draw(kSimulation, 1));
  EXPECT_NE(draw(kSimulation, 1), draw(kSimulation, 2));
  EXPECT_NE(draw(kSimulation, 1), draw({.simulation = true, .seed = 8}, 1));
}

TEST_F(EnteredTest, PrivateDataNeedALedger) {
  EXPECT_EQ(Thrown([&] { Entered(kReal, {}); }).kind(),
            ErrorKind::kUnsupported);
}

TEST(CohortIdTest, IsTheSameInASimulationAndNeverAgainOutsideOne) {
  EXPECT_EQ(CohortId("first/3", kSimulation, NonceFor(kSimulation)),
            "first/3/seed 7");
  EXPECT_NE(CohortId("first/3", kReal, NonceFor(kReal)),
            CohortId("first/3", kReal, NonceFor(kReal)));
}

}  // namespace
}  // namespace sfumato::fed
