#include "dp/mechanisms/noise.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>
#include <vector>

#include "dp/mechanisms/falsify_testing.h"

namespace sfumato::dp {
namespace {

std::vector<std::uint64_t> Words(BitStream bits, int n) {
  std::vector<std::uint64_t> words;
  for (int i = 0; i < n; ++i) words.push_back(bits());
  return words;
}

TEST(NoiseSourceTest, ASeedAndItsPathGiveTheSameBits) {
  const auto words = [](std::uint64_t seed, std::uint64_t round,
                        std::uint64_t draw, std::uint64_t part) {
    return Words(NoiseSource::Simulation(seed, {round}).Stream(draw, part),
                 5000);
  };
  EXPECT_EQ(words(7, 1, 2, 3), words(7, 1, 2, 3));
  const std::set<std::vector<std::uint64_t>> different = {
      words(7, 1, 2, 3), words(8, 1, 2, 3), words(7, 2, 2, 3),
      words(7, 1, 3, 3), words(7, 1, 2, 4), words(7, 1, 3, 2)};
  EXPECT_EQ(different.size(), 6u);
}

TEST(NoiseSourceTest, DrawsAreNumbered) {
  NoiseSource noise = NoiseSource::Simulation(7);
  EXPECT_NE(Words(noise.Stream(noise.NextDraw()), 10),
            Words(noise.Stream(noise.NextDraw()), 10));
}

TEST(NoiseSourceTest, SecureBitsNeverRepeat) {
  const NoiseSource noise = NoiseSource::Secure();
  EXPECT_FALSE(noise.simulated());
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 10; ++i) {
    for (const std::uint64_t word : Words(noise.Stream(0, 0), 1000)) {
      seen.insert(word);
    }
  }
  EXPECT_EQ(seen.size(), 10'000u);  // fails once in 10^11 runs
}

TEST(NoiseSourceTest, AForkedChildDoesNotRepeatItsParent) {
  NoiseSource noise = NoiseSource::Secure();
  noise.Stream(noise.NextDraw())();
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::uint64_t value = noise.Stream(noise.NextDraw())();
    _exit(write(ends[1], &value, sizeof value) == sizeof value ? 0 : 1);
  }
  std::uint64_t of_child = 0;
  ASSERT_EQ(read(ends[0], &of_child, sizeof of_child),
            static_cast<ssize_t>(sizeof of_child));
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  EXPECT_NE(noise.Stream(noise.NextDraw())(), of_child);
}

TEST(NoiseSourceTest, UniformBelowIsUniform) {
  NoiseSource noise = NoiseSource::Simulation(11);
  BitStream bits = noise.Stream(0);
  // Ranges just above a power of two are where a wrong mask shows.
  const Wide huge = (static_cast<Wide>(1) << 100) + 1;
  const std::vector<Wide> ranges = {
      3, 10, 17, (static_cast<Wide>(1) << 64) + 7, huge, 3 * huge};
  for (const Wide n : ranges) {
    const auto third = [n](Wide x) {
      return static_cast<std::size_t>(3 * x / n);
    };
    std::vector<double> counts(3);
    for (int i = 0; i < 30'000; ++i) {
      const Wide x = UniformBelow(n, bits);
      ASSERT_TRUE(x < n);
      ++counts[third(x)];
    }
    std::vector<double> shares(3, 1.0 / 3);
    if (n < 100) {  // thirds of few numbers are not equal
      shares.assign(3, 0);
      for (Wide x = 0; x < n; ++x) {
        shares[third(x)] += 1 / static_cast<double>(n);
      }
    }
    EXPECT_GT(ChiSquarePValue(counts, shares), kFalseAlarm);
  }
  EXPECT_TRUE(UniformBelow(1, bits) == 0);
}

}  // namespace
}  // namespace sfumato::dp
