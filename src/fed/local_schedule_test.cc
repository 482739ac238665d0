#include "fed/local_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "dp/mechanisms/falsify_testing.h"
#include "fed/fed_testing.h"

namespace sfumato::fed {
namespace {

using Indices = std::vector<std::int64_t>;

PointExamples UsersOf(std::vector<std::size_t> sizes) {
  std::vector<std::vector<Point>> users;
  for (const std::size_t size : sizes) {
    users.emplace_back(size, Point{0});
  }
  return {1, users};
}

// The lane's examples at all steps, in order.
Indices Observed(const LocalSchedule& schedule, std::int64_t lane) {
  Indices seen;
  for (std::int64_t step = 0; step < schedule.steps(); ++step) {
    const auto row = schedule.examples(step, lane);
    seen.insert(seen.end(), row.begin(),
                row.begin() + schedule.rows(step, lane));
  }
  return seen;
}

Indices UpTo(std::int64_t n) {
  Indices all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

TEST(LocalScheduleTest, StepsAreBatchesTimesEpochsUpToTheMost) {
  const LocalTraining local{.epochs = 3, .max_steps = 0, .batch_size = 10};
  EXPECT_EQ(StepsOf(0, local), 0);
  EXPECT_EQ(StepsOf(1, local), 3);
  EXPECT_EQ(StepsOf(10, local), 3);
  EXPECT_EQ(StepsOf(11, local), 6);
  EXPECT_EQ(StepsOf(95, local), 30);
  EXPECT_EQ(StepsOf(95, {.epochs = 3, .max_steps = 7, .batch_size = 10}), 7);
  EXPECT_EQ(StepsOf(5, {.epochs = 3, .max_steps = 7, .batch_size = 10}), 3);
  EXPECT_EQ(StepsOf(0, {.epochs = 3, .max_steps = 7, .batch_size = 10}), 0);
  EXPECT_EQ(StepsOf(95, {.epochs = INT64_MAX, .max_steps = 9}), 9);
}

// Neighbouring populations have batches of one shape, so that the kernels, and
// with them everybody else's rounding, are the same with and without a user.
TEST(LocalScheduleTest, PrivateBatchesDoNotDependOnTheLargestUser) {
  const LocalTraining local{.batch_size = 64};
  const PointExamples with = UsersOf({3, 40, 5});
  const PointExamples without = UsersOf({3, 5});
  EXPECT_EQ(FittedTo(with, local, /*simulation=*/false).batch_size, 64);
  EXPECT_EQ(FittedTo(without, local, /*simulation=*/false).batch_size, 64);
  // A simulation saves the memory.
  EXPECT_EQ(FittedTo(with, local, /*simulation=*/true).batch_size, 40);
  EXPECT_EQ(FittedTo(without, local, /*simulation=*/true).batch_size, 5);
  EXPECT_EQ(FittedTo(with, {.batch_size = 8}, true).batch_size, 8);
}

TEST(LocalScheduleTest, AnEpochSeesEveryExampleOnceInAnOrderOfItsOwn) {
  const PointExamples examples = UsersOf({23});
  LocalSchedule schedule;
  schedule.Plan({.local = {.epochs = 2, .batch_size = 10}}, Indices{0},
                examples);
  EXPECT_EQ(schedule.steps(), 6);
  EXPECT_EQ(schedule.rows(0, 0), 10);
  EXPECT_EQ(schedule.rows(2, 0), 3);
  EXPECT_EQ(schedule.rows(5, 0), 3);
  EXPECT_FLOAT_EQ(schedule.weights(0, 0)[9], 0.1f);
  EXPECT_FLOAT_EQ(schedule.weights(2, 0)[2], 1.0f / 3);
  EXPECT_EQ(schedule.weights(2, 0)[3], 0);
  const Indices seen = Observed(schedule, 0);
  ASSERT_EQ(seen.size(), 46u);
  Indices first(seen.begin(), seen.begin() + 23);
  Indices second(seen.begin() + 23, seen.end());
  EXPECT_NE(first, second);
  EXPECT_NE(first, UpTo(23));
  std::ranges::sort(first);
  std::ranges::sort(second);
  EXPECT_EQ(first, UpTo(23));
  EXPECT_EQ(second, UpTo(23));
}

TEST(LocalScheduleTest, AClientsBatchesDoNotDependOnItsGroup) {
  const PointExamples examples = UsersOf({7, 0, 25, 12});
  const ScheduleOptions options{
      .seed = 5, .round = 8, .local = {.epochs = 2, .batch_size = 4}};
  LocalSchedule group;
  group.Plan(options, Indices{3, 1, 0, 2}, examples);
  EXPECT_EQ(group.steps(), 14);  // of user 2
  for (const auto& [lane, user] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{
           {0, 3}, {1, 1}, {2, 0}, {3, 2}}) {
    LocalSchedule alone;
    alone.Plan(options, Indices{user}, examples);
    EXPECT_EQ(Observed(group, lane), Observed(alone, 0)) << user;
  }
  EXPECT_EQ(Observed(group, 1), Indices{});  // no data, no steps
}

TEST(LocalScheduleTest, SeedRoundAndUserNameTheOrder) {
  const PointExamples examples = UsersOf({40, 40});
  const auto plan = [&](std::uint64_t seed, std::uint64_t round,
                        std::int64_t user) {
    LocalSchedule schedule;
    schedule.Plan({.seed = seed, .round = round}, Indices{user}, examples);
    return Observed(schedule, 0);
  };
  const Indices one = plan(1, 2, 0);
  EXPECT_EQ(plan(1, 2, 0), one);
  EXPECT_NE(plan(2, 2, 0), one);
  EXPECT_NE(plan(1, 3, 0), one);
  EXPECT_NE(plan(1, 2, 1), one);
}

TEST(LocalScheduleTest, NothingIsLeftOfALargerGroupBefore) {
  const PointExamples examples = UsersOf({30, 2});
  LocalSchedule schedule;
  schedule.Plan({.local = {.batch_size = 5}}, Indices{0, 0, 0}, examples);
  schedule.Plan({.local = {.batch_size = 5}}, Indices{1}, examples);
  EXPECT_EQ(schedule.steps(), 1);
  EXPECT_EQ(schedule.rows(0, 0), 2);
  EXPECT_EQ(schedule.weights().size(), 5u);
}

TEST(LocalScheduleTest, RefusesTrainingThatIsNone) {
  const PointExamples examples = UsersOf({3});
  LocalSchedule schedule;
  for (const LocalTraining& local :
       {LocalTraining{.epochs = 0}, LocalTraining{.batch_size = 0},
        LocalTraining{.max_steps = -1}}) {
    dp::ExpectBadInput(
        [&] { schedule.Plan({.local = local}, Indices{0}, examples); },
        "local");
  }
}

// Every other example has no label.
class HalfLabelled : public PointExamples {
 public:
  explicit HalfLabelled(PointExamples all) : PointExamples(std::move(all)) {}
  bool labelled(std::int64_t, std::int64_t i) const override {
    return i % 2 == 1;
  }
};

TEST(LocalScheduleTest, PassesOverExamplesWithoutALabel) {
  const HalfLabelled examples(UsersOf({6, 1}));
  LocalSchedule schedule;
  schedule.Plan({.local = {.epochs = 1, .batch_size = 2}}, Indices{0, 1},
                examples);
  EXPECT_EQ(schedule.steps(), 2);
  Indices seen = Observed(schedule, 0);
  std::ranges::sort(seen);
  EXPECT_EQ(seen, (Indices{1, 3, 5}));
  EXPECT_FLOAT_EQ(schedule.weights(0, 0)[1], 0.5f);
  EXPECT_FLOAT_EQ(schedule.weights(1, 0)[0], 1.0f);
  EXPECT_EQ(Observed(schedule, 1), Indices{});
}

}  // namespace
}  // namespace sfumato::fed
