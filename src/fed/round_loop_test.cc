#include "fed/round_loop.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "base/random.h"
#include "dp/mechanisms/falsify_testing.h"
#include "fed/epsilon_meter.h"
#include "fed/fed_testing.h"
#include "fed/thread_cohort.h"

namespace sfumato::fed {
namespace {

class Recorder : public RoundObserver {
 public:
  std::vector<RoundReport> reports;
  std::function<void(const RoundReport&, const Algorithm&)> also =
      [](const RoundReport&, const Algorithm&) {};
  void AfterRound(const RoundReport& report,
                  const Algorithm& algorithm) override {
    reports.push_back(report);
    also(report, algorithm);
  }
};

// Looks at the ledger whenever a value is released.
class Watched : public MeanMechanism {
 public:
  Watched(std::unique_ptr<MeanMechanism> inner,
          std::function<void(const dp::Event&)> before_release)
      : inner_(std::move(inner)), before_release_(std::move(before_release)) {}
  bool protects() const override { return inner_->protects(); }
  double clip_norm() const override { return inner_->clip_norm(); }
  double noise_deviation() const override { return inner_->noise_deviation(); }
  dp::ClippedSum EmptySum(std::size_t dimension,
                          std::string cohort) const override {
    return inner_->EmptySum(dimension, std::move(cohort));
  }
  dp::Event Event(std::string cohort) const override {
    return inner_->Event(std::move(cohort));
  }
  dp::Released<std::vector<float>> Release(dp::ClippedSum&& sum,
                                           dp::NoiseSource& noise) override {
    before_release_(inner_->Event(sum.cohort()));
    return inner_->Release(std::move(sum), noise);
  }
  void Resume(double clip_norm) override { inner_->Resume(clip_norm); }

 private:
  std::unique_ptr<MeanMechanism> inner_;
  std::function<void(const dp::Event&)> before_release_;
};

constexpr std::size_t kUsers = 40;
constexpr std::int64_t kDimension = 8;

PointExamples People() {
  base::Rng rng(4);
  std::vector<std::vector<Point>> users(kUsers);
  for (auto& user : users) {
    user.resize(rng.Below(12));
    for (Point& point : user) {
      for (std::int64_t i = 0; i < kDimension; ++i) {
        point.push_back(static_cast<float>(rng.Normal(0.5, 1)));
      }
    }
  }
  return {kDimension, users};
}

class RoundLoopTest : public FolderTest {
 protected:
  RoundLoopTest() : people_(People()) {}
  void SetUp() override {
    FolderTest::SetUp();
    MakeLedger(1e6);
  }
  void MakeLedger(double epsilon,
                  dp::Adjacency adjacency = dp::Adjacency::kAddRemove) {
    ledger_.reset();
    std::filesystem::remove(folder_ / "ledger.sqlite");
    ledger_.emplace(dp::Ledger::Create(
        folder_ / "ledger.sqlite",
        {.name = "phones",
         .budget = {
             .epsilon = epsilon, .delta = 1e-6, .adjacency = adjacency}}));
  }

  RoundOptions Options(std::int64_t rounds) const {
    return {.run = "first",
            .population = "phones",
            .randomness = {.simulation = true, .seed = 7},
            .rounds = rounds};
  }
  static MeanOptions Noise(Clipping clipping = Clipping::kFixed) {
    return {.clipping = clipping,
            .noise_multiplier = 0.5,
            .clip_norm = 0.5,
            .expected_cohort = 10,
            .participants = dp::ParticipantsOf(dp::Poisson{.rate = 0.25})};
  }
  void Run(MovingAlgorithm& algorithm, const RoundOptions& options,
           MeanMechanism& mechanism, int threads = 2) {
    ThreadCohort cohort(people_, {.seed = options.randomness.seed,
                                  .local = {.batch_size = 4},
                                  .threads = threads});
    RunRounds({.algorithm = algorithm,
               .cohort = cohort,
               .examples = people_,
               .mechanism = mechanism,
               .ledger = &*ledger_,
               .observer = recorder_},
              options);
  }
  void Run(MovingAlgorithm& algorithm, const RoundOptions& options,
           const MeanOptions& mean, int threads = 2) {
    Run(algorithm, options, *MakeMeanMechanism(mean), threads);
  }
  static MovingAlgorithm Start() {
    return MovingAlgorithm(Point(kDimension, 0.0f), 0.5);
  }
  std::int64_t Released() {
    std::int64_t count = 0;
    for (const auto& event : ledger_->TotalsOf("phones").released) {
      count += event.count;
    }
    return count;
  }

