#include "models/batch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/error.h"

namespace sfumato::models {
namespace {

// Three users; user 1's second example cannot be read.
class Broken : public Examples {
 public:
  Shape shape() const override { return {1, 1, 2}; }
  std::int64_t classes() const override { return 5; }
  std::int64_t users() const override { return 3; }
  std::int64_t user_size(std::int64_t user) const override {
    if (user == 2) throw Corrupt("no size");
    return 2;
  }
  std::int64_t Read(std::int64_t user, std::int64_t i,
                    std::span<float> values) const override {
    if (user == 1 && i == 1) throw Corrupt("no label");
    values[0] = static_cast<float>(user);
    values[1] = static_cast<float>(i);
    return 4;
  }
};

TEST(ExamplesTest, SilentOnesTellNothingOfWhatCannotBeRead) {
  const auto silent = SilentExamples(std::make_unique<Broken>());
  std::vector<float> values(2);
  EXPECT_EQ(silent->Read(1, 0, values), 4);
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(silent->Read(1, 1, values), 0);
  EXPECT_TRUE(std::isnan(values[0]) && std::isnan(values[1]));
  EXPECT_EQ(silent->user_size(2), 0);
  EXPECT_EQ(silent->user_size(0), 2);
}

TEST(ExamplesTest, ChosenUsersAreRenumbered) {
  const Broken all;
  const auto chosen = ChosenUsers(all, {1, 0});
  EXPECT_EQ(chosen->users(), 2);
  std::vector<float> values(2);
  chosen->Read(0, 0, values);
  EXPECT_EQ(values[0], 1);
  chosen->Read(1, 1, values);
  EXPECT_EQ(values[0], 0);
  EXPECT_EQ(values[1], 1);
}

TEST(ExamplesTest, SyntheticOnesAreAFunctionOfTheirNumbers) {
  const auto examples = SyntheticExamples(
      {.shape = {3, 3, 1}, .classes = 4, .users = 2'000'000, .user_size = 1});
  std::vector<float> a(9), b(9);
  const std::int64_t label = examples->Read(1'999'999, 0, a);
  EXPECT_EQ(examples->Read(1'999'999, 0, b), label);
  EXPECT_EQ(a, b);
  examples->Read(1'999'998, 0, b);
  EXPECT_NE(a, b);
  for (const float x : a) EXPECT_TRUE(x >= 0 && x <= 1);
  EXPECT_TRUE(label >= 0 && label < 4);
}

TEST(ClientKeyTest, EverySeedRoundAndUserHasItsOwn) {
  const std::int64_t key = ClientKey(1, 2, 3);
  EXPECT_EQ(ClientKey(1, 2, 3), key);
  EXPECT_NE(ClientKey(2, 2, 3), key);
  EXPECT_NE(ClientKey(1, 3, 3), key);
  EXPECT_NE(ClientKey(1, 2, 4), key);
}

}  // namespace
}  // namespace sfumato::models
