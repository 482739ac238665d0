#include "fed/thread_cohort.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>

#include "base/random.h"
#include "dp/mechanisms/plain_mean.h"
#include "fed/fed_testing.h"

namespace sfumato::fed {
namespace {

using Users = std::vector<std::int64_t>;

struct Trained {
  Point sum;
  CohortFacts facts;
};

struct TrainOptions {
  int threads = 1;
  double clip_norm = 64;  // steps are then powers of two
  LocalTraining local = {.batch_size = 100};
  std::vector<double> weights = {};
};

Trained Train(const MovingAlgorithm& algorithm, const PointExamples& examples,
              const Users& users, const TrainOptions& options = {}) {
  ThreadCohort cohort(examples,
                      {.local = options.local, .threads = options.threads});
  const dp::PlainMean mean({.clip_norm = options.clip_norm});
  dp::ClippedSum sum = mean.EmptySum(
      static_cast<std::size_t>(algorithm.Broadcast().numel()), "round 1");
  const std::vector<double> weights =
      options.weights.empty() ? std::vector<double>(users.size(), 1.0)
                              : options.weights;
  const CohortFacts facts = cohort.Train(algorithm, 1, users, weights, sum);
  return {mean.ReleaseMean(std::move(sum), 1).value(), facts};
}

TEST(ThreadCohortTest, AddsUpWhatClientsLearnt) {
  // Means {2, 0} and {-1, 4}, less the broadcast {1, 1}: {1, -1} and {-2, 3}.
  const PointExamples examples(2, {{{1, 0}, {3, 0}}, {{-1, 4}}, {{100, 100}}});
  const MovingAlgorithm algorithm({1, 1});
  const Trained trained = Train(algorithm, examples, {0, 1});
  EXPECT_EQ(trained.sum, (Point{-1, 2}));
  EXPECT_EQ(trained.facts.users, 2);
  EXPECT_EQ(trained.facts.trained, 2);
  EXPECT_EQ(trained.facts.clipped, 0);
  EXPECT_NEAR(trained.facts.mean_norm(), (std::sqrt(2) + std::sqrt(13)) / 2,
              1e-6);
  EXPECT_EQ(algorithm.params(), (Point{1, 1}));  // nobody touched the server
}

TEST(ThreadCohortTest, ClipsEachClientBeforeAdding) {
  const PointExamples examples(2, {{{30, 40}}, {{0.25f, 0}}});
  const Trained trained =
      Train(MovingAlgorithm({0, 0}), examples, {0, 1}, {.clip_norm = 1});
  EXPECT_NEAR(trained.sum[0], 0.6 + 0.25, 1e-6);
  EXPECT_NEAR(trained.sum[1], 0.8, 1e-6);
  EXPECT_EQ(trained.facts.clipped, 1);
}

TEST(ThreadCohortTest, WeightsScaleWhatIsAdded) {
  const PointExamples examples(1, {{{4}}, {{8}}});
  const Trained trained =
      Train(MovingAlgorithm({0}), examples, {0, 1}, {.weights = {0.25, 1}});
  EXPECT_EQ(trained.sum, (Point{9}));
}

TEST(ThreadCohortTest, StepsFollowBatchesAndEpochs) {
  // Rate ½ towards 8, from 0: 4, 6, 7, 7.5 after four steps.
  const PointExamples examples(1, {{{8}, {8}, {8}}});
  const Trained trained = Train(MovingAlgorithm({0}, 0.5), examples, {0},
                                {.local = {.epochs = 2, .batch_size = 2}});
  EXPECT_EQ(trained.sum, (Point{7.5}));
  EXPECT_EQ(trained.facts.mean_loss(), 4);  // the fake's loss counts steps
}

TEST(ThreadCohortTest, AUserWithoutDataContributesZeroAndCounts) {
  const PointExamples examples(1, {{}, {{4}}});
  const Trained trained = Train(MovingAlgorithm({1}), examples, {0, 1});
  EXPECT_EQ(trained.sum, (Point{3}));
  EXPECT_EQ(trained.facts.users, 2);
  EXPECT_EQ(trained.facts.trained, 1);
  EXPECT_EQ(trained.facts.not_finite, 0);
  EXPECT_EQ(trained.facts.mean_norm(), 1.5);
}

TEST(ThreadCohortTest, AClientThatIsNotFiniteContributesZero) {
  for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity()}) {
    const PointExamples examples(2, {{{bad, 1}}, {{4, 4}}});
    const Trained trained = Train(MovingAlgorithm({0, 0}), examples, {0, 1});
    EXPECT_EQ(trained.sum, (Point{4, 4}));
    EXPECT_EQ(trained.facts.not_finite, 1);
    EXPECT_EQ(trained.facts.trained, 1);
    EXPECT_TRUE(std::isfinite(trained.facts.mean_norm()));
    EXPECT_TRUE(std::isfinite(trained.facts.mean_loss()));
  }
}

