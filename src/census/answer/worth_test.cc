#include "census/answer/worth.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "base/random.h"
#include "census/answer/answer_testing.h"

namespace sfumato::census {
namespace {

using People = std::vector<PersonAnswers>;

// Of people of whom `share` always mark the second cell with chance `odd`, and
// the others never.
People Asked(int persons, int each, double share, double odd, base::Rng& rng) {
  People people(static_cast<std::size_t>(persons));
  for (PersonAnswers& one : people) {
    const double rate = rng.Bernoulli(share) ? odd : 0;
    one = {.asked = each, .marks = {each, 0}};
    for (int i = 0; i < each; ++i) {
      if (!rng.Bernoulli(rate)) continue;
      --one.marks[0];
      ++one.marks[1];
    }
  }
  return people;
}

TEST(WorthTest, WhoIsAskedOnceIsWorthOne) {
  EXPECT_TRUE(WorthsOf(People{}, 2).empty());
  const People once(70, {.asked = 1, .marks = {0, 1}});
  EXPECT_EQ(WorthsOf(once, 2), (std::vector<std::int64_t>{70, 70}));
}

TEST(WorthTest, PeopleWhoAlwaysAnswerAlikeAreWorthOneEach) {
  const People never(50, {.asked = 20, .marks = {20, 0}});
  EXPECT_EQ(WorthsOf(never, 2), (std::vector<std::int64_t>{50, 50}));
  People some = never;
  for (std::size_t i = 0; i < 5; ++i) some[i].marks = {0, 20};
  EXPECT_EQ(WorthsOf(some, 2), (std::vector<std::int64_t>{50, 50}));
}

// Kish's design effect: 1 + (m - 1) r, with r the chance of another such answer
// of the same person: 5 % where answers are independent, 50 % where a tenth of
// the people answer so half of the time. What is said of one cell says as much
// of the only other one.
TEST(WorthTest, IsTheDesignEffectOfClusters) {
  base::Rng rng(3);
  const double independent = 1000 * 40 / (1 + 39 * 0.05);
  const double clustered = 1000 * 40 / (1 + 39 * 0.5);
  for (const std::int64_t worth : WorthsOf(Asked(1000, 40, 1, 0.05, rng), 2)) {
    EXPECT_NEAR(static_cast<double>(worth), independent, 0.05 * independent);
  }
  for (const std::int64_t worth : WorthsOf(Asked(1000, 40, 0.1, 0.5, rng), 2)) {
    EXPECT_NEAR(static_cast<double>(worth), clustered, 0.05 * clustered);
  }
}

// Numerically, by the bivariate normal distribution: of 2,000 users of 23
// examples, who exceed a margin with chance 0.0005, as many are independent as
// 110 where they are made of 80 examples, 400 of 160, 1,404 of 800, 1,861 of
// 4,000.
TEST(WorthTest, UsersOfASmallPoolAreAlike) {
  const std::pair<int, double> exact[] = {
      {80, 110}, {160, 400}, {800, 1404}, {4000, 1861}};
  for (const auto& [examples, worth] : exact) {
    EXPECT_NEAR(static_cast<double>(WorthOfPool(2000, 23, examples)), worth,
                0.4 * worth)
        << examples;
  }
  EXPECT_EQ(WorthOfPool(2000, 23, 1'000'000), 2000);
  EXPECT_LT(WorthOfPool(2000, 23, 23), 8);
}

// Chance answers in one cell do not show how well a rare one is known.
TEST(WorthTest, EachCellIsKnownByItself) {
  base::Rng rng(4);
  People people = Asked(1000, 20, 1, 0.05, rng);
  for (PersonAnswers& one : people) one.marks.push_back(0);
  const std::vector<std::int64_t> worth = WorthsOf(people, 3);
  EXPECT_GT(worth[1], 8000);
  EXPECT_EQ(worth[2], 1000);
}

// Three in two hundred people are always taken for one family, whatever of
// their examples are looked at, and all people cannot tell now and then.
// Reference users are 40 of each of 100 people; who is asked is somebody else.
// Counted as 4,000 independent users they seem to know a rate that they do not;
// so they do if all odd answers are taken together.
struct Alarms {
  int as_worth = 0;
  int as_together = 0;
  int as_many = 0;
};
Alarms OfClusteredPeople(int times) {
  constexpr NoiseLaw kNoise{.kind = NoiseKind::kLaplace, .parameter = 2};
  constexpr int kPeople = 100;
  constexpr int kEach = 40;
  constexpr double kCannotTellRate = 0.03;
  Alarms alarms;
  for (int i = 0; i < times; ++i) {
    base::Rng rng(17, {static_cast<std::uint64_t>(i)});
    const TrueVoter voter{.families = 8, .healthy = std::vector<double>(11, 0)};
    const auto cell_of_person = [&] {
      return std::size_t{rng.Bernoulli(0.015) ? 1u : 0u};
    };
    const auto answer_of = [&](std::size_t cell) {
      return rng.Bernoulli(kCannotTellRate) ? std::size_t{10} : cell;
    };
    Calibration calibration = Calibrate(
        {.families = 8,
         .healthy = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
         .rates = std::vector(8, std::vector(1, std::vector<double>(11, 0)))},
        rng, kPeople * kEach, 5);
    for (std::size_t f = 0; f < 8; ++f) {
      calibration.states[f + 1].tried[0].votes.assign(11, 0);
      calibration.states[f + 1].tried[0].votes[f + 1] = 5;
    }
    Tried& healthy = calibration.states[0].tried[0];
    healthy.votes.assign(voter.cells(), 0);
    People people;
    People together;
    for (int person = 0; person < kPeople; ++person) {
      const std::size_t cell = cell_of_person();
      PersonAnswers& one = people.emplace_back(PersonAnswers{
          .asked = kEach, .marks = std::vector<std::int64_t>(voter.cells())});
      for (int k = 0; k < kEach; ++k) ++one.marks[answer_of(cell)];
      for (std::size_t a = 0; a < voter.cells(); ++a) {
        healthy.votes[a] += one.marks[a];
      }
      together.push_back({.asked = kEach, .marks = {one.marks[0]}});
    }
    Counts counts{.noise = kNoise};
    counts.counts.emplace_back(voter.cells(), 0.0);
    for (int user = 0; user < 3000; ++user) {
      ++counts.counts[0][answer_of(cell_of_person())];
    }
    for (double& count : counts.counts[0]) {
      count += static_cast<double>(Draw(kNoise, rng));
    }
    const auto differs = [&](const std::vector<std::int64_t>& worth) {
      healthy.worth = worth;
      return AnswerOf(counts, calibration, {.draws = 1}).verdict ==
             CensusVerdict::kDiffers;
    };
    alarms.as_worth += differs(WorthsOf(people, voter.cells())) ? 1 : 0;
    alarms.as_together +=
        differs(std::vector(voter.cells(), WorthsOf(together, 1)[0])) ? 1 : 0;
    alarms.as_many += differs({}) ? 1 : 0;
  }
  return alarms;
}

// At a level of 1 %, 4 of 400 are allowed on average; more than 12 have a
// chance below 0.001.
TEST(WorthTest, KeepsTheLevelWherePeopleAnswerAlike) {
  const Alarms alarms = OfClusteredPeople(400);
  EXPECT_LE(alarms.as_worth, 12);
  EXPECT_GT(alarms.as_together, 40);
  EXPECT_GT(alarms.as_many, 40);
}

}  // namespace
}  // namespace sfumato::census
