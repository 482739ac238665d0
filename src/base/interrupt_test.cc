#include "base/interrupt.h"

#include <gtest/gtest.h>

#include <csignal>

namespace sfumato::base {
namespace {

TEST(InterruptTest, NothingHappensWithoutASignal) {
  EXPECT_NO_THROW(CheckInterrupted());
}

// In a child process: a signal stays noticed for the rest of the process.
TEST(InterruptDeathTest, TheFirstSignalIsThrownTheSecondEndsTheProcess) {
  EXPECT_EXIT(
      {
        WatchInterrupts();
        std::raise(SIGTERM);
        try {
          CheckInterrupted();
        } catch (const Interrupted& interrupted) {
          if (interrupted.signal() == SIGTERM) std::raise(SIGINT);
        }
      },
      testing::ExitedWithCode(128 + SIGINT), "");
}

}  // namespace
}  // namespace sfumato::base
