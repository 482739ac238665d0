#include "base/memory.h"

#include "base/error.h"
#include "gtest/gtest.h"

namespace sfumato::base {
namespace {

TEST(RequireMemoryTest, RefusesWhatNoMachineHas) {
  EXPECT_NO_THROW(RequireMemory(1, "users"));
  try {
    RequireMemory(1e18, "users");
    FAIL() << "an exabyte was granted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUnavailable);
    EXPECT_EQ(error.where(), "users");
    EXPECT_NE(std::string(error.what()).find("1 EB of memory"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace sfumato::base
