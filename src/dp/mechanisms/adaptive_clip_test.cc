#include "dp/mechanisms/adaptive_clip.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "dp/mechanisms/falsify_testing.h"

namespace sfumato::dp {
namespace {

TEST(AdaptiveClipTest, UpdateAndBitsTogetherHaveTheWholeNoiseMultiplier) {
  // By hand: z = 3, 2s = 5: (1/9 - 1/25)^(-1/2) = 15/4.
  EXPECT_NEAR(UpdateNoiseMultiplier(3, 2.5), 3.75, 1e-14);
  for (const double z : {0.01, 0.5, 1.0, 7.0, 99.9}) {
    for (const double s : {50.0, 51.0, 1000.0}) {
      const std::vector<double> both = {UpdateNoiseMultiplier(z, s), 2 * s};
      EXPECT_NEAR(JointNoiseMultiplier(both), z, 1e-9 * z) << z << " " << s;
    }
  }
}

// Rule 1: one cohort, one event.
TEST(AdaptiveClipTest, ARoundIsOneEventWithTheJointNoise) {
  const AdaptiveClip clip(
      {.noise_multiplier = 0.7,
       .bits_deviation = 5,
       .expected_cohort = 100,
       .participants = {.sampling = Poisson{.rate = 0.01}}});
  NoiseSource noise = NoiseSource::Simulation(1);
  const auto round = clip.Release(clip.EmptySum(3, "round 7"), noise);
  EXPECT_EQ(round.event(), clip.Event("round 7"));
  EXPECT_EQ(std::get<Gaussian>(round.event().mechanism).noise_multiplier, 0.7);
  EXPECT_EQ(round.event().cohort, "round 7");
  EXPECT_EQ(round.event().count, 1);
}

TEST(AdaptiveClipTest, NoiseOnUpdateAndBitsIsWhatThePaperSays) {
  // z 3 and bits 2.5 leave 3.75 for the update, times a clip norm of 2, over a
  // cohort of 10. 4000 rounds of 50 numbers.
  const AdaptiveClip clip({.noise_multiplier = 3,
                           .bits_deviation = 2.5,
                           .expected_cohort = 10,
                           .initial_clip_norm = 2});
  NoiseSource noise = NoiseSource::Simulation(2);
  double of_mean = 0;
  double of_share = 0;
  constexpr int kRounds = 4000;
  for (int i = 0; i < kRounds; ++i) {
    const AdaptiveRound round =
        clip.Release(clip.EmptySum(50, ""), noise).value();
    for (const float x : round.mean) of_mean += std::pow(x / 0.75, 2);
    of_share += std::pow((round.share_within - 0.5) / 0.25, 2);
  }
  const auto p_value = [](double squares, int n) {
    const double above = UpperGamma(0.5 * n, 0.5 * squares);
    return 2 * std::min(above, 1 - above);
  };
  EXPECT_GT(p_value(of_mean, 50 * kRounds), kFalseAlarm);
  EXPECT_GT(p_value(of_share, kRounds), kFalseAlarm);
  EXPECT_LT(p_value(of_share / 0.81, kRounds), kFalseAlarm);  // 10 % less
}

TEST(AdaptiveClipTest, TheShareIsThatOfTheNormsWithin) {
  const AdaptiveClip clip({.noise_multiplier = 0.01,
                           .bits_deviation = 0.02,
                           .expected_cohort = 4,
                           .initial_clip_norm = 1});
  NoiseSource noise = NoiseSource::Simulation(3);
  ClippedSum sum = clip.EmptySum(1, "");
  for (const float norm : {0.5f, 0.9f, 1.0f, 4.0f}) {
    sum.Add(std::vector<float>{norm});
  }
  const auto round = clip.Release(std::move(sum), noise);
  EXPECT_NEAR(round.value().share_within, 0.75, 10 * 0.02 / 4);
}

TEST(AdaptiveClipTest, OneStepIsGeometric) {
  AdaptiveClip clip({.noise_multiplier = 0.01,
                     .bits_deviation = 1,
                     .expected_cohort = 100,
                     .target_quantile = 0.25,
                     .learning_rate = 0.5,
                     .initial_clip_norm = 2});
  NoiseSource noise = NoiseSource::Simulation(4);
  const auto round = clip.Release(clip.EmptySum(1, ""), noise);
  clip.Absorb(round);
  EXPECT_NEAR(clip.clip_norm(),
              2 * std::exp(-0.5 * (round.value().share_within - 0.25)), 1e-12);
}

TEST(AdaptiveClipTest, ResumesFromACheckpointsClipNorm) {
  AdaptiveClip clip(
      {.noise_multiplier = 1, .bits_deviation = 5, .expected_cohort = 100});
  clip.Resume(0.375);
  EXPECT_EQ(clip.clip_norm(), 0.375);
  EXPECT_EQ(clip.EmptySum(1, "").clip_norm(), 0.375);
  for (const double bad : {0.0, -1.0, std::nan("")}) {
    ExpectBadInput([&] { clip.Resume(bad); }, "clip norm");
  }
}

TEST(AdaptiveClipTest, TheExpectedWeightDividesTheMeanAndNotTheShare) {
  const AdaptiveClip clip({.noise_multiplier = 0.001,
                           .bits_deviation = 0.02,
                           .expected_cohort = 2,
                           .expected_weight = 0.25,
                           .initial_clip_norm = 1});
  NoiseSource noise = NoiseSource::Simulation(3);
  ClippedSum sum = clip.EmptySum(1, "");
  sum.Add(std::vector<float>{1}, 0.5);
  sum.Add(std::vector<float>{1}, 0.25);
  const AdaptiveRound round = clip.Release(std::move(sum), noise).value();
  EXPECT_NEAR(round.mean[0], 0.75 / (2 * 0.25), 10 * 0.001 / 0.5);
  EXPECT_NEAR(round.share_within, 1, 10 * 0.02 / 2);
}

// Norms are e^N(0, 0.25): their quantile q is e^(0.5 * normal quantile).
double ClipNormAfter(double quantile, double initial, int rounds) {
  AdaptiveClip clip({.noise_multiplier = 1,
                     .bits_deviation = 5,
                     .expected_cohort = 100,
                     .target_quantile = quantile,
                     .initial_clip_norm = initial});
  NoiseSource noise = NoiseSource::Simulation(5);
  base::Rng rng(6);
  for (int round = 0; round < rounds; ++round) {
    ClippedSum sum = clip.EmptySum(1, "");
    for (int i = 0; i < 100; ++i) {
      sum.Add(
          std::vector<float>{static_cast<float>(std::exp(0.5 * rng.Normal()))});
    }
    clip.Absorb(clip.Release(std::move(sum), noise));
  }
  return clip.clip_norm();
}

TEST(AdaptiveClipTest, FindsTheQuantileFromFarAway) {
  // 0.5 * (0, 1.2816, -1.2816). The norm wanders by about 5 %; from a hundred
  // times too low or too high it takes 4.6 / (0.2 * 0.1) rounds at worst.
  for (const double initial : {0.01, 100.0}) {
    EXPECT_NEAR(std::log(ClipNormAfter(0.5, initial, 400)), 0, 0.3);
    EXPECT_NEAR(std::log(ClipNormAfter(0.9, initial, 400)), 0.6408, 0.3);
    EXPECT_NEAR(std::log(ClipNormAfter(0.1, initial, 400)), -0.6408, 0.3);
  }
}

TEST(AdaptiveClipTest, RefusesNumbersThatCannotBe) {
  const AdaptiveClipOptions good{
      .noise_multiplier = 1, .bits_deviation = 5, .expected_cohort = 100};
  AdaptiveClip accepted(good);
  const auto refuses = [&](double AdaptiveClipOptions::* field, double value) {
    AdaptiveClipOptions bad = good;
    bad.*field = value;
    ExpectBadInput([&] { AdaptiveClip clip(bad); },
                   std::to_string(value).c_str());
  };
  for (const double value : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    refuses(&AdaptiveClipOptions::noise_multiplier, value);
    refuses(&AdaptiveClipOptions::bits_deviation, value);
    refuses(&AdaptiveClipOptions::expected_cohort, value);
    refuses(&AdaptiveClipOptions::expected_weight, value);
    refuses(&AdaptiveClipOptions::target_quantile, value);
    refuses(&AdaptiveClipOptions::learning_rate, value);
    refuses(&AdaptiveClipOptions::initial_clip_norm, value);
  }
  // Bits that alone cost as much as the whole leave nothing for the update.
  refuses(&AdaptiveClipOptions::bits_deviation, 0.5);
}

}  // namespace
}  // namespace sfumato::dp
