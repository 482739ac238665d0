#include "dp/mechanisms/released.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <type_traits>

#include "dp/mechanisms/gaussian_mechanism.h"
#include "dp/mechanisms/private_count.h"

namespace sfumato::dp {
namespace {

// Nobody outside of the list in ReleaseKey makes a released value: not from the
// value, not from nothing, and not with a key of one's own.
static_assert(!std::is_constructible_v<Released<int>>);
static_assert(!std::is_constructible_v<Released<int>, int>);
static_assert(!std::is_constructible_v<Released<int>, int, Event>);
static_assert(!std::is_constructible_v<Released<int>, int, Event, bool>);
static_assert(!std::is_default_constructible_v<ReleaseKey>);
static_assert(!std::is_aggregate_v<ReleaseKey>);
static_assert(!std::is_aggregate_v<Released<int>>);
static_assert(!std::is_convertible_v<int, Released<int>>);
// It may be moved, and read.
static_assert(std::is_move_constructible_v<Released<std::unique_ptr<int>>>);
static_assert(!std::is_copy_constructible_v<Released<std::unique_ptr<int>>>);

Released<std::int64_t> Five(NoiseSource& noise) {
  return PrivateCount({.noise_multiplier = 3}).Release(5, "today", noise);
}

TEST(ReleasedTest, MapCostsNothingMore) {
  NoiseSource noise = NoiseSource::Simulation(1);
  const Released<std::int64_t> count = Five(noise);
  const Released<std::string> text =
      count.Map([](std::int64_t x) { return std::to_string(x); });
  EXPECT_EQ(text.value(), std::to_string(count.value()));
  EXPECT_EQ(text.event(), count.event());
  EXPECT_EQ(text.event().count, 1);
  EXPECT_EQ(text.simulated(), count.simulated());
}

// Trap: noise from an ordinary generator.
TEST(ReleasedTest, SaysWhenItsNoiseCameFromASeed) {
  NoiseSource seeded = NoiseSource::Simulation(1);
  NoiseSource secure = NoiseSource::Secure();
  EXPECT_TRUE(Five(seeded).simulated());
  EXPECT_FALSE(Five(secure).simulated());
}

TEST(ReleasedTest, GivesItsValueAway) {
  NoiseSource noise = NoiseSource::Simulation(1);
  const GaussianMechanism mechanism({.noise_multiplier = 1, .clip_norm = 1});
  const std::vector<float> mean =
      mechanism.ReleaseMean(mechanism.EmptySum(3, ""), 1, noise).value();
  EXPECT_EQ(mean.size(), 3u);
}

}  // namespace
}  // namespace sfumato::dp
