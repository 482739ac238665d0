#include "base/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace sfumato::base {
namespace {

TEST(WorkerPoolTest, DoesEveryItemOnce) {
  WorkerPool pool({.threads = 3});
  for (const std::size_t count : {0u, 1u, 2u, 100u}) {
    std::vector<std::atomic<int>> done(count);
    std::atomic<bool> known_workers = true;
    pool.Run(count, [&](int worker, std::size_t item) {
      ++done[item];
      if (worker < 0 || worker >= 3) known_workers = false;
    });
    for (const auto& times : done) EXPECT_EQ(times, 1);
    EXPECT_TRUE(known_workers);
  }
}

TEST(WorkerPoolTest, BeginsEveryThreadOnceBeforeItsItems) {
  static thread_local bool begun = false;
  std::atomic<int> begins = 0;
  std::atomic<int> unprepared = 0;
  {
    WorkerPool pool({.threads = 2, .begin_thread = [&] {
                       begun = true;
                       ++begins;
                     }});
    for (int run = 0; run < 5; ++run) {
      pool.Run(8, [&](int, std::size_t) { unprepared += begun ? 0 : 1; });
    }
  }
  EXPECT_EQ(begins, 2);
  EXPECT_EQ(unprepared, 0);
}

TEST(WorkerPoolTest, RoundsAsUsualWhoeverMadeIt) {
  std::fesetround(FE_UPWARD);
  WorkerPool pool({.threads = 1});
  std::fesetround(FE_TONEAREST);
  int rounding = FE_UPWARD;
  pool.Run(1, [&](int, std::size_t) { rounding = std::fegetround(); });
  EXPECT_EQ(rounding, FE_TONEAREST);
}

TEST(WorkerPoolTest, AnExceptionEndsTheCallAndNotThePool) {
  WorkerPool pool({.threads = 2});
  std::atomic<int> done = 0;
  EXPECT_THROW(
      pool.Run(1000,
               [&](int, std::size_t item) {
                 if (item == 5) throw std::runtime_error("");
                 std::this_thread::sleep_for(std::chrono::microseconds(100));
                 ++done;
               }),
      std::runtime_error);
  EXPECT_LT(done, 999);
  done = 0;
  pool.Run(10, [&](int, std::size_t) { ++done; });
  EXPECT_EQ(done, 10);
}

}  // namespace
}  // namespace sfumato::base
