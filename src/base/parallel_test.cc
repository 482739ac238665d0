#include "base/parallel.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace sfumato::base {
namespace {

TEST(ForEachPartTest, EveryPlaceIsVisitedOnceInPartsOfOneLength) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, kPartSize,
                                 kPartSize + 1, 5 * kPartSize - 3}) {
    std::vector<int> visits(size, 0);
    std::atomic<std::size_t> parts = 0;
    ForEachPart(size, [&](const Part& part) {
      ++parts;
      EXPECT_EQ(part.begin, part.index * kPartSize);
      for (std::size_t i = part.begin; i < part.end; ++i) ++visits[i];
    });
    EXPECT_EQ(visits, std::vector<int>(size, 1)) << size;
    EXPECT_EQ(parts, PartCount(size));
  }
  EXPECT_EQ(PartCount(kPartSize + 1), 2u);
}

TEST(ForEachPartTest, AnExceptionReachesTheCaller) {
  EXPECT_THROW(ForEachPart(8 * kPartSize,
                           [](const Part& part) {
                             if (part.index == 5) throw std::runtime_error("");
                           }),
               std::runtime_error);
}

TEST(ForEachPartTest, ACallWithinACallEnds) {
  std::atomic<std::size_t> inner = 0;
  ForEachPart(3 * kPartSize, [&](const Part&) {
    ForEachPart(2 * kPartSize, [&](const Part&) { ++inner; });
  });
  EXPECT_EQ(inner, 6u);
}

TEST(ForEachPartTest, WorksInAForkedProcess) {
  const auto parts = [] {
    std::atomic<int> count = 0;
    ForEachPart(4 * kPartSize, [&](const Part&) { ++count; });
    return count.load();
  };
  EXPECT_EQ(parts(), 4);  // so that there are threads, which a fork loses
  const pid_t child = fork();
  if (child == 0) _exit(parts());
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 4);
}

}  // namespace
}  // namespace sfumato::base
