#include "dp/mechanisms/clip.h"

#include <gtest/gtest.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "dp/mechanisms/falsify_testing.h"
#include "dp/mechanisms/noise.h"

namespace sfumato::dp {

struct ClippedSumPeer {
  static const std::vector<std::int64_t>& Steps(const ClippedSum& sum) {
    return sum.steps_;
  }
  static std::int64_t Below(const ClippedSum& sum) { return sum.below_; }
};

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// In long double: 11 more bits than the double that clipping computes with.
long double Norm(std::span<const float> update) {
  long double sum = 0;
  for (const float x : update) sum += static_cast<long double>(x) * x;
  return std::sqrt(sum);
}

// Squares of whole steps, exactly.
Wide SquaredSteps(std::span<const std::int64_t> steps) {
  Wide sum = 0;
  for (const std::int64_t step : steps) {
    const auto length = static_cast<std::uint64_t>(std::abs(step));
    sum += static_cast<Wide>(length) * length;
  }
  return sum;
}
constexpr Wide kMostSquared = static_cast<Wide>(1) << 72;

// Vectors over all magnitudes of float, among them denormal and the largest,
// and lengths that lie within a few bits of the clip norm.
std::vector<float> RandomUpdate(base::Rng& rng, double clip_norm) {
  std::vector<float> update(1 + rng.Below(40));
  const bool narrow = rng.Bernoulli(0.5);
  const double exponent = rng.Uniform(-149, 127);
  for (float& x : update) {
    const double e = narrow ? exponent + rng.Uniform() : rng.Uniform(-149, 127);
    x = static_cast<float>((rng.Bernoulli(0.5) ? 1 : -1) * std::exp2(e));
  }
  if (rng.Bernoulli(0.3)) {
    const auto scale = static_cast<float>(clip_norm / Norm(update) *
                                          (1 + rng.Uniform(-1e-7, 1e-7)));
    for (float& x : update) x *= scale;
  }
  return update;
}

TEST(ClipToNormTest, NeverLeavesMoreThanTheClipNorm) {
  base::Rng rng(1);
  for (int i = 0; i < 200'000; ++i) {
    double clip_norm = std::exp2(rng.Uniform(-60, 60));
    std::vector<float> update = RandomUpdate(rng, clip_norm);
    const long double before = Norm(update);
    // A clip norm that is the norm's own nearest double may lie below it.
    const bool same = before > 0x1p-59 && before < 0x1p59 && rng.Bernoulli(0.3);
    if (same) clip_norm = static_cast<double>(before);
    const ClipFacts facts = ClipToNorm(update, clip_norm);
    ASSERT_LE(Norm(update), static_cast<long double>(clip_norm)) << i;
    ASSERT_TRUE(facts.finite == std::isfinite(static_cast<double>(before)));
  }
}

TEST(ClipToNormTest, KeepsDirectionAndNearlyTheWholeNorm) {
  std::vector<float> update = {3, -4};  // norm 5
  const ClipFacts facts = ClipToNorm(update, 1);
  EXPECT_TRUE(facts.clipped);
  EXPECT_DOUBLE_EQ(facts.norm, 5);
  EXPECT_FLOAT_EQ(update[0], 0.6f);
  EXPECT_FLOAT_EQ(update[1], -0.8f);
}

TEST(ClipToNormTest, LeavesAShorterUpdateAsItIs) {
  std::vector<float> update = {0.3f, -0.4f, 1e-42f};
  const std::vector<float> before = update;
  EXPECT_FALSE(ClipToNorm(update, 0.6).clipped);
  EXPECT_EQ(update, before);
}

TEST(ClipToNormTest, TakesSeveralTensorsAsOneVector) {
  std::vector<float> weight = {3, 0};
  std::vector<float> bias = {4};
  const std::array<std::span<float>, 2> tensors = {weight, bias};
  EXPECT_DOUBLE_EQ(ClipToNorm(tensors, 1).norm, 5);
  EXPECT_FLOAT_EQ(weight[0], 0.6f);
  EXPECT_FLOAT_EQ(bias[0], 0.8f);
}

TEST(ClipToNormTest, SquaresOfTheLargestFloatsDoNotOverflow) {
  std::vector<float> update(1000, std::numeric_limits<float>::max());
  EXPECT_TRUE(ClipToNorm(update, 1).finite);
  EXPECT_NEAR(static_cast<double>(Norm(update)), 1, 1e-6);
}

TEST(ClipToNormTest, MakesZerosOfWhatIsNotFinite) {
  for (const float bad : {kNan, -kNan, kInfinity, -kInfinity}) {
    std::vector<float> update = {1, bad, 2};
    EXPECT_FALSE(ClipToNorm(update, 1).finite);
    EXPECT_EQ(update, std::vector<float>(3));
  }
}

// Trap: NaN passing a range check.
TEST(ClipToNormTest, RefusesAClipNormThatIsNone) {
  std::vector<float> update = {1};
  for (const double clip_norm : {0.0, -1.0, 1e300, 1e-300, std::nan(""),
                                 std::numeric_limits<double>::infinity()}) {
    ExpectBadInput([&] { ClipToNorm(update, clip_norm); }, "clip norm");
    ExpectBadInput([&] { ClippedSum sum(clip_norm, 1); }, "clip norm");
  }
}

TEST(ClippedSumTest, OneContributionMovesItByTheClipNormAtMost) {
  base::Rng rng(2);
  for (int i = 0; i < 100'000; ++i) {
    const double clip_norm = std::exp2(rng.Uniform(-60, 60));
    const std::vector<float> update = RandomUpdate(rng, clip_norm);
    ClippedSum sum(clip_norm, update.size());
    sum.Add(update);
    ASSERT_TRUE(SquaredSteps(ClippedSumPeer::Steps(sum)) <= kMostSquared) << i;
  }
}

#ifdef __SSE2__
// As in clients' threads (fed/worker_pool.h).
TEST(ClippedSumTest, WhereTheLeastNumbersAreZeroStepsAreTheSame) {
  base::Rng rng(4);
  const unsigned mode = _mm_getcsr();
  for (int i = 0; i < 50'000; ++i) {
    const double clip_norm = std::exp2(rng.Uniform(-60, 60));
    const std::vector<float> update = RandomUpdate(rng, clip_norm);
    ClippedSum plain(clip_norm, update.size());
    ClippedSum flushed(clip_norm, update.size());
    plain.Add(update);
    _mm_setcsr(mode | 0x8040);  // flush to zero, denormals are zero
    flushed.Add(update);
    _mm_setcsr(mode);
    ASSERT_EQ(ClippedSumPeer::Steps(plain), ClippedSumPeer::Steps(flushed));
  }
}
#endif

TEST(ClippedSumTest, AModelOfAMillionNumbersKeepsItsBoundToo) {
  base::Rng rng(3);
  std::vector<float> update(1'000'000);
  for (float& x : update) x = static_cast<float>(rng.Uniform(-1, 1));
  ClippedSum sum(0.1, update.size());
  EXPECT_TRUE(sum.Add(update).clipped);
  const Wide squares = SquaredSteps(ClippedSumPeer::Steps(sum));
  EXPECT_TRUE(squares <= kMostSquared);
  // Rounding towards zero costs next to nothing of the update.
  EXPECT_GT(std::sqrt(static_cast<double>(squares)), (1 - 1e-6) * 0x1p36);
}

TEST(ClippedSumTest, DoesNotDependOnTheOrderOfAdding) {
  // Floating-point sums do: 1e8 absorbs what comes after it, not before it.
  base::Rng rng(4);
  std::vector<std::vector<float>> updates(50);
  for (auto& update : updates) {
    for (int i = 0; i < 20; ++i) {
      update.push_back(
          static_cast<float>(rng.Normal() * std::exp2(rng.Uniform(-20, 20))));
    }
  }
  ClippedSum forwards(1e9, 20);
  for (const auto& update : updates) forwards.Add(update);
  ClippedSum backwards(1e9, 20);
  std::ranges::reverse(updates);
  for (const auto& update : updates) backwards.Add(update);
  EXPECT_EQ(ClippedSumPeer::Steps(forwards), ClippedSumPeer::Steps(backwards));
}

TEST(ClippedSumTest, CountsInStepsOfTheClipNorm) {
  ClippedSum sum(2, 3);
  sum.Add(std::vector<float>{1, -0.5f, 0});
  sum.Add(std::vector<float>{1, 0, 0x1p-36f});  // half a step is none
  EXPECT_EQ(ClippedSumPeer::Steps(sum),
            (std::vector<std::int64_t>{std::int64_t{1} << 36,
                                       -(std::int64_t{1} << 34), 0}));
}

TEST(ClippedSumTest, AWeightScalesTheClippedContribution) {
  ClippedSum sum(1, 2);
  sum.Add(std::vector<float>{0.5f, 0}, 0.25);
  EXPECT_EQ(ClippedSumPeer::Steps(sum)[0], std::int64_t{1} << 33);
  // Clipped to {0.6, 0.8} first, then halved.
  const ClipFacts facts = sum.Add(std::vector<float>{60, 80}, 0.5);
  EXPECT_DOUBLE_EQ(facts.norm, 100);
  EXPECT_TRUE(facts.clipped);
  EXPECT_NEAR(static_cast<double>(ClippedSumPeer::Steps(sum)[1]), 0.4 * 0x1p36,
              100);
  sum.Add(std::vector<float>{0.25f, 0.25f}, 0);
  EXPECT_EQ(ClippedSumPeer::Below(sum), 2 - 1);  // bits carry no weight
}

// Trap: weights by example count that break the bounded sensitivity.
TEST(ClippedSumTest, AWeightAboveOneIsRefused) {
  ClippedSum sum(1, 1);
  for (const double weight : {1.0000001, 60.0, -0.5, std::nan("")}) {
    ExpectBadInput([&] { sum.Add(std::vector<float>{1}, weight); }, "weight");
  }
  EXPECT_EQ(ClippedSumPeer::Steps(sum)[0], 0);
}

TEST(ClippedSumTest, AWeightedContributionKeepsTheBoundToo) {
  base::Rng rng(7);
  for (int i = 0; i < 20'000; ++i) {
    const double clip_norm = std::exp2(rng.Uniform(-60, 60));
    const std::vector<float> update = RandomUpdate(rng, clip_norm);
    ClippedSum sum(clip_norm, update.size());
    sum.Add(update, rng.Bernoulli(0.1) ? 1 : rng.Uniform());
    ASSERT_TRUE(SquaredSteps(ClippedSumPeer::Steps(sum)) <= kMostSquared) << i;
  }
}

TEST(ClippedSumTest, AddsWhatADeviceSummed) {
  ClippedSum sum(2, 2);
  sum.Add(std::vector<float>{1, 0});
  const std::vector<std::int64_t> steps = {5, -(std::int64_t{1} << 36)};
  sum.Add(ClippedBlock{
      .clip_norm = 2, .contributions = 3, .below = -1, .steps = steps});
  EXPECT_EQ(ClippedSumPeer::Steps(sum),
            (std::vector<std::int64_t>{(std::int64_t{1} << 35) + 5,
                                       -(std::int64_t{1} << 36)}));
  EXPECT_EQ(ClippedSumPeer::Below(sum), 0);
}

TEST(ClippedSumTest, RefusesABlockThatIsNoSumOfSoManyContributions) {
  constexpr std::int64_t kOne = ClippedSum::kStepsPerClipNorm;
  ClippedSum sum(2, 2);
  const std::vector<std::int64_t> steps = {2 * kOne, 0};
  const std::vector<std::int64_t> longer = {2 * kOne, 1};
  const std::vector<std::int64_t> extreme = {INT64_MIN, INT64_MIN};
  const std::vector<std::int64_t> other = {0, 0, 0};
  const ClippedBlock good{.clip_norm = 2, .contributions = 2, .steps = steps};
  const auto refuses = [&](auto change, const char* what) {
    ClippedBlock bad = good;
    change(bad);
    ExpectBadInput([&] { sum.Add(bad); }, what);
  };
  refuses([&](ClippedBlock& b) { b.clip_norm = 1; }, "clip norm");
  refuses([&](ClippedBlock& b) { b.contributions = 1; }, "too long for one");
  refuses([&](ClippedBlock& b) { b.steps = longer; }, "one step too long");
  refuses([&](ClippedBlock& b) { b.steps = extreme; }, "overflow");
  refuses([&](ClippedBlock& b) { b.steps = other; }, "dimension");
  refuses([&](ClippedBlock& b) { b.contributions = -2; }, "negative");
  refuses([&](ClippedBlock& b) { b.contributions = INT64_MAX; }, "too many");
  refuses([&](ClippedBlock& b) { b.below = 3; }, "more bits than people");
  EXPECT_EQ(ClippedSumPeer::Steps(sum), (std::vector<std::int64_t>{0, 0}));
  sum.Add(good);
}

TEST(ClippedSumTest, AReductionTakesTheStepsAndTheBits) {
  ClippedSum sum(1, 2);
  sum.Add(std::vector<float>{0.5f, 0});
  const std::int64_t* where = ClippedSumPeer::Steps(sum).data();
  sum.Reduce([](std::span<std::int64_t> numbers) {
    ASSERT_EQ(numbers.size(), 3u);
    EXPECT_EQ(numbers[0], std::int64_t{1} << 35);
    EXPECT_EQ(numbers[2], 1);
    for (std::int64_t& x : numbers) x += 10;
  });
  EXPECT_EQ(ClippedSumPeer::Steps(sum),
            (std::vector<std::int64_t>{(std::int64_t{1} << 35) + 10, 10}));
  EXPECT_EQ(ClippedSumPeer::Below(sum), 11);
  EXPECT_EQ(ClippedSumPeer::Steps(sum).data(), where);  // nothing was copied
}

TEST(ClippedSumTest, ALouderContributionDoesNotWeighMore) {
  ClippedSum quiet(1, 2);
  quiet.Add(std::vector<float>{0.6f, 0.8f});
  ClippedSum loud(1, 2);
  loud.Add(std::vector<float>{600, 800});
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(static_cast<double>(ClippedSumPeer::Steps(loud)[i]),
                static_cast<double>(ClippedSumPeer::Steps(quiet)[i]),
                0x1p36 * 1e-7);
  }
}

