#include "base/secure_random.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cmath>
#include <set>

namespace sfumato::base {
namespace {

TEST(SecureRandomTest, NeverRepeats) {
  SecureRandom a;
  SecureRandom b;
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 10'000; ++i) {
    seen.insert(a());
    seen.insert(b());
  }
  // Two of 20,000 random 64-bit values agree once in 10^11 runs.
  EXPECT_EQ(seen.size(), 20'000u);
}

TEST(SecureRandomTest, SetsHalfOfAllBits) {
  // 64 MiB crosses several buffers and keys; five standard deviations.
  SecureRandom random;
  std::vector<std::byte> bytes(64 << 20);
  random.Fill(bytes);
  std::uint64_t ones = 0;
  for (const std::byte b : bytes)
    ones += std::popcount(std::to_integer<unsigned>(b));
  const double bits = 8.0 * static_cast<double>(bytes.size());
  EXPECT_NEAR(static_cast<double>(ones), bits / 2, 5 * 0.5 * std::sqrt(bits));
}

TEST(SecureRandomTest, AForkedChildDoesNotRepeatItsParent) {
  SecureRandom random;
  random();  // the buffer now holds values that parent and child share
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::uint64_t value = random();
    const bool written = write(ends[1], &value, sizeof value) == sizeof value;
    _exit(written ? 0 : 1);
  }
  std::uint64_t of_child = 0;
  ASSERT_EQ(read(ends[0], &of_child, sizeof of_child),
            static_cast<ssize_t>(sizeof of_child));
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  EXPECT_NE(random(), of_child);
}

}  // namespace
}  // namespace sfumato::base
