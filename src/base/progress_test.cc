#include "base/progress.h"

#include <gtest/gtest.h>

#include <limits>

namespace sfumato::base {
namespace {

TEST(HumanTest, WritesCountsDurationsAndSizes) {
  EXPECT_EQ(HumanCount(0), "0");
  EXPECT_EQ(HumanCount(999), "999");
  EXPECT_EQ(HumanCount(1000), "1,000");
  EXPECT_EQ(HumanCount(1234567), "1,234,567");
  EXPECT_EQ(HumanDuration(0.2), "1 s");
  EXPECT_EQ(HumanDuration(59), "59 s");
  EXPECT_EQ(HumanDuration(200), "3 min 20 s");
  EXPECT_EQ(HumanDuration(7500), "2 h 05 min");
  EXPECT_EQ(HumanDuration(std::numeric_limits<double>::infinity()),
            "very long");
  EXPECT_EQ(HumanDuration(std::numeric_limits<double>::quiet_NaN()),
            "very long");
  EXPECT_EQ(HumanBytes(999), "999 B");
  EXPECT_EQ(HumanBytes(1500), "1.5 kB");
  EXPECT_EQ(HumanBytes(2'000'000'000), "2 GB");
}

TEST(ProgressTest, SaysNothingWhenTheWorkIsShort) {
  testing::internal::CaptureStderr();
  {
    Progress progress("drawing", 10, "writers");
    for (int i = 0; i < 10; ++i) progress.Advance();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace sfumato::base
