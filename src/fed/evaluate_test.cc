#include "fed/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fed/fed_testing.h"

namespace sfumato::fed {
namespace {

// One number an example, which is also what its label hangs on: class 1 from
// 0 upwards, but for `wrong` examples at the beginning of each user.
class Signs : public models::Examples {
 public:
  Signs(std::vector<std::int64_t> sizes, std::vector<std::int64_t> wrong)
      : sizes_(std::move(sizes)), wrong_(std::move(wrong)) {}
  models::Shape shape() const override { return {1, 1, 1}; }
  std::int64_t classes() const override { return 2; }
  std::int64_t users() const override {
    return static_cast<std::int64_t>(sizes_.size());
  }
  std::int64_t user_size(std::int64_t user) const override {
    return sizes_[static_cast<std::size_t>(user)];
  }
  std::int64_t Read(std::int64_t user, std::int64_t i,
                    std::span<float> values) const override {
    values[0] = i % 2 == 0 ? 1.0f : -1.0f;
    const bool right = i >= wrong_[static_cast<std::size_t>(user)];
    return (i % 2 == 0) == right ? 1 : 0;
  }

 private:
  std::vector<std::int64_t> sizes_;
  std::vector<std::int64_t> wrong_;
};

TEST(EvaluateTest, CountsEachUsersExamples) {
  // Logits {0, 3x}: the loss is log(1 + e^-3) where it is right, else
  // log(1 + e^3).
  const models::Stack model({1, 1, 1}, {models::Dense{.outputs = 2}});
  const at::Tensor params = at::tensor(Point{0, 3, 0, 0}).unsqueeze(0);
  const Signs examples({10, 0, 150, 3}, {4, 0, 1, 3});
  const std::vector<std::int64_t> users = {2, 1, 0};
  const double right = std::log1p(std::exp(-3.0));
  const double wrong = std::log1p(std::exp(3.0));
  for (const int threads : {1, 3}) {
    WorkerPool pool(threads);
    const Evaluation found = Evaluate(model, params, examples, users, pool);
    ASSERT_EQ(found.users.size(), 3u);
    EXPECT_EQ(found.users[0].user, 2);
    EXPECT_EQ(found.users[0].examples, 150);
    EXPECT_EQ(found.users[0].correct, 149);
    EXPECT_NEAR(found.users[0].loss, 149 * right + wrong, 1e-3);
    EXPECT_EQ(found.users[1].examples, 0);
    EXPECT_EQ(found.users[1].loss, 0);
    EXPECT_EQ(found.users[2].correct, 6);
    EXPECT_EQ(found.total.examples, 160);
    EXPECT_EQ(found.total.correct, 155);
    EXPECT_DOUBLE_EQ(found.accuracy(), 155 / 160.0);
    EXPECT_NEAR(found.mean_loss(), (155 * right + 5 * wrong) / 160, 1e-5);
  }
}

TEST(EvaluateTest, NobodyHasNoAccuracy) {
  const models::Stack model({1, 1, 1}, {models::Dense{.outputs = 2}});
  WorkerPool pool(1);
  const Evaluation found = Evaluate(model, model.Initial(1), Signs({0}, {0}),
                                    std::vector<std::int64_t>{0}, pool);
  EXPECT_EQ(found.accuracy(), 0);
  EXPECT_EQ(found.mean_loss(), 0);
}

}  // namespace
}  // namespace sfumato::fed
