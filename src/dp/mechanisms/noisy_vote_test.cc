#include "dp/mechanisms/noisy_vote.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "dp/mechanisms/falsify_testing.h"

namespace sfumato::dp {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// How often class 0 of two wins.
double Wins(const NoisyVoteOptions& options, const std::vector<float>& votes,
            std::uint64_t seed) {
  const NoisyVote vote(options);
  NoiseSource noise = NoiseSource::Simulation(seed);
  int wins = 0;
  for (int i = 0; i < 20'000; ++i) {
    wins += vote.Release(votes, noise).value() == 0;
  }
  return wins / 20'000.0;
}

TEST(NoisyVoteTest, TheMajorityWins) {
  const NoisyVote vote({.classes = 3, .sigma = 1});
  NoiseSource noise = NoiseSource::Simulation(71);
  std::vector<float> votes;
  for (int agent = 0; agent < 50; ++agent) {
    const bool second = agent % 5 != 0;
    votes.insert(votes.end(), {second ? 0.f : 1.f, second ? 1.f : 0.f, 0.f});
  }
  EXPECT_EQ(vote.Release(votes, noise).value(), 1);
}

TEST(NoisyVoteTest, NoiseOfSigmaIsOnEveryTally) {
  // A lead of 2 against noise of deviation sqrt(2) * 2: won with probability
  // 1 - NormalTail(2 / 2.828). 20,000 tries; six deviations of 0.003.
  const double wins =
      Wins({.classes = 2, .sigma = 2}, {1, 0, 1, 0, 1, 0, 0, 1}, 72);
  EXPECT_NEAR(wins, 1 - NormalTail(2 / std::sqrt(8.0)), 0.018);
}

TEST(NoisyVoteTest, AVoteThatIsNoneCountsAsZero) {
  const std::vector<float> good = {1, 0, 1, 0};
  for (const std::vector<float>& odd :
       std::vector<std::vector<float>>{{0, kNan},
                                       {kNan, 1},
                                       {0, kInfinity},
                                       {-kInfinity, 0},
                                       {-1, 1},
                                       {0, 5},
                                       {1, 1},
                                       {0.4f, 1}}) {
    std::vector<float> votes = good;
    votes.insert(votes.end(), odd.begin(), odd.end());
    // 0.4 of a whole vote is none, so that vote is class 1's.
    const bool counts = odd[0] == 0.4f;
    EXPECT_EQ(Wins({.classes = 2, .sigma = 1}, votes, 73) ==
                  Wins({.classes = 2, .sigma = 1}, good, 73),
              !counts)
        << odd[0] << " " << odd[1];
  }
}

TEST(NoisyVoteTest, NeighboursShareAVote) {
  // Three tenths are 0.3, whatever a float makes of it; noise in proportion.
  const NoisyVoteOptions options{.classes = 2, .sigma = 0.2, .neighbours = 10};
  EXPECT_NEAR(Wins(options, {0.7f, 0.3f}, 74),
              1 - NormalTail(0.4 / (0.2 * std::sqrt(2.0))), 0.018);
  EXPECT_EQ(Wins(options, {0.7f, 0.3f}, 74),
            Wins(options, {0.70001f, 0.29999f}, 74));
  // Eleven tenths are no vote.
  EXPECT_EQ(Wins(options, {0.7f, 0.4f}, 74), Wins(options, {}, 74));
}

TEST(NoisyVoteTest, TheEventSaysLevelAndNeighbours) {
  const NoisyVote agent({.classes = 2, .sigma = 25});
  EXPECT_EQ(std::get<Vote>(agent.Event().mechanism), (Vote{.sigma = 25}));
  EXPECT_EQ(agent.Event().unit, Unit::kUser);
  const NoisyVote instance({.classes = 2,
                            .sigma = 25,
                            .level = Vote::Level::kInstance,
                            .neighbours = 10});
  NoiseSource noise = NoiseSource::Simulation(75);
  const Event event = instance.Release({}, noise).event();
  EXPECT_EQ(
      std::get<Vote>(event.mechanism),
      (Vote{.sigma = 25, .level = Vote::Level::kInstance, .neighbours = 10}));
  EXPECT_EQ(event.unit, Unit::kExample);
  EXPECT_TRUE(std::holds_alternative<All>(event.sampling));
}

TEST(NoisyVoteTest, RefusesWhatCannotBe) {
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    ExpectBadInput([&] { NoisyVote vote({.classes = 2, .sigma = bad}); },
                   "sigma");
  }
  ExpectBadInput([&] { NoisyVote vote({.classes = 1, .sigma = 1}); },
                 "classes");
  ExpectBadInput(
      [&] { NoisyVote vote({.classes = 2, .sigma = 1, .neighbours = -1}); },
      "neighbours");
  const NoisyVote vote({.classes = 2, .sigma = 1});
  NoiseSource noise = NoiseSource::Simulation(76);
  ExpectBadInput([&] { vote.Release(std::vector<float>(3), noise); }, "rows");
}

}  // namespace
}  // namespace sfumato::dp
