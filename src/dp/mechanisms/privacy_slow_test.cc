// Attempts to falsify what the mechanisms claim: run each on two neighbouring
// inputs many times, and look for an event that is likelier on one of them than
// epsilon and delta allow. Every attempt has twins on broken mechanisms, which
// must be caught: too little noise, a clip forgotten, a sensitivity halved, a
// part of the release not counted.
//
// Noise is seeded. A right mechanism would be called wrong once in 10^7 runs (a
// few dozen checks of kFalseAlarm each).

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "dp/mechanisms/adaptive_clip.h"
#include "dp/mechanisms/falsify_testing.h"
#include "dp/mechanisms/gaussian_mechanism.h"
#include "dp/mechanisms/key_histogram.h"
#include "dp/mechanisms/noisy_vote.h"
#include "dp/mechanisms/private_count.h"
#include "dp/mechanisms/private_quantile.h"
#include "dp/mechanisms/vote_histogram.h"

namespace sfumato::dp {
namespace {

constexpr int kTimes = 300'000;

std::vector<double> Repeat(const std::function<double()>& release) {
  std::vector<double> values(kTimes);
  for (double& value : values) value = release();
  return values;
}

Tries CountIf(const std::vector<double>& values,
              const std::function<bool(double)>& hit) {
  Tries tries;
  for (const double value : values) ++(hit(value) ? tries.hits : tries.misses);
  return tries;
}

// Both directions of the claim at one epsilon, for the events "above" and
// "below" a threshold.
bool FalsifiedAt(const std::vector<double>& with,
                 const std::vector<double>& without, double threshold,
                 double epsilon, double delta) {
  const auto above = [&](double x) { return x > threshold; };
  const auto below = [&](double x) { return x <= threshold; };
  return Falsified(CountIf(with, above), CountIf(without, above), epsilon,
                   delta) ||
         Falsified(CountIf(without, below), CountIf(with, below), epsilon,
                   delta);
}

// Whether samples contradict that `with` is a Gaussian moved by mu deviations
// at most: values are in deviations, and `without` lies around zero. Looks
// where the likelihood ratio of the claim is e^epsilon and e^-epsilon.
bool ContradictsGaussian(const std::vector<double>& with,
                         const std::vector<double>& without, double mu) {
  for (const double epsilon : {0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0}) {
    const double delta = ExactGaussianDelta(mu, epsilon);
    if (FalsifiedAt(with, without, mu / 2 + epsilon / mu, epsilon, delta) ||
        FalsifiedAt(with, without, mu / 2 - epsilon / mu, epsilon, delta)) {
      return true;
    }
  }
  return false;
}

// The released mean along the direction of the user in question, in deviations
// of the noise that is claimed. Others answered too, and cancel.
struct GaussianCase {
  double noise_multiplier;
  double clip_norm;
  double user;  // the user's update along (0.6, 0.8); 0: took no part
  double claimed_deviation;
};
std::vector<double> GaussianReleases(const GaussianCase& c,
                                     std::uint64_t seed) {
  const GaussianMechanism mechanism(
      {.noise_multiplier = c.noise_multiplier, .clip_norm = c.clip_norm});
  NoiseSource noise = NoiseSource::Simulation(seed);
  const std::vector<float> other = {0.1f, -0.2f};
  const std::vector<float> user = {static_cast<float>(0.6 * c.user),
                                   static_cast<float>(0.8 * c.user)};
  return Repeat([&] {
    ClippedSum sum = mechanism.EmptySum(2, "");
    sum.Add(other);
    if (c.user != 0) sum.Add(user);
    const auto mean = mechanism.ReleaseMean(std::move(sum), 50, noise).value();
    return (0.6 * (50 * mean[0] - 0.1) + 0.8 * (50 * mean[1] + 0.2)) /
           c.claimed_deviation;
  });
}

TEST(GaussianPrivacyTest, AUserOfAnyNormCostsWhatTheEventSays) {
  // Clip norm 0.5, noise multiplier 1; a norm of a million is clipped to 0.5.
  const auto without = GaussianReleases({1, 0.5, 0, 0.5}, 1);
  for (const double norm : {0.3, 0.5, 1e6}) {
    const auto with = GaussianReleases({1, 0.5, norm, 0.5}, 2);
    EXPECT_FALSE(ContradictsGaussian(with, without, 1)) << norm;
  }
}

TEST(GaussianPrivacyTest, NoiseTooSmallByTenPerCentIsCaught) {
  const auto without = GaussianReleases({0.9, 0.5, 0, 0.5}, 3);
  const auto with = GaussianReleases({0.9, 0.5, 1e6, 0.5}, 4);
  EXPECT_TRUE(ContradictsGaussian(with, without, 1));
}

TEST(GaussianPrivacyTest, AForgottenClipIsCaught) {
  // A clip norm of 50 with a hundredth of the multiplier has the same noise and
  // clips nothing: what forgetting would do to a user of norm 0.65.
  const auto without = GaussianReleases({0.01, 50, 0, 0.5}, 5);
  const auto with = GaussianReleases({0.01, 50, 0.65, 0.5}, 6);
  EXPECT_TRUE(ContradictsGaussian(with, without, 1));
}

TEST(GaussianPrivacyTest, ReplacingAUserCostsTwiceTheClipNorm) {
  const auto one = GaussianReleases({2, 0.5, -1e6, 1}, 7);
  const auto other = GaussianReleases({2, 0.5, 1e6, 1}, 8);
  std::vector<double> from_one = one;
  std::vector<double> from_other = other;
  // Around zero: the first user's half clip norm is half a deviation.
  for (double& x : from_one) x += 0.5;
  for (double& x : from_other) x += 0.5;
  EXPECT_FALSE(ContradictsGaussian(from_other, from_one, 1));
  // Its twin: sensitivity halved, as if a replaced user moved the sum by S.
  EXPECT_TRUE(ContradictsGaussian(from_other, from_one, 0.5));
}

TEST(AdaptiveClipPrivacyTest, UpdateAndBitTogetherCostTheJointNoise) {
  // z = 1 and bits of deviation 0.6 leave 1.809 for the update. The best
  // evidence is the sum of both, each over its variance; in deviations of that.
  const double bits = 0.6;
  const double update = UpdateNoiseMultiplier(1, bits);
  const AdaptiveClip clip({.noise_multiplier = 1,
                           .bits_deviation = bits,
                           .expected_cohort = 10,
                           .initial_clip_norm = 1});
  NoiseSource noise = NoiseSource::Simulation(9);
  const auto releases = [&](bool with) {
    return Repeat([&] {
      ClippedSum sum = clip.EmptySum(1, "");
      if (with) sum.Add(std::vector<float>{1.0f});  // within: bit one
      const AdaptiveRound round = clip.Release(std::move(sum), noise).value();
      return 10 * round.mean[0] / (update * update) +
             10 * (round.share_within - 0.5) * 0.5 / (bits * bits);
    });
  };
  const auto with = releases(true);
  const auto without = releases(false);
  EXPECT_FALSE(ContradictsGaussian(with, without, 1));
  // Its twin: the bits not counted.
  EXPECT_TRUE(ContradictsGaussian(with, without, 1 / update));
}

// Sum of exp(-(x - shift)^2 / 2v) above, over all x: the exact hockey-stick
// divergence between discrete Gaussians one apart.
double DiscreteDelta(double variance, double epsilon) {
  const auto weight = [&](double x) {
    return std::exp(-x * x / (2 * variance));
  };
  double total = 0;
  double delta = 0;
  for (int x = -500; x <= 500; ++x) {
    total += weight(x);
    delta += std::max(0.0, weight(x - 1) - std::exp(epsilon) * weight(x));
  }
  return delta / total;
}

bool ContradictsDiscrete(const std::vector<double>& with,
                         const std::vector<double>& without, double variance) {
  for (const double epsilon : {0.0, 0.2, 0.5, 1.0}) {
    const double delta = DiscreteDelta(variance, epsilon);
    for (const double threshold :
         {0.5 + epsilon * variance, 0.5 - epsilon * variance}) {
      if (FalsifiedAt(with, without, threshold, epsilon, delta)) return true;
    }
  }
  return false;
}

std::vector<double> Counts(double noise_multiplier, std::int64_t count,
                           std::uint64_t seed) {
  const PrivateCount mechanism({.noise_multiplier = noise_multiplier});
  NoiseSource noise = NoiseSource::Simulation(seed);
  return Repeat([&] {
    return static_cast<double>(
        mechanism.Release(40 + count, "", noise).value() - 40);
  });
}

TEST(CountPrivacyTest, OneMoreCostsADiscreteGaussian) {
  EXPECT_FALSE(
      ContradictsDiscrete(Counts(1.5, 1, 11), Counts(1.5, 0, 12), 1.5 * 1.5));
  // Twins: noise too small by 10 %, and someone who counts twice.
  EXPECT_TRUE(ContradictsDiscrete(Counts(0.9 * 1.5, 1, 13),
                                  Counts(0.9 * 1.5, 0, 14), 1.5 * 1.5));
  EXPECT_TRUE(
      ContradictsDiscrete(Counts(1.5, 2, 15), Counts(1.5, 0, 16), 1.5 * 1.5));
}

TEST(HistogramPrivacyTest, OneMoreCostsADiscreteGaussian) {
  const PrivateHistogram histogram({.noise_multiplier = 1.5}, 3);
  NoiseSource noise = NoiseSource::Simulation(17);
  const auto releases = [&](const std::vector<std::int64_t>& bin_of_unit) {
    return Repeat([&] {
      return static_cast<double>(
          histogram.Release(bin_of_unit, "", noise).value()[1] - 2);
    });
  };
  const auto without = releases({0, 1, 1, 2});
  EXPECT_FALSE(ContradictsDiscrete(releases({0, 1, 1, 2, 1}), without, 2.25));
  EXPECT_TRUE(ContradictsDiscrete(releases({0, 1, 1, 2, 1, 1}), without, 2.25));
}

// Two units in a histogram of three cells; the unit in question marks two of
// them, or nothing. What shows it best is the sum of those two counts.
std::vector<double> MarkedSums(const VoteNoise& noise, std::int64_t marks,
                               const std::vector<std::int64_t>& marked,
                               std::uint64_t seed) {
  const VoteHistogram votes({.cells = 3, .marks = marks, .noise = noise});
  NoiseSource source = NoiseSource::Simulation(seed);
  const std::vector<std::vector<std::int64_t>> units = {{0}, {2}, marked};
  return Repeat([&] {
    const auto counts = votes.Release(units, "", source).value();
    return static_cast<double>(counts[0] + counts[1] - 1);
  });
}

// At every threshold: a pure claim has the same epsilon everywhere.
bool ContradictsPure(const std::vector<double>& with,
                     const std::vector<double>& without, double epsilon) {
  for (const double threshold : {-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5}) {
    if (FalsifiedAt(with, without, threshold, epsilon, 0)) return true;
  }
  return false;
}

TEST(VoteHistogramPrivacyTest, AUnitThatMarksOneCellCostsEpsilon) {
  const VoteNoise noise = LaplaceNoiseFor(0.5, 1);
  const auto one = [&](const std::vector<std::int64_t>& marked,
                       std::uint64_t seed) {
    const VoteHistogram votes({.cells = 3, .noise = noise});
    NoiseSource source = NoiseSource::Simulation(seed);
    const std::vector<std::vector<std::int64_t>> units = {{0}, {2}, marked};
    return Repeat([&] {
      return static_cast<double>(votes.Release(units, "", source).value()[1]);
    });
  };
  const auto without = one({}, 41);
  // However often it marks, and whatever else.
  const auto with = one({1, 1, 2, 0}, 42);
  EXPECT_FALSE(ContradictsPure(with, without, 0.5));
  // Attained: a tenth less is false.
  EXPECT_TRUE(ContradictsPure(with, without, 0.45));
}

TEST(VoteHistogramPrivacyTest, SurplusMarksShowNowhere) {
  const VoteNoise noise = LaplaceNoiseFor(0.5, 1);
  const auto all = [&](std::int64_t marks,
                       const std::vector<std::int64_t>& marked,
                       std::uint64_t seed) {
    const VoteHistogram votes({.cells = 3, .marks = marks, .noise = noise});
    NoiseSource source = NoiseSource::Simulation(seed);
    const std::vector<std::vector<std::int64_t>> units = {{0}, {2}, marked};
    return Repeat([&] {
      const auto counts = votes.Release(units, "", source).value();
      return static_cast<double>(counts[0] + counts[1] + counts[2] - 2);
    });
  };
  EXPECT_FALSE(ContradictsPure(all(1, {1, 2, 0}, 53), all(1, {}, 54), 0.5));
  // Twin: a mechanism that counts all three.
  EXPECT_TRUE(ContradictsPure(all(3, {1, 2, 0}, 55), all(3, {}, 56), 0.5));
}

TEST(VoteHistogramPrivacyTest, AUnitThatMarksTwoCellsCostsBoth) {
  const VoteNoise noise = LaplaceNoiseFor(1, 2);  // 1/2 for each of two
  const auto without = MarkedSums(noise, 2, {}, 43);
  const auto with = MarkedSums(noise, 2, {0, 1}, 44);
  // The claim's exact curve is that of two releases of 1/2: (e - e^eps) / (1 +
  // e^(1/2))^2 at eps above 0, from both saying yes.
  const auto claimed = [](double epsilon) {
    const double yes = std::exp(0.5) / (1 + std::exp(0.5));
    return yes * yes - std::exp(epsilon) * (1 - yes) * (1 - yes);
  };
  for (const double epsilon : {0.0, 0.25, 0.5, 0.75}) {
    for (const double threshold : {0.5, 1.5, 2.5, 3.5}) {
      EXPECT_FALSE(
          FalsifiedAt(with, without, threshold, epsilon, claimed(epsilon)))
          << epsilon;
    }
  }
  // Twin: the noise of one mark under a unit that marks two.
  const VoteNoise small = LaplaceNoiseFor(0.5, 1);
  EXPECT_TRUE(ContradictsPure(MarkedSums(small, 2, {0, 1}, 45),
                              MarkedSums(small, 2, {}, 46), 0.5));
  // Twin: a unit whose surplus marks count.
  EXPECT_TRUE(ContradictsPure(MarkedSums(small, 3, {0, 1, 2}, 47),
                              MarkedSums(small, 3, {}, 48), 0.5));
}

TEST(VoteHistogramPrivacyTest, WithGaussianNoiseACellCostsADiscreteGaussian) {
  const auto votes = [](double deviation, std::uint64_t seed, bool with) {
    const VoteHistogram histogram(
        {.cells = 2, .noise = DiscreteGaussianNoise{deviation}});
    NoiseSource source = NoiseSource::Simulation(seed);
    const std::vector<std::vector<std::int64_t>> units(with ? 2 : 1, {1});
    return Repeat([&] {
      return static_cast<double>(
          histogram.Release(units, "", source).value()[1] - 1);
    });
  };
  EXPECT_FALSE(
      ContradictsDiscrete(votes(1.5, 49, true), votes(1.5, 50, false), 2.25));
  // Twin: noise too small by a tenth.
  EXPECT_TRUE(
      ContradictsDiscrete(votes(1.35, 51, true), votes(1.35, 52, false), 2.25));
}

TEST(KeyHistogramPrivacyTest, AKeyOfOneUnitIsShownWithProbabilityDelta) {
  const KeyHistogram histogram({.noise_multiplier = 3, .delta = 0.02});
  NoiseSource noise = NoiseSource::Simulation(18);
  const auto shown = [&](const std::vector<std::vector<std::string>>& keys) {
    return CountIf(
        Repeat([&] {
          return static_cast<double>(
              histogram.Release(keys, "", noise).value().contains("mine"));
        }),
        [](double x) { return x > 0; });
  };
  const Tries never{.hits = 0, .misses = kTimes};
  const Tries alone = shown({{"theirs"}, {"mine"}, {"theirs"}});
  EXPECT_FALSE(Falsified(alone, never, 0, 0.02));
  EXPECT_GT(alone.hits, 0.015 * kTimes);  // delta is used, not wasted
  // Its twin: a threshold lower by one, which is a count higher by one.
  EXPECT_TRUE(
      Falsified(shown({{"theirs"}, {"mine"}, {"mine"}}), never, 0, 0.02));
}

TEST(KeyHistogramPrivacyTest, AKeyOfManyCostsAGaussian) {
  const auto releases = [](double noise_multiplier, int units,
                           std::uint64_t seed) {
    const KeyHistogram histogram(
        {.noise_multiplier = noise_multiplier, .delta = 0.02});
    NoiseSource noise = NoiseSource::Simulation(seed);
    const std::vector<std::vector<std::string>> keys(
        static_cast<std::size_t>(units), {"ours"});
    return Repeat([&] {
      const auto shown = histogram.Release(keys, "", noise).value();
      const auto ours = shown.find("ours");
      // In claimed deviations of 3; what is not shown lies below everything.
      return ours == shown.end() ? -1e9
                                 : (static_cast<double>(ours->second) - 10) / 3;
    });
  };
  EXPECT_FALSE(
      ContradictsGaussian(releases(3, 11, 19), releases(3, 10, 20), 1.0 / 3));
  // Twins: sensitivity halved, noise halved.
  EXPECT_TRUE(
      ContradictsGaussian(releases(3, 12, 21), releases(3, 10, 22), 1.0 / 3));
  EXPECT_TRUE(ContradictsGaussian(releases(1.5, 11, 23), releases(1.5, 10, 24),
                                  1.0 / 3));
}

TEST(QuantilePrivacyTest, NoCellBecomesLikelierThanEpsilonAllows) {
  // The neighbours of private_quantile_test's attained bound: a number at the
  // top makes the cell below it likelier by almost e, and all other cells
  // unlikelier.
  const PrivateQuantile quantile({.quantile = 0.5,
                                  .lower = 0,
                                  .upper = 403,
                                  .epsilon = 1,
                                  .candidates = 403});
  NoiseSource noise = NoiseSource::Simulation(25);
  const auto hits = [&](const std::vector<double>& values) {
    return CountIf(
        Repeat([&] { return quantile.Release(values, "", noise).value(); }),
        [](double x) { return x == 401.5; });
  };
  const Tries with = hits({400.5, 400.5, 402.5});
  const Tries without = hits({400.5, 400.5});
  EXPECT_FALSE(Falsified(with, without, 1, 0));
  // Its twin: half of it claimed, as if the sum of the weights stood still.
  EXPECT_TRUE(Falsified(with, without, 0.5, 0));
}

TEST(VotePrivacyTest, OneAgentWhoTurnsAroundCostsRootTwoOverSigma) {
  // Two others vote for class 1; the agent in question for class 0, or for
  // class 1. The winner shows whether the noise on the lead passes a threshold;
  // at epsilon 0.5 the claim is tight there (lead -1 or -3, noise sqrt 8).
  const auto wins = [](double sigma, bool for_zero, std::uint64_t seed) {
    const NoisyVote vote(
        {.classes = 2, .sigma = sigma, .level = Vote::Level::kInstance});
    NoiseSource noise = NoiseSource::Simulation(seed);
    const std::vector<float> votes = {
        0, 1, 0, 1, for_zero ? 1.0f : 0.0f, for_zero ? 0.0f : 1.0f};
    return CountIf(
        Repeat([&] {
          return static_cast<double>(vote.Release(votes, noise).value());
        }),
        [](double winner) { return winner == 0; });
  };
  const double delta = ExactGaussianDelta(std::sqrt(2.0) / 2, 0.5);
  EXPECT_FALSE(Falsified(wins(2, true, 29), wins(2, false, 30), 0.5, delta));
  // Twins: noise too small by 10 %; the agent level's sensitivity of 1.
  EXPECT_TRUE(Falsified(wins(1.8, true, 31), wins(1.8, false, 32), 0.5, delta));
  EXPECT_TRUE(Falsified(wins(2, true, 33), wins(2, false, 34), 0.5,
                        ExactGaussianDelta(0.5, 0.5)));
}

}  // namespace
}  // namespace sfumato::dp
