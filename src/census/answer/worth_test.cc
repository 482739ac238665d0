#include "census/answer/worth.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "census/answer/answer_testing.h"

namespace sfumato::census {
namespace {

// Of people of whom `share` always answer oddly with chance `odd`, and the
// others never.
std::vector<PersonAnswers> Asked(int persons, int each, double share,
                                 double odd, base::Rng& rng) {
  std::vector<PersonAnswers> people(static_cast<std::size_t>(persons));
  for (PersonAnswers& one : people) {
    const double rate = rng.Bernoulli(share) ? odd : 0;
    one.asked = each;
    for (int i = 0; i < each; ++i) one.odd += rng.Bernoulli(rate) ? 1 : 0;
  }
  return people;
}

TEST(WorthTest, WhoIsAskedOnceIsWorthOne) {
  EXPECT_EQ(WorthOf(std::vector<PersonAnswers>{}), 0);
  const std::vector<PersonAnswers> once(70, {.asked = 1, .odd = 1});
  EXPECT_EQ(WorthOf(once), 70);
}

TEST(WorthTest, PeopleWhoAlwaysAnswerAlikeAreWorthOneEach) {
  const std::vector<PersonAnswers> never(50, {.asked = 20, .odd = 0});
  EXPECT_EQ(WorthOf(never), 50);
  std::vector<PersonAnswers> some = never;
  for (std::size_t i = 0; i < 5; ++i) some[i].odd = 20;
  EXPECT_EQ(WorthOf(some), 50);
}

// Kish's design effect: 1 + (m - 1) r, with r the chance of another odd answer
// of the same person: 5 % where answers are independent, 50 % where a tenth of
// the people answer oddly half of the time.
TEST(WorthTest, IsTheDesignEffectOfClusters) {
  base::Rng rng(3);
  const double independent = 1000 * 40 / (1 + 39 * 0.05);
  EXPECT_NEAR(static_cast<double>(WorthOf(Asked(1000, 40, 1, 0.05, rng))),
              independent, 0.05 * independent);
  const double clustered = 1000 * 40 / (1 + 39 * 0.5);
  EXPECT_NEAR(static_cast<double>(WorthOf(Asked(1000, 40, 0.1, 0.5, rng))),
              clustered, 0.05 * clustered);
}

// One in twenty people is always taken for one of three families, whatever of
// their examples are looked at. Reference users are 40 of each of 100 people;
// who is asked is somebody else. Counted as 4,000 independent users they seem
// to know a rate that they do not.
struct Alarms {
  int as_worth = 0;
  int as_many = 0;
};
Alarms OfClusteredPeople(int times) {
  constexpr NoiseLaw kNoise{.kind = NoiseKind::kLaplace, .parameter = 2};
  constexpr int kPeople = 100;
  constexpr int kEach = 40;
  Alarms alarms;
  for (int i = 0; i < times; ++i) {
    base::Rng rng(17, {static_cast<std::uint64_t>(i)});
    const TrueVoter voter{.families = 8, .healthy = std::vector<double>(11, 0)};
    const auto cell_of_person = [&] {
      return rng.Bernoulli(0.05) ? 1 + rng.Below(3) : 0;
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
    std::vector<PersonAnswers> people;
    for (int person = 0; person < kPeople; ++person) {
      const std::size_t cell = cell_of_person();
      healthy.votes[cell] += kEach;
      people.push_back({.asked = kEach, .odd = cell == 0 ? 0 : kEach});
    }
    Counts counts{.noise = kNoise};
    counts.counts.emplace_back(voter.cells(), 0.0);
    for (int user = 0; user < 1500; ++user)
      ++counts.counts[0][cell_of_person()];
    for (double& count : counts.counts[0]) {
      count += static_cast<double>(Draw(kNoise, rng));
    }
    const auto differs = [&](std::int64_t worth) {
      healthy.worth = worth;
      return AnswerOf(counts, calibration, {.draws = 1}).verdict ==
             CensusVerdict::kDiffers;
    };
    alarms.as_worth += differs(WorthOf(people)) ? 1 : 0;
    alarms.as_many += differs(0) ? 1 : 0;
  }
  return alarms;
}

// At a level of 1 %, 4 of 400 are allowed on average; more than 12 have a
// chance below 0.001.
TEST(WorthTest, KeepsTheLevelWherePeopleAnswerAlike) {
  const Alarms alarms = OfClusteredPeople(400);
  EXPECT_LE(alarms.as_worth, 12);
  EXPECT_GT(alarms.as_many, 40);
}

}  // namespace
}  // namespace sfumato::census
