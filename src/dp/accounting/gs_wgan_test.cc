#include "dp/accounting/gs_wgan.h"

#include <cmath>
#include <limits>

#include "base/error.h"
#include "dp/accounting/gaussian.h"
#include "dp/accounting/rdp.h"
#include "gtest/gtest.h"

namespace sfumato::dp {
namespace {

constexpr GsWganOptions kPaper;  // the defaults are the paper's setting

TEST(GsWganTest, ThePublishedEpsilonIsReproduced) {
  EXPECT_NEAR(GsWganEpsilon(kPaper).published, 9.992624, 5.1e-7);
}

TEST(GsWganTest, RoundRobinCosts379) {
  // 20 turns of 32 gradients: mu = sqrt(640)/1.07.
  EXPECT_NEAR(GsWganEpsilon(kPaper).strict, 379, 1);
  EXPECT_DOUBLE_EQ(GsWganEpsilon(kPaper).strict,
                   GaussianEpsilon(std::sqrt(640) / 1.07, 1e-5));
}

TEST(GsWganTest, HonestSigmasOfTheRoundRobin) {
  EXPECT_NEAR(GsWganSigma(kPaper, 10), 12.65, 0.0051);
  EXPECT_NEAR(GsWganSigma(kPaper, 1), 94.4, 0.051);
  GsWganOptions one = kPaper;
  one.batch = 1;
  EXPECT_NEAR(GsWganSigma(one, 10), 2.236, 5.1e-4);
  EXPECT_NEAR(GsWganSigma(one, 1), 16.68, 0.0051);
  // What was asked for comes back.
  GsWganOptions honest = kPaper;
  honest.sigma = GsWganSigma(kPaper, 10);
  EXPECT_NEAR(GsWganEpsilon(honest).strict, 10, 1e-9);
}

constexpr GsWganOptions kRandom{.schedule = CriticSchedule::kRandom};

TEST(GsWganTest, TheRandomScheduleCosts610) {
  const double strict = GsWganEpsilon(kRandom).strict;
  EXPECT_NEAR(strict, 610, 1);
  // Never above the Rényi accountant's answer for the same events.
  EXPECT_LE(strict, RdpEpsilon(GsWganEvents(kRandom), 1e-5).epsilon);
  EXPECT_NEAR(GsWganSigma(kRandom, 10), 14.02, 0.0051);
  EXPECT_NEAR(GsWganSigma(kRandom, 1), 100.8, 0.051);
}

TEST(GsWganTest, EventsSayWhatOneRecordMayMove) {
  const Event turns = GsWganEvents(kPaper).front();
  EXPECT_EQ(turns.count, 20);
  EXPECT_EQ(turns.adjacency, Adjacency::kReplaceOne);
  EXPECT_EQ(turns.unit, Unit::kExample);
  EXPECT_TRUE(std::holds_alternative<All>(turns.sampling));
  // D = order mu^2 / 2 with mu^2 = 32/1.07^2 a step.
  EXPECT_NEAR(Rdp(turns, 3).divergence, 3 * 32 / (2 * 1.07 * 1.07), 1e-9);

  const Event draws = GsWganEvents(kRandom).front();
  EXPECT_EQ(draws.count, 20000);
  EXPECT_EQ(std::get<Revealed>(draws.sampling).rate, 0.001);
}

TEST(GsWganTest, OneUpdateMoreThanAWholeTurnCostsAnother) {
  // The published loop makes 20,001 updates.
  GsWganOptions more = kPaper;
  more.steps = 20001;
  EXPECT_EQ(GsWganEvents(more).front().count, 21);
  EXPECT_GT(GsWganEpsilon(more).strict, GsWganEpsilon(kPaper).strict);
}

TEST(GsWganTest, RefusesImpossibleNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(GsWganEpsilon({.critics = 0}), Error);
  EXPECT_THROW(GsWganEpsilon({.batch = 0}), Error);
  EXPECT_THROW(GsWganEpsilon({.steps = 0}), Error);
  EXPECT_THROW(GsWganEpsilon({.sigma = nan}), Error);
  EXPECT_THROW(GsWganEpsilon({.sigma = 0}), Error);
  EXPECT_THROW(GsWganEpsilon({.delta = 1}), Error);
  EXPECT_THROW(GsWganEpsilon({.batch = INT64_MAX, .steps = INT64_MAX}), Error);
}

}  // namespace
}  // namespace sfumato::dp
