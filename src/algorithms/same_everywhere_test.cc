// One round of one cohort gives the same sum, wherever it is trained.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <vector>

#include "algorithms/dp_fedavg.h"
#include "base/random.h"
#include "fed/lane_cohort.h"
#include "fed/thread_cohort.h"
#include "models/classifier.h"
#include "models/model_testing.h"

namespace sfumato::algorithms {
namespace {

// Users of 0 to 12 random images.
class UnevenUsers : public models::Examples {
 public:
  models::Shape shape() const override { return {8, 8, 1}; }
  std::int64_t classes() const override { return 4; }
  std::int64_t users() const override { return 30; }
  // User 0 is never drawn here.
  explicit UnevenUsers(float first_users_pixels = 0)
      : first_users_pixels_(first_users_pixels) {}
  std::int64_t user_size(std::int64_t user) const override {
    return user == 0 ? 3 : user * 7 % 13;
  }
  std::int64_t Read(std::int64_t user, std::int64_t i,
                    std::span<float> values) const override {
    base::Rng rng(
        3, {static_cast<std::uint64_t>(user), static_cast<std::uint64_t>(i)});
    for (float& value : values) {
      value =
          user == 0 ? first_users_pixels_ : static_cast<float>(rng.Normal());
    }
    return static_cast<std::int64_t>(rng.Below(4));
  }

 private:
  float first_users_pixels_;
};

DpFedAvg Algorithm() {
  const models::Stack stack(
      {8, 8, 1}, {models::Conv{.channels = 4}, models::Relu{},
                  models::MaxPool{}, models::Dropout{.rate = 0.25},
                  models::Dense{.outputs = 16}, models::Relu{},
                  models::Dropout{.rate = 0.5}, models::Dense{.outputs = 4}});
  return DpFedAvg(
      models::TrainableClassifier(stack),
      {.device = {.learning_rate = 0.1, .momentum = 0.5}, .seed = 5});
}

struct Result {
  std::vector<std::int64_t> numbers;
  fed::CohortFacts facts;
};

Result Trained(fed::Cohort& cohort, std::uint64_t round) {
  const DpFedAvg algorithm = Algorithm();
  std::vector<std::int64_t> users;
  std::vector<double> weights;
  for (std::int64_t user = 1; user < 30; user += 1 + user % 2) {
    users.push_back(user);
    weights.push_back(user % 3 == 0 ? 0.5 : 1.0);
  }
  dp::ClippedSum sum(0.3, static_cast<std::size_t>(algorithm.layout().size()),
                     "c");
  Result result;
  // Twice: the second time on a GPU is a recorded graph.
  for (int again = 0; again < 2; ++again) {
    dp::ClippedSum once(sum.clip_norm(), sum.dimension(), "c");
    result.facts = cohort.Train(algorithm, round, users, weights, once);
    once.Reduce([&](std::span<std::int64_t> all) {
      if (again == 1) {
        EXPECT_TRUE(std::equal(all.begin(), all.end(), result.numbers.begin()));
      }
      result.numbers.assign(all.begin(), all.end());
    });
  }
  return result;
}

double Apart(const Result& a, const Result& b) {
  double most = 0;
  double largest = 0;
  for (std::size_t i = 0; i < a.numbers.size(); ++i) {
    most = std::max(most, std::abs(static_cast<double>(a.numbers[i]) -
                                   static_cast<double>(b.numbers[i])));
    largest = std::max(largest, std::abs(static_cast<double>(b.numbers[i])));
  }
  return most / largest;
}

constexpr fed::LocalTraining kLocal{
    .epochs = 2, .max_steps = 5, .batch_size = 4};

Result OnThreads(const models::Examples& users, int threads,
                 std::uint64_t round = 2) {
  fed::ThreadCohort cohort(users,
                           {.seed = 9, .local = kLocal, .threads = threads});
  return Trained(cohort, round);
}

TEST(SameEverywhereTest, OneThreadOrThreeGiveTheSameBits) {
  const UnevenUsers users;
  const Result one = OnThreads(users, 1);
  const Result three = OnThreads(users, 3);
  EXPECT_EQ(one.numbers, three.numbers);
  EXPECT_EQ(one.facts.mean_loss(), three.facts.mean_loss());
  EXPECT_EQ(one.facts.mean_norm(), three.facts.mean_norm());
  EXPECT_GT(one.facts.trained, 10);
  EXPECT_GT(one.facts.clipped, 0);
  EXPECT_NE(one.numbers, OnThreads(users, 1, 3).numbers);
}

TEST(SameEverywhereTest, LanesGiveTheSameUpToRounding) {
  const UnevenUsers users;
  const Result alone = OnThreads(users, 1);
  for (const at::Device& device : models::Devices()) {
    for (const std::int64_t lanes : {1, 4, 64}) {
      for (const double resident : {1e9, 0.0}) {
        fed::LaneCohort cohort(users, {.seed = 9,
                                       .local = kLocal,
                                       .device = device,
                                       .lanes = lanes,
                                       .resident_bytes = resident});
        const Result in_lanes = Trained(cohort, 2);
        EXPECT_LT(Apart(in_lanes, alone), 1e-5) << lanes << " on " << device;
        EXPECT_EQ(in_lanes.facts.trained, alone.facts.trained);
        EXPECT_EQ(in_lanes.facts.clipped, alone.facts.clipped);
        EXPECT_NEAR(in_lanes.facts.mean_loss(), alone.facts.mean_loss(), 1e-5);
        EXPECT_NEAR(in_lanes.facts.mean_norm(), alone.facts.mean_norm(), 1e-5);
      }
    }
  }
}

TEST(SameEverywhereTest, WhoWasNotDrawnMovesNothing) {
  for (const at::Device& device : models::Devices()) {
    std::vector<std::vector<std::int64_t>> sums;
    for (const float pixels : {0.0f, 3e38f}) {
      const UnevenUsers users(pixels);
      fed::LaneCohort cohort(
          users, {.seed = 9, .local = kLocal, .device = device, .lanes = 8});
      sums.push_back(Trained(cohort, 2).numbers);
    }
    EXPECT_EQ(sums[0], sums[1]) << device;
  }
}

TEST(SameEverywhereTest, AnEmptyCohortIsATrivialOne) {
  const UnevenUsers users;
  const DpFedAvg algorithm = Algorithm();
  fed::LaneCohort cohort(users, {.seed = 9, .local = kLocal});
  const auto size = static_cast<std::size_t>(algorithm.layout().size());
  for (const std::vector<std::int64_t>& drawn :
       {std::vector<std::int64_t>{}, std::vector<std::int64_t>{1, 2, 3}}) {
    dp::ClippedSum sum(0.3, size, "c");
    const std::vector<double> weights(drawn.size(), 1.0);
    EXPECT_EQ(cohort.Train(algorithm, 1, drawn, weights, sum).users,
              static_cast<std::int64_t>(drawn.size()));
  }
}

}  // namespace
}  // namespace sfumato::algorithms
