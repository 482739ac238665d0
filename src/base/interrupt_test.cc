#include "base/interrupt.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace sfumato::base {
namespace {

TEST(InterruptTest, NothingHappensWithoutASignal) {
  EXPECT_NO_THROW(CheckInterrupted());
}

// In a child process: a signal stays noticed for the rest of the process.
TEST(InterruptTest, TheFirstSignalIsThrownTheSecondEndsTheProcess) {
  const pid_t child = fork();
  if (child == 0) {
    WatchInterrupts();
    std::raise(SIGTERM);
    try {
      CheckInterrupted();
    } catch (const Interrupted& interrupted) {
      if (interrupted.signal() == SIGTERM) std::raise(SIGINT);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGINT);
}

}  // namespace
}  // namespace sfumato::base
