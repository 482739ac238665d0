#include "base/schema.h"

#include <gtest/gtest.h>

namespace sfumato::base {
namespace {

TEST(IsOtherVersionTest, TellsNewerFilesFromDamagedOnes) {
  EXPECT_TRUE(IsOtherVersion("sfumato.run/2", "sfumato.run/1"));
  EXPECT_TRUE(IsOtherVersion("sfumato.run/10", "sfumato.run/1"));
  for (const char* damaged :
       {"", "sfumato.run/1", "sfumato.run/", "sfumato.run/x", "sfumato.run",
        "sfumato.ran/2", "sfumato.run/2 "}) {
    EXPECT_FALSE(IsOtherVersion(damaged, "sfumato.run/1")) << damaged;
  }
}

}  // namespace
}  // namespace sfumato::base