  PointExamples people_;
  std::optional<dp::Ledger> ledger_;
  Recorder recorder_;
};

TEST_F(RoundLoopTest, WithoutNoiseARoundIsTheMeanOfTheClippedUpdates) {
  // Everyone, one step at rate ½ from 0: updates are half the first batch's
  // mean; with batches of all examples that is half the user's mean.
  const PointExamples people(2, {{{2, 0}, {4, 0}}, {{0, 80}}, {}});
  MovingAlgorithm algorithm(Point{0, 0}, 0.5);
  ThreadCohort cohort(people, {.local = {.batch_size = 10}});
  const auto mechanism = MakeMeanMechanism({.clipping = Clipping::kUnprotected,
                                            .clip_norm = 8,
                                            .expected_cohort = 4});
  RunRounds({.algorithm = algorithm,
             .cohort = cohort,
             .examples = people,
             .mechanism = *mechanism,
             .ledger = nullptr,
             .observer = recorder_},
            {.randomness = {.simulation = true}, .rounds = 1});
  // {1.5, 0}, {0, 40} clipped to {0, 8}, and nothing; over the configured 4.
  EXPECT_FLOAT_EQ(algorithm.params()[0], 1.5f / 4);
  EXPECT_FLOAT_EQ(algorithm.params()[1], 8.0f / 4);
  ASSERT_EQ(recorder_.reports.size(), 1u);
  const RoundReport& report = recorder_.reports[0];
  EXPECT_EQ(report.done, 1);
  EXPECT_EQ(report.clip_norm, 8);
  EXPECT_EQ(report.noise_deviation, 0);
  EXPECT_NEAR(report.mean_norm, std::hypot(0.375, 2), 1e-6);
  EXPECT_EQ(report.simulation_only.facts.users, 3);
  EXPECT_EQ(report.simulation_only.facts.clipped, 1);
}

TEST_F(RoundLoopTest, WeightsAreCappedAndTheDivisorStaysAsConfigured) {
  const PointExamples people(1, {{{2}}, {{6}, {6}}, {{4}, {4}, {4}, {4}}});
  MovingAlgorithm algorithm(Point{0}, 1);
  ThreadCohort cohort(people, {.local = {.batch_size = 10}});
  const auto mechanism = MakeMeanMechanism({.clipping = Clipping::kUnprotected,
                                            .clip_norm = 64,
                                            .expected_cohort = 3,
                                            .expected_weight = 0.5});
  RunRounds({.algorithm = algorithm,
             .cohort = cohort,
             .examples = people,
             .mechanism = *mechanism,
             .ledger = nullptr,
             .observer = recorder_},
            {.randomness = {.simulation = true},
             .weighting = {.by_examples = true, .cap = 2},
             .rounds = 1});
  // Weights ½, 1, 1: 1 + 6 + 4 over 3 · 0.5.
  EXPECT_FLOAT_EQ(algorithm.params()[0], 11 / 1.5f);
}

TEST_F(RoundLoopTest, TheSameSeedGivesTheSameBitsWithAnyNumberOfThreads) {
  for (const Clipping clipping : {Clipping::kFixed, Clipping::kAdaptive}) {
    std::vector<Point> results;
    for (const int threads : {1, 1, 2, 3}) {
      MakeLedger(1e6);
      MovingAlgorithm algorithm = Start();
      Run(algorithm, Options(5), Noise(clipping), threads);
      results.push_back(algorithm.params());
    }
    for (const Point& result : results) EXPECT_EQ(result, results[0]);
    MakeLedger(1e6);
    MovingAlgorithm algorithm = Start();
    RoundOptions options = Options(5);
    options.randomness.seed = 8;
    Run(algorithm, options, Noise(clipping));
    EXPECT_NE(algorithm.params(), results[0]);
  }
}

// The order that everything hangs on.
TEST_F(RoundLoopTest, TheCostIsOnDiskWhenTheValueIsReleased) {
  std::int64_t releases = 0;
  Watched mechanism(MakeMeanMechanism(Noise()), [&](const dp::Event& event) {
    ++releases;
    // Another process reads the file.
    dp::Ledger reader = dp::Ledger::Open(folder_ / "ledger.sqlite", "",
                                         dp::Ledger::Mode::kRead);
    const dp::Totals totals = reader.TotalsOf("phones");
    ASSERT_EQ(totals.released.size(), 1u);
    EXPECT_EQ(totals.released[0].count, releases);
    EXPECT_EQ(totals.released[0].mechanism, event.mechanism);
    EXPECT_EQ(totals.released[0].sampling, event.sampling);
  });
  MovingAlgorithm algorithm = Start();
  Run(algorithm, Options(3), mechanism);
  EXPECT_EQ(releases, 3);
  EXPECT_EQ(Released(), 3);
  EXPECT_TRUE(ledger_->FindRun("first")->finished);
}

TEST_F(RoundLoopTest, ASpentBudgetStopsBeforeAnythingIsTrained) {
  MakeLedger(0.5);
  MovingAlgorithm algorithm = Start();
  algorithm.throws = true;  // whoever trains it
  const Error error = Thrown([&] { Run(algorithm, Options(50), Noise()); });
  EXPECT_EQ(error.kind(), ErrorKind::kBudgetSpent);
  EXPECT_EQ(algorithm.absorbed, 0);
  EXPECT_TRUE(recorder_.reports.empty());
  EXPECT_EQ(Released(), 0);
}

TEST_F(RoundLoopTest, ACrashAfterTheEntryCountsTheRound) {
  MovingAlgorithm algorithm = Start();
  algorithm.before_absorb = [] { throw Unavailable("the power", "", ""); };
  Thrown([&] { Run(algorithm, Options(3), Noise()); });
  EXPECT_EQ(Released(), 1);
  EXPECT_EQ(algorithm.absorbed, 0);
}

// Rule 7: an empty cohort is nothing that an outsider may notice.
TEST_F(RoundLoopTest, AnEmptyCohortReleasesNoise) {
  MeanOptions mean = Noise();
  mean.participants = dp::ParticipantsOf(dp::Poisson{.rate = 1e-9});
  MovingAlgorithm algorithm = Start();
  Run(algorithm, Options(1), mean);
  EXPECT_EQ(recorder_.reports[0].simulation_only.facts.users, 0);
  EXPECT_EQ(Released(), 1);
  for (const float x : algorithm.params()) EXPECT_NE(x, 0);
  // 0.5 · 0.5 / 10 each; the sum of eight squares is within 100 times that but
  // for a chance of 1e-100.
  EXPECT_NEAR(recorder_.reports[0].noise_deviation, 0.025, 1e-12);
  EXPECT_LT(recorder_.reports[0].mean_norm, 0.025 * std::sqrt(8.0) * 10);
}

TEST_F(RoundLoopTest, ADrawIsWhatTheEventSays) {
  // A fixed size has another adjacency, and so has the ledger.
  MakeLedger(1e6, dp::Adjacency::kReplaceOne);
  MeanOptions mean = Noise();
  mean.participants =
      dp::ParticipantsOf(dp::FixedSize{.cohort = 7, .population = kUsers});
  MovingAlgorithm algorithm = Start();
  Run(algorithm, Options(2), mean);
  for (const RoundReport& report : recorder_.reports) {
    EXPECT_EQ(report.simulation_only.facts.users, 7);
  }
  EXPECT_EQ(ledger_->TotalsOf("phones").released[0].sampling,
            (dp::Sampling{dp::FixedSize{.cohort = 7, .population = kUsers}}));
}

TEST_F(RoundLoopTest, ResumesToTheBit) {
  for (const Clipping clipping :
       {Clipping::kFixed, Clipping::kAdaptive, Clipping::kUnprotected}) {
    MakeLedger(1e6);
    MovingAlgorithm whole = Start();
    Run(whole, Options(6), Noise(clipping));

    // Stopped in round 4 after the ledger's entry; round 3 has a checkpoint.
    MakeLedger(1e6);
    MovingAlgorithm stopped = Start();
    params::NamedTensors saved;
    double clip_norm = 0;
    recorder_.also = [&](const RoundReport& report,
                         const Algorithm& algorithm) {
      if (report.done == 3) {
        saved = algorithm.State();
        clip_norm = report.next_clip_norm;
        stopped.before_absorb = [] { throw Unavailable("power", "", ""); };
      }
    };
    Thrown([&] { Run(stopped, Options(6), Noise(clipping)); });
    recorder_.also = [](const RoundReport&, const Algorithm&) {};

    MovingAlgorithm resumed = Start();
    resumed.Restore(Saved(saved));
    const auto mechanism = MakeMeanMechanism(Noise(clipping));
    mechanism->Resume(clip_norm);
    RoundOptions options = Options(6);
    options.first_round = 3;
    Run(resumed, options, *mechanism);
    EXPECT_EQ(resumed.params(), whole.params());
    EXPECT_EQ(Released(), clipping == Clipping::kUnprotected ? 0 : 6);
    EXPECT_EQ(recorder_.reports.back().released, 6);
  }
}

TEST_F(RoundLoopTest, OutsideASimulationEveryRunIsAnother) {
  RoundOptions options = Options(2);
  options.randomness.simulation = false;
  MovingAlgorithm one = Start();
  Run(one, options, Noise());
  options.run = "second";
  MovingAlgorithm two = Start();
  Run(two, options, Noise());
  EXPECT_NE(one.params(), two.params());
  EXPECT_EQ(Released(), 4);
}

TEST_F(RoundLoopTest, RefusesToTrainOnPrivateDataWithoutPrivacy) {
  RoundOptions options = Options(2);
  options.randomness.simulation = false;
  MovingAlgorithm algorithm = Start();
  EXPECT_EQ(Thrown([&] {
              Run(algorithm, options, Noise(Clipping::kUnprotected));
            }).kind(),
            ErrorKind::kUnsupported);
  EXPECT_EQ(algorithm.absorbed, 0);
}

TEST_F(RoundLoopTest, RefusesPrivacyWithoutALedger) {
  MovingAlgorithm algorithm = Start();
  ThreadCohort cohort(people_, {});
  const auto mechanism = MakeMeanMechanism(Noise());
  EXPECT_EQ(Thrown([&] {
              RunRounds({.algorithm = algorithm,
                         .cohort = cohort,
                         .examples = people_,
                         .mechanism = *mechanism,
                         .ledger = nullptr,
                         .observer = recorder_},
                        Options(1));
            }).kind(),
            ErrorKind::kBadInput);
}

TEST_F(RoundLoopTest, AdaptiveClippingFollowsTheNorms) {
  // All updates have norm 4; the clip norm starts far below.
  const PointExamples people(1, std::vector<std::vector<Point>>(50, {{4}}));
  MeanOptions mean = Noise(Clipping::kAdaptive);
  mean.clip_norm = 0.25;
  mean.expected_cohort = 50;
  mean.participants = dp::ParticipantsOf(dp::All{});
  const auto mechanism = MakeMeanMechanism(mean);
  ThreadCohort cohort(people, {});
  MovingAlgorithm algorithm(Point{0}, 1);
  RunRounds({.algorithm = algorithm,
             .cohort = cohort,
             .examples = people,
             .mechanism = *mechanism,
             .ledger = &*ledger_,
             .observer = recorder_},
            Options(1));
  const RoundReport& report = recorder_.reports[0];
  EXPECT_EQ(report.clip_norm, 0.25);
  // Nobody is within: the share is 0 but for noise of 2.5 / 50, ten deviations
  // of which are ½; the norm grows by e^(0.2 · (0.5 - share)).
  ASSERT_TRUE(report.share_within);
  EXPECT_NEAR(*report.share_within, 0, 0.5);
  EXPECT_NEAR(report.next_clip_norm,
              0.25 * std::exp(0.2 * (0.5 - *report.share_within)), 1e-12);
  EXPECT_EQ(mechanism->clip_norm(), report.next_clip_norm);
}

TEST(MeanMechanismTest, SmallCohortsLeaveMostOfThePrecisionToTheUpdates) {
  // Cohort 10, z 1: bits of deviation 1 leave (1 - 1/4)^(-1/2).
  MeanOptions mean{.clipping = Clipping::kAdaptive,
                   .noise_multiplier = 1,
                   .clip_norm = 2,
                   .expected_cohort = 10};
  EXPECT_NEAR(MakeMeanMechanism(mean)->noise_deviation(),
              2 / std::sqrt(0.75) / 10, 1e-12);
  EXPECT_EQ(std::get<dp::Gaussian>(MakeMeanMechanism(mean)->Event("").mechanism)
                .noise_multiplier,
            1);
  // A cohort of 1000 has bits of deviation 50.
  mean.expected_cohort = 1000;
  EXPECT_NEAR(MakeMeanMechanism(mean)->noise_deviation(),
              2 / std::sqrt(1 - 1e-4) / 1000, 1e-12);
}

TEST(MeanMechanismTest, RefusesADivisorThatIsNone) {
  for (const Clipping clipping :
       {Clipping::kFixed, Clipping::kAdaptive, Clipping::kUnprotected}) {
    for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
      dp::ExpectBadInput(
          [&] {
            MakeMeanMechanism({.clipping = clipping,
                               .noise_multiplier = 1,
                               .clip_norm = 1,
                               .expected_cohort = bad});
          },
          "divisor");
    }
  }
}

TEST(MeanMechanismTest, UnprotectedClipsGenerouslyUnlessTold) {
  EXPECT_EQ(MakeMeanMechanism(
                {.clipping = Clipping::kUnprotected, .expected_cohort = 1})
                ->clip_norm(),
            100);
  EXPECT_EQ(MakeMeanMechanism({.clipping = Clipping::kUnprotected,
                               .clip_norm = 3,
                               .expected_cohort = 1})
                ->clip_norm(),
            3);
}

TEST(EpsilonMeterTest, KnowsThePublishedCost) {
  // privacy_facts, section 2: q 0.01, z 1, 1000 rounds, delta 1e-5.
  EpsilonMeter meter({.mechanism = dp::Gaussian{.noise_multiplier = 1},
                      .sampling = dp::Poisson{.rate = 0.01},
                      .cohort = "round 7"},
                     1e-5);
  EXPECT_NEAR(meter.After(1000), 1.828244, 1e-3);
  // What is kept of earlier answers is what a meter says that was asked nothing
  // before, also when much was asked in between.
  EpsilonMeter fresh({.mechanism = dp::Gaussian{.noise_multiplier = 1},
                      .sampling = dp::Poisson{.rate = 0.01},
                      .cohort = "round 7"},
                     1e-5);
  const double ten = fresh.After(10);
  EXPECT_EQ(meter.After(10), ten);
  for (std::int64_t rounds = 11; rounds < 30; ++rounds) meter.After(rounds);
  EXPECT_EQ(meter.After(10), ten);
  EXPECT_EQ(meter.After(0), 0);
  EXPECT_LT(meter.After(10), meter.After(20));
  // What was paid before counts from the first round on.
  const dp::Event earlier{.mechanism = dp::Gaussian{.noise_multiplier = 1}};
  EpsilonMeter after({.mechanism = dp::Gaussian{.noise_multiplier = 1}}, 1e-5,
                     {earlier});
  EpsilonMeter alone({.mechanism = dp::Gaussian{.noise_multiplier = 1}}, 1e-5);
  EXPECT_EQ(after.After(0), 0);
  EXPECT_NEAR(after.After(3), alone.After(4), 1e-3);
  EpsilonMeter none({.mechanism = dp::Unprotected{}}, 1e-5);
  EXPECT_EQ(none.After(0), 0);
  EXPECT_TRUE(std::isinf(none.After(1)));
}

}  // namespace
}  // namespace sfumato::fed
