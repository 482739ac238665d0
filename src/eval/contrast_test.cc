#include "eval/contrast.h"

#include "eval/eval_testing.h"
#include "gtest/gtest.h"

namespace sfumato::eval {
namespace {

using runs::Verdict;

TEST(CompareTest, SidesOfOnePopulationAreTheSame) {
  const runs::Contrast contrast = Compare(Stage({})).contrast;
  EXPECT_EQ(contrast.verdict, Verdict::kSame) << contrast.sentence;
}

}  // namespace
}  // namespace sfumato::eval