// Trap: integer tensors bypassing noise.
template <typename T>
constexpr bool kCanAdd =
    requires(ClippedSum& sum, T update) { sum.Add(update); };
static_assert(kCanAdd<std::vector<float>>);
static_assert(!kCanAdd<std::vector<int>>);
static_assert(!kCanAdd<std::span<const std::int64_t>>);
static_assert(!kCanAdd<std::vector<bool>>);

TEST(ClippedSumTest, WhatIsNotFiniteCountsAsZeroWithoutAWord) {
  for (const float bad : {kNan, kInfinity, -kInfinity}) {
    ClippedSum sum(1, 2);
    EXPECT_FALSE(sum.Add(std::vector<float>{1, bad}).finite);
    EXPECT_EQ(ClippedSumPeer::Steps(sum), (std::vector<std::int64_t>{0, 0}));
    EXPECT_EQ(ClippedSumPeer::Below(sum), 1);  // as a norm of zero is
  }
}

TEST(ClippedSumTest, CountsNormsWithinTheClipNorm) {
  ClippedSum sum(1, 1);
  for (const float norm : {0.5f, 1.0f, 1.5f, 2.0f, 3.0f}) {
    sum.Add(std::vector<float>{norm});
  }
  EXPECT_EQ(ClippedSumPeer::Below(sum), 2 - 3);
}

