#include "base/percent.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sfumato::base {
namespace {

TEST(PercentTest, IsWholeAndALittleIsNotNothing) {
  EXPECT_EQ(Percent(0), "0 %");
  EXPECT_EQ(Percent(1e-9), "less than 1 %");
  EXPECT_EQ(Percent(0.00499), "less than 1 %");
  EXPECT_EQ(Percent(0.005), "1 %");
  EXPECT_EQ(Percent(0.306), "31 %");
  EXPECT_EQ(Percent(1), "100 %");
  EXPECT_EQ(Percent(NAN), "–");
}

TEST(PercentTest, ALittleIsNeitherAboutNorAtMostLessThanOne) {
  EXPECT_EQ(AboutPercent(0.078), "about 8 %");
  EXPECT_EQ(AboutPercent(0.003), "less than 1 %");
  EXPECT_EQ(AtMostPercent(0.03), "at most 3 %");
  EXPECT_EQ(AtMostPercent(0), "at most 0 %");
  EXPECT_EQ(AtMostPercent(0.003), "less than 1 %");
}

TEST(PercentTest, NothingIsBelowNothing) {
  EXPECT_EQ(PercentNumber(-0.0009), "0");
  EXPECT_EQ(PercentNumber(-0.03), "−3");
  EXPECT_EQ(PercentNumber(0.34), "34");
}

}  // namespace
}  // namespace sfumato::base
