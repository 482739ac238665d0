#include "algorithms/central_classifier.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "fed/evaluate.h"
#include "fed/fed_testing.h"
#include "models/model_testing.h"

namespace sfumato::algorithms {
namespace {

// Three classes in the plane, each around a corner of its own; one user in
// four has nothing.
class Corners : public models::Examples {
 public:
  models::Shape shape() const override { return {1, 1, 2}; }
  std::int64_t classes() const override { return 3; }
  std::int64_t users() const override { return 20; }
  std::int64_t user_size(std::int64_t user) const override {
    return user % 4 == 0 ? 0 : 5 + user % 3;
  }
  std::int64_t Read(std::int64_t user, std::int64_t i,
                    std::span<float> values) const override {
    base::Rng rng(
        1, {static_cast<std::uint64_t>(user), static_cast<std::uint64_t>(i)});
    const std::int64_t label = (user + i) % 3;
    const double angle = 2.0943951 * static_cast<double>(label);
    values[0] = static_cast<float>(std::cos(angle) + 0.1 * rng.Normal());
    values[1] = static_cast<float>(std::sin(angle) + 0.1 * rng.Normal());
    return label;
  }
};

models::Stack Small() {
  return models::Stack({1, 1, 2},
                       {models::Dense{.outputs = 8}, models::Relu{.slope = 0.2},
                        models::Dense{.outputs = 3}});
}

std::int64_t CountOf(const models::Examples& examples) {
  std::int64_t count = 0;
  for (std::int64_t user = 0; user < examples.users(); ++user) {
    count += examples.user_size(user);
  }
  return count;
}

TEST(CentralClassifierTest, LearnsClassesThatLieApart) {
  const Corners corners;
  const models::Stack model = Small();
  const at::Tensor params = TrainCentrally(model, corners,
                                           {.epochs = 30,
                                            .batch_size = 16,
                                            .adam = {.learning_rate = 0.02},
                                            .threads = 2});
  std::vector<std::int64_t> users(static_cast<std::size_t>(corners.users()));
  std::iota(users.begin(), users.end(), 0);
  fed::WorkerPool pool(1);
  EXPECT_EQ(fed::Evaluate(model, params, corners, users, pool).accuracy(), 1);
  EXPECT_LT(
      fed::Evaluate(model, model.Initial(1), corners, users, pool).accuracy(),
      0.9);
}

TEST(CentralClassifierTest, TheSameThreadsGiveTheSameBits) {
  const Corners corners;
  const auto trained = [&](int threads, std::uint64_t seed) {
    return TrainCentrally(
        Small(), corners,
        {.epochs = 2, .batch_size = 7, .seed = seed, .threads = threads});
  };
  for (const int threads : {1, 2, 3}) {
    EXPECT_TRUE(at::equal(trained(threads, 1), trained(threads, 1)));
  }
  // Sums in another order; nothing more.
  EXPECT_LT(models::Apart(trained(3, 1), trained(1, 1)), 1e-3);
  EXPECT_FALSE(at::equal(trained(1, 1), trained(1, 2)));
}

TEST(CentralClassifierTest, WholeBatchesAreAdamOnTheMeanLossByAutograd) {
  const Corners corners;
  const models::Stack model = Small();
  const std::int64_t count = CountOf(corners);
  at::Tensor inputs = at::empty({1, count, 1, 1, 2});
  at::Tensor labels = at::empty({1, count}, at::kLong);
  std::int64_t at = 0;
  for (std::int64_t user = 0; user < corners.users(); ++user) {
    for (std::int64_t i = 0; i < corners.user_size(user); ++i, ++at) {
      labels[0][at] = corners.Read(
          user, i, {inputs.data_ptr<float>() + 2 * at, std::size_t{2}});
    }
  }
  // Kingma and Ba 2015, Algorithm 1, in double. A large epsilon keeps the signs
  // of gradients near zero from mattering.
  constexpr double kRate = 0.05;
  constexpr double kBeta1 = 0.9;
  constexpr double kBeta2 = 0.999;
  constexpr double kEpsilon = 1e-3;
  at::Tensor expected = model.Initial(3).to(at::kDouble);
  at::Tensor first = at::zeros_like(expected);
  at::Tensor second = at::zeros_like(expected);
  for (int step = 1; step <= 3; ++step) {
    const std::vector<at::Tensor> leaves = models::Leaves(model, expected);
    const at::Tensor loss =
        -at::log_softmax(model.Forward(leaves, inputs.to(at::kDouble)), -1)
             .gather(-1, labels.unsqueeze(-1))
             .mean();
    const at::Tensor gradient =
        models::Flat(torch::autograd::grad({loss}, leaves));
    first = kBeta1 * first + (1 - kBeta1) * gradient;
    second = kBeta2 * second + (1 - kBeta2) * gradient * gradient;
    expected = expected -
               kRate * (first / (1 - std::pow(kBeta1, step))) /
                   ((second / (1 - std::pow(kBeta2, step))).sqrt() + kEpsilon);
  }
  for (const int threads : {1, 2}) {
    const at::Tensor params = TrainCentrally(model, corners,
                                             {.epochs = 3,
                                              .batch_size = count,
                                              .adam = {.learning_rate = kRate,
                                                       .beta1 = kBeta1,
                                                       .beta2 = kBeta2,
                                                       .epsilon = kEpsilon},
                                              .seed = 3,
                                              .threads = threads});
    EXPECT_LT(models::Apart(params, expected), 1e-5) << threads;
  }
}

TEST(CentralClassifierTest, TakesAsManyStepsAsItSays) {
  const Corners corners;
  std::int64_t steps = 0;
  const CentralOptions options{.epochs = 2,
                               .batch_size = 10,
                               .progress = [&](std::int64_t n) { steps = n; }};
  TrainCentrally(Small(), corners, options);
  // 15 users of 5, 6 or 7 examples are 90: 9 batches, twice.
  ASSERT_EQ(CountOf(corners), 90);
  EXPECT_EQ(CentralSteps(corners, options), 18);
  EXPECT_EQ(steps, 18);
}

TEST(CentralClassifierTest, RefusesNobody) {
  const fed::PointExamples nobody(2, {{}, {}});
  EXPECT_THROW(TrainCentrally(Small(), nobody, {}), Error);
}

}  // namespace
}  // namespace sfumato::algorithms