TEST(ThreadCohortTest, AnEmptyCohortAddsNothing) {
  const PointExamples examples(1, {{{4}}});
  const Trained trained = Train(MovingAlgorithm({0}), examples, {});
  EXPECT_EQ(trained.sum, (Point{0}));
  EXPECT_EQ(trained.facts.users, 0);
}

PointExamples RandomPoints(std::size_t users) {
  base::Rng rng(4);
  std::vector<std::vector<Point>> all(users);
  for (auto& user : all) {
    user.resize(rng.Below(30));
    for (Point& point : user) {
      for (int i = 0; i < 50; ++i) {
        point.push_back(static_cast<float>(rng.Normal()));
      }
    }
  }
  return {50, all};
}

TEST(ThreadCohortTest, OneThreadOrManyGiveTheSameBits) {
  const PointExamples examples = RandomPoints(60);
  Users users;
  for (std::int64_t user = 0; user < 60; ++user) users.push_back(user);
  const MovingAlgorithm algorithm(Point(50, 0.1f), 0.3);
  const auto train = [&](int threads) {
    return Train(algorithm, examples, users,
                 {.threads = threads,
                  .clip_norm = 0.7,
                  .local = {.epochs = 2, .batch_size = 4}});
  };
  const Trained one = train(1);
  EXPECT_GT(one.facts.clipped, 0);
  EXPECT_LT(one.facts.clipped, 60);
  for (const int threads : {1, 2, 5}) {
    const Trained many = train(threads);
    EXPECT_EQ(many.sum, one.sum) << threads;
    EXPECT_EQ(many.facts.mean_norm(), one.facts.mean_norm());
    EXPECT_EQ(many.facts.mean_loss(), one.facts.mean_loss());
    EXPECT_EQ(many.facts.clipped, one.facts.clipped);
  }
}

TEST(ThreadCohortTest, AnErrorInAThreadReachesTheCaller) {
  const PointExamples examples = RandomPoints(20);
  MovingAlgorithm broken(Point(50, 0.0f));
  broken.throws = true;
  ThreadCohort cohort(examples, {.threads = 2});
  const Users users = {0, 1, 2, 3, 4, 5};
  const std::vector<double> weights(6, 1.0);
  dp::ClippedSum sum(1, 50);
  const Error error =
      Thrown([&] { cohort.Train(broken, 0, users, weights, sum); });
  EXPECT_EQ(error.kind(), ErrorKind::kUnavailable);
  EXPECT_EQ(error.todo(), "buy one");
  // The threads live on.
  const MovingAlgorithm whole(Point(50, 0.0f));
  EXPECT_EQ(cohort.Train(whole, 0, users, weights, sum).users, 6);
}

TEST(ThreadCohortTest, AnAlgorithmAtTheSameAddressIsAnother) {
  const PointExamples examples(1, {{{4}}});
  ThreadCohort cohort(examples, {.threads = 1});
  const dp::PlainMean mean({.clip_norm = 64});
  std::optional<MovingAlgorithm> algorithm;
  for (const double rate : {1.0, 0.5}) {
    algorithm.emplace(Point{0}, rate);
    dp::ClippedSum sum = mean.EmptySum(1, "");
    cohort.Train(*algorithm, 0, Users{0}, std::vector<double>{1}, sum);
    EXPECT_EQ(mean.ReleaseMean(std::move(sum), 1).value(),
              (Point{static_cast<float>(4 * rate)}));
  }
}

