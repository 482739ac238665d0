#include "dp/accounting/accountant.h"

#include <cmath>

#include "base/error.h"
#include "dp/accounting/published.h"
#include "gtest/gtest.h"

namespace sfumato::dp {
namespace {

const Event kRounds{
    .mechanism = Gaussian{1}, .sampling = Poisson{0.004}, .count = 1000};

TEST(AccountantTest, SaysAllThatBelongsToTheNumber) {
  const Guarantee spent = Account({&kRounds, 1}, 4e-8, Accountant::kPld);
  EXPECT_NEAR(spent.epsilon, 1.0324, 1e-3);
  EXPECT_EQ(spent.delta, 4e-8);
  EXPECT_EQ(spent.adjacency, Adjacency::kAddRemove);
  EXPECT_EQ(spent.unit, Unit::kUser);
  EXPECT_EQ(spent.sampling, "poisson");
  EXPECT_NE(spent.proof.find("Zhu, Dong and Wang 2022"), std::string::npos);
  EXPECT_TRUE(spent.warnings.empty());
  EXPECT_NE(Meaning(spent).find("any one user"), std::string::npos);
}

TEST(AccountantTest, PublishedNumbersCarryNoProof) {
  const Guarantee spent = Account({&kRounds, 1}, 4e-8, Accountant::kPublished);
  EXPECT_NEAR(spent.epsilon, 2.379728, 1e-6);
  EXPECT_EQ(spent.proof, kPublishedProof);
  EXPECT_EQ(spent.warnings.size(), 2u);
  // It is about fixed cohorts, whatever was asked.
  EXPECT_EQ(spent.sampling, "fixed");
  EXPECT_EQ(spent.adjacency, Adjacency::kReplaceOne);
  EXPECT_NE(Meaning(spent).find("bounds nothing"), std::string::npos);
}

TEST(AccountantTest, NamesEverySamplingOnce) {
  const std::vector<Event> events = {
      {.mechanism = Gaussian{10}}, kRounds, {.mechanism = Laplace{10}}};
  EXPECT_EQ(Account(events, 1e-6, Accountant::kPld).sampling,
            "all and poisson");
}

TEST(AccountantTest, NothingProvenIsInfiniteWithAWarning) {
  const Event event{.mechanism = Approximate{.epsilon = 1, .delta = 1e-3}};
  for (const Accountant accountant : {Accountant::kPld, Accountant::kRdp}) {
    const Guarantee spent = Account({&event, 1}, 1e-6, accountant);
    EXPECT_TRUE(std::isinf(spent.epsilon));
    EXPECT_EQ(spent.warnings.size(), 1u);
    EXPECT_NE(Meaning(spent).find("Nothing is proven"), std::string::npos);
  }
}

TEST(AccountantTest, TheSentenceNeverSaysLessThanTheBound) {
  Guarantee guarantee{.epsilon = 10.5641, .delta = 1e-6};
  EXPECT_NE(Meaning(guarantee).find("e^10.57 = "), std::string::npos);
  guarantee.epsilon = 0.00047;
  EXPECT_NE(Meaning(guarantee).find("= 1.001 times"), std::string::npos);
  guarantee.epsilon = 14501;
  EXPECT_EQ(Meaning(guarantee).find("inf"), std::string::npos);
}

TEST(AccountantTest, OddsSentenceCountsDelta) {
  // Rule 8: (e^epsilon + delta) / (1 + e^epsilon).
  EXPECT_DOUBLE_EQ(GuessedRight(std::log(3.0), 0.0), 0.75);
  EXPECT_DOUBLE_EQ(GuessedRight(std::log(3.0), 0.1), 3.1 / 4);
  EXPECT_DOUBLE_EQ(GuessedRight(1e6, 0.5), 1.0);
}

TEST(AccountantTest, RefusesMixedUnitsAndAdjacencies) {
  Event other = kRounds;
  other.unit = Unit::kExample;
  EXPECT_THROW(
      Account(std::vector<Event>{kRounds, other}, 1e-6, Accountant::kPld),
      Error);
  other = kRounds;
  other.adjacency = Adjacency::kReplaceOne;
  EXPECT_THROW(
      Account(std::vector<Event>{kRounds, other}, 1e-6, Accountant::kRdp),
      Error);
  EXPECT_THROW(Account({}, 1e-6, Accountant::kPld), Error);
}

}  // namespace
}  // namespace sfumato::dp
