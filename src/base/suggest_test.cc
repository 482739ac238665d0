#include "base/suggest.h"

#include <gtest/gtest.h>

#include <vector>

namespace sfumato::base {
namespace {

const std::vector<std::string> kKnown = {"mirror", "invert", "rotate"};

TEST(SuggestTest, FindsTheNearestWord) {
  EXPECT_EQ(Nearest("miror", kKnown), "mirror");
  EXPECT_EQ(Nearest("invetr", kKnown), "invert");  // a swap is one step
  EXPECT_EQ(Nearest("rotates", kKnown), "rotate");
}

TEST(SuggestTest, StaysSilentWhenNothingIsNear) {
  EXPECT_EQ(Nearest("encode", kKnown), "");
  EXPECT_EQ(Nearest("", kKnown), "");
  EXPECT_EQ(Nearest("mirror", {}), "");
  EXPECT_EQ(DidYouMean("encode", kKnown), "one of: mirror, invert, rotate");
  EXPECT_EQ(DidYouMean("miror", kKnown), "did you mean 'mirror'?");
}

}  // namespace
}  // namespace sfumato::base