TEST(ThreadCohortTest, ACohortTrainsOnFromRoundToRound) {
  const PointExamples examples(1, {{{4}}, {{8}}});
  ThreadCohort cohort(examples, {.threads = 2});
  MovingAlgorithm algorithm({0});
  const dp::PlainMean mean({.clip_norm = 64});
  for (std::uint64_t round = 0; round < 3; ++round) {
    dp::ClippedSum sum = mean.EmptySum(1, "");
    cohort.Train(algorithm, round, Users{0, 1}, std::vector<double>{1, 1}, sum);
    algorithm.Absorb(mean.ReleaseMean(std::move(sum), 2));
  }
  EXPECT_EQ(algorithm.params(), (Point{6}));
}

TEST(WorkerPoolTest, TheLeastNumbersAreZeroInItsThreadsAlone) {
  if (!at::globalContext().setFlushDenormal(false)) {
    GTEST_SKIP() << "a processor that cannot be told so";
  }
  WorkerPool pool(2);
  volatile float least = std::numeric_limits<float>::min();
  std::array<float, 2> halves = {1, 1};
  pool.Run(2, [&](int, std::size_t item) { halves[item] = least / 2; });
  EXPECT_EQ(halves, (std::array<float, 2>{0, 0}));
  EXPECT_GT(least / 2, 0.0F);
}

TEST(WorkerPoolTest, ThreadsHaveSingleKernelsAndNoAutograd) {
  WorkerPool pool(3);
  std::atomic<int> wrong = 0;
  pool.Run(9, [&](int, std::size_t) {
    if (at::get_num_threads() != 1 || at::GradMode::is_enabled()) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(at::GradMode::is_enabled());  // here
}

TEST(CohortFactsTest, SharesOfACohortAddUp) {
  CohortFacts a{.users = 3, .trained = 1, .clipped = 1, .not_finite = 1};
  for (const double norm : {1.5, 2.5}) a.norms.Add(norm);
  a.losses.Add(5);
  CohortFacts b{.users = 4, .trained = 3};
  for (const double norm : {4, 5, 5, 6}) b.norms.Add(norm);
  for (const double loss : {0.5, 1.5, 1.0}) b.losses.Add(loss);
  const CohortFacts both = Together(a, b);
  EXPECT_EQ(both.users, 7);
  EXPECT_EQ(both.trained, 4);
  EXPECT_EQ(both.clipped, 1);
  EXPECT_EQ(both.not_finite, 1);
  EXPECT_DOUBLE_EQ(both.mean_norm(), (2 * 2 + 4 * 5) / 6.0);
  EXPECT_DOUBLE_EQ(both.mean_loss(), (1 * 5 + 3 * 1) / 4.0);
  EXPECT_EQ(Together({}, {}).mean_norm(), 0);
}

ClientFacts Client(double norm) {
  return {
      .clip = {.norm = norm, .finite = true}, .loss = -norm, .stepped = true};
}

TEST(CohortFactsTest, HowACohortIsSharedOutChangesNoDigit) {
  base::Rng rng(11);
  std::vector<ClientFacts> clients;
  for (int i = 0; i < 97; ++i) clients.push_back(Client(rng.Uniform()));
  const CohortFacts alone = Summary(clients);
  for (const std::size_t ranks : {2, 3, 7, 96}) {
    std::vector<std::vector<ClientFacts>> shares(ranks);
    for (std::size_t i = 0; i < clients.size(); ++i) {
      shares[i * i % ranks].push_back(clients[i]);
    }
    CohortFacts together;
    for (const auto& share : shares) {
      together = Together(together, Summary(share));
    }
    EXPECT_EQ(together.mean_norm(), alone.mean_norm()) << ranks;
    EXPECT_EQ(together.mean_loss(), alone.mean_loss()) << ranks;
  }
}

TEST(OrderlessSumTest, KeepsItsWordAtTheEnds) {
  OrderlessSum sum;
  EXPECT_EQ(sum.Over(0), 0);
  sum.Add(std::numeric_limits<double>::infinity());
  EXPECT_EQ(sum.Over(1), 0x1p52);
  sum.Add(-0x1p52);
  sum.Add(0x1p-52);
  EXPECT_EQ(sum.Over(1), 0x1p-52);
  OrderlessSum other;
  other.Add(std::numeric_limits<double>::quiet_NaN());
  sum.Add(other);
  EXPECT_TRUE(std::isnan(sum.Over(3)));
}

}  // namespace
}  // namespace sfumato::fed