TEST(ClippedSumTest, MergesWhatOthersSummed) {
  ClippedSum left(1, 2, "a");
  left.Add(std::vector<float>{0.5f, 0});
  ClippedSum right(1, 2, "a");
  right.Add(std::vector<float>{0, 8});
  left.Merge(std::move(right));
  EXPECT_EQ(ClippedSumPeer::Steps(left)[0], std::int64_t{1} << 35);
  EXPECT_NEAR(static_cast<double>(ClippedSumPeer::Steps(left)[1]), 0x1p36, 100);
  EXPECT_EQ(ClippedSumPeer::Below(left), 0);
}

TEST(ClippedSumTest, RefusesWhatDoesNotFit) {
  ClippedSum sum(1, 2, "a");
  ExpectBadInput([&] { sum.Add(std::vector<float>(3)); }, "size");
  ExpectBadInput([&] { sum.Merge(ClippedSum(2, 2, "a")); }, "clip norm");
  ExpectBadInput([&] { sum.Merge(ClippedSum(1, 3, "a")); }, "dimension");
  ExpectBadInput([&] { sum.Merge(ClippedSum(1, 2, "b")); }, "cohort");
  ExpectBadInput([&] { ClippedSum empty(1, 0); }, "no dimension");
}

}  // namespace
}  // namespace sfumato::dp
