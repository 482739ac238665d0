#include "base/launcher.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace sfumato::base {
namespace {

TEST(LauncherTest, TellsTheRankOfEveryLauncher) {
  constexpr const char* kNames[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                    "PMI_RANK"};
  for (const char* name : kNames) unsetenv(name);
  EXPECT_FALSE(LaunchedRank().has_value());
  for (const char* name : kNames) {
    setenv(name, "3", 1);
    EXPECT_EQ(LaunchedRank(), 3) << name;
    unsetenv(name);
  }
}

}  // namespace
}  // namespace sfumato::base
