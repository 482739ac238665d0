#include "algorithms/dp_fedavg.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "base/random.h"
#include "fed/evaluate.h"
#include "fed/fed_testing.h"
#include "fed/round_loop.h"
#include "fed/sampling.h"
#include "fed/thread_cohort.h"
#include "models/classifier.h"
#include "models/model_testing.h"

namespace sfumato::algorithms {
namespace {

// Three classes in the plane, each around a corner of its own; every user has
// a few examples of two of them.
class Corners : public models::Examples {
 public:
  models::Shape shape() const override { return {1, 1, 2}; }
  std::int64_t classes() const override { return 3; }
  std::int64_t users() const override { return 60; }
  std::int64_t user_size(std::int64_t user) const override {
    return user % 7 == 0 ? 0 : 5 + user % 11;
  }
  std::int64_t Read(std::int64_t user, std::int64_t i,
                    std::span<float> values) const override {
    base::Rng rng(
        1, {static_cast<std::uint64_t>(user), static_cast<std::uint64_t>(i)});
    const std::int64_t label = (user + i % 2) % 3;
    const double angle = 2.0943951 * static_cast<double>(label);
    values[0] = static_cast<float>(std::cos(angle) + 0.3 * rng.Normal());
    values[1] = static_cast<float>(std::sin(angle) + 0.3 * rng.Normal());
    return label;
  }
};

models::Stack SmallStack() {
  return {{1, 1, 2},
          {models::Dense{.outputs = 8}, models::Relu{},
           models::Dense{.outputs = 3}}};
}

DpFedAvg Small(const DpFedAvgOptions& options = {
                   .device = {.learning_rate = 0.5}, .seed = 5}) {
  return DpFedAvg(models::TrainableClassifier(SmallStack()), options);
}

class Last : public fed::RoundObserver {
 public:
  fed::RoundReport report;
  std::function<void(const fed::RoundReport&)> also =
      [](const fed::RoundReport&) {};
  void AfterRound(const fed::RoundReport& now, const fed::Algorithm&) override {
    report = now;
    also(now);
  }
};

class DpFedAvgTest : public fed::FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    MakeLedger();
  }
  void MakeLedger() {
    ledger_.reset();
    std::filesystem::remove(folder_ / "ledger.sqlite");
    ledger_.emplace(dp::Ledger::Create(
        folder_ / "ledger.sqlite",
        {.name = "corners", .budget = {.epsilon = 1e5, .delta = 1e-5}}));
  }
  static fed::MeanOptions Mean() {
    return {.noise_multiplier = 0.5,
            .clip_norm = 0.3,
            .expected_cohort = 20,
            .participants = dp::ParticipantsOf(dp::Poisson{.rate = 20.0 / 60})};
  }
  struct RunOptions {
    std::int64_t rounds = 30;
    std::int64_t first_round = 0;
    int threads = 2;
  };
  void Run(fed::Algorithm& algorithm, fed::MeanMechanism& mechanism,
           const RunOptions& options) {
    fed::ThreadCohort cohort(
        examples_,
        {.seed = 9, .local = {.batch_size = 4}, .threads = options.threads});
    fed::RunRounds({.algorithm = algorithm,
                    .cohort = cohort,
                    .examples = examples_,
                    .mechanism = mechanism,
                    .ledger = &*ledger_,
                    .observer = observer_},
                   {.run = "first",
                    .population = "corners",
                    .randomness = {.simulation = true, .seed = 9},
                    .rounds = options.rounds,
                    .first_round = options.first_round});
  }
  double Accuracy(const DpFedAvg& algorithm) {
    std::vector<std::int64_t> users;
    for (std::int64_t user = 0; user < 60; ++user) users.push_back(user);
    fed::WorkerPool pool(1);
    return fed::Evaluate(SmallStack(), algorithm.params(), examples_, users,
                         pool)
        .accuracy();
  }

  Corners examples_;
  Last observer_;
  std::optional<dp::Ledger> ledger_;
};

TEST_F(DpFedAvgTest, LearnsWithoutPrivacyAndNearlyAsWellWithIt) {
  DpFedAvg plain = Small();
  EXPECT_LT(Accuracy(plain), 0.8);
  Run(plain, *fed::MakeMeanMechanism(FedAvgMean(Mean())), {});
  EXPECT_GT(Accuracy(plain), 0.97);
  EXPECT_FALSE(ledger_->FindRun("first"));  // nothing that could be entered

  DpFedAvg privately = Small();
  Run(privately, *fed::MakeMeanMechanism(DpFedAvgMean(Mean())), {});
  EXPECT_GT(Accuracy(privately), 0.9);
  EXPECT_EQ(ledger_->FindRun("first")->released[0].count, 30);
}

TEST_F(DpFedAvgTest, ARoundOfEveryoneIsAStepOfTheMean) {
  // One batch a user: the mean update is minus the mean gradient times the
  // learning rate, by the models' own autograd.
  DpFedAvg algorithm = Small();
  const at::Tensor before = algorithm.params().clone();
  at::Tensor expected = before.clone();
  for (const std::int64_t user : {1, 2}) {
    const auto size = examples_.user_size(user);
    at::Tensor inputs = at::empty({1, size, 1, 1, 2});
    at::Tensor labels = at::empty({1, size}, at::kLong);
    for (std::int64_t i = 0; i < size; ++i) {
      labels.data_ptr<std::int64_t>()[i] =
          examples_.Read(user, i, {inputs.data_ptr<float>() + 2 * i, 2});
    }
    const at::Tensor leaf = before.clone().requires_grad_(true);
    const at::Tensor scores =
        at::log_softmax(SmallStack().Forward(leaf, inputs), -1);
    scores.gather(-1, labels.unsqueeze(-1)).mean().neg().backward();
    expected = expected - 0.5 * leaf.grad() / 4;  // over the configured 4
  }
  fed::ThreadCohort cohort(examples_, {.local = {.batch_size = 20}});
  fed::MeanOptions mean = FedAvgMean({.expected_cohort = 4});
  const auto mechanism = fed::MakeMeanMechanism(mean);
  dp::ClippedSum sum =
      mechanism->EmptySum(static_cast<std::size_t>(before.numel()), "");
  cohort.Train(algorithm, 0, std::vector<std::int64_t>{1, 2, 7},
               std::vector<double>(3, 1.0), sum);
  dp::NoiseSource none = dp::NoiseSource::Simulation(1);
  algorithm.Absorb(mechanism->Release(std::move(sum), none));
  EXPECT_TRUE(at::allclose(algorithm.params(), expected, 1e-5, 1e-6));
  EXPECT_FALSE(at::allclose(algorithm.params(), before, 1e-3, 1e-3));
}

TEST_F(DpFedAvgTest, ResumesToTheBitWithMomentsAndClipNorm) {
  const DpFedAvgOptions options{
      .device = {.learning_rate = 0.5, .momentum = 0.5},
      .server = {.kind = fed::ServerKind::kAdam, .learning_rate = 0.05},
      .seed = 5};
  fed::MeanOptions mean = DpFedAvgMean(Mean());
  mean.clipping = fed::Clipping::kAdaptive;

  DpFedAvg whole = Small(options);
  Run(whole, *fed::MakeMeanMechanism(mean), {.rounds = 7, .threads = 1});

  MakeLedger();
  DpFedAvg stopped = Small(options);
  std::optional<base::SafetensorsFile> saved;
  double clip_norm = 0;
  observer_.also = [&](const fed::RoundReport& report) {
    if (report.done == 4) {
      saved.emplace(Saved(stopped.State()));
      clip_norm = report.next_clip_norm;
    }
    if (report.done == 6) throw Unavailable("power", "", "");
  };
  Thrown([&] { Run(stopped, *fed::MakeMeanMechanism(mean), {.rounds = 7}); });
  observer_.also = [](const fed::RoundReport&) {};

  DpFedAvg resumed = Small(options);
  resumed.Restore(*saved);
  const auto mechanism = fed::MakeMeanMechanism(mean);
  mechanism->Resume(clip_norm);
  Run(resumed, *mechanism, {.rounds = 7, .first_round = 4});
  EXPECT_TRUE(at::equal(resumed.params(), whole.params()));
  for (std::size_t i = 0; i < whole.State().size(); ++i) {
    EXPECT_EQ(resumed.State()[i].first, whole.State()[i].first);
    EXPECT_TRUE(at::equal(resumed.State()[i].second, whole.State()[i].second));
  }
}

// The mean loss of each lane, and its gradient, as autograd has them.
std::pair<at::Tensor, at::Tensor> ByAutograd(const models::Stack& stack,
                                             const at::Tensor& params,
                                             const models::Batch& batch) {
  const std::vector<at::Tensor> leaves = models::Leaves(stack, params);
  const at::Tensor rows =
      -at::log_softmax(stack.Forward(leaves, batch.inputs.to(at::kDouble)), -1)
           .gather(-1, batch.labels.unsqueeze(-1));
  const at::Tensor losses = rows.mean({1, 2});
  return {losses.detach(),
          models::Flat(torch::autograd::grad({losses.sum()}, leaves))};
}

TEST(UserUpdateTest, TwoStepsAreThoseOfSgdWithAndWithoutMomentum) {
  at::manual_seed(2);
  constexpr double kRate = 0.05;
  const models::Stack stack =
      models::ClassifierNamed("lenet5", {28, 28, 1}, 10);
  const at::Tensor start = models::RandomParams(stack, 2, 5);
  const models::Batch batch{.inputs = models::RandomImages(stack, 2, 3),
                            .labels = at::randint(10, {2, 3}, at::kLong),
                            .weights = at::full({2, 3}, 1.0 / 3),
                            .keys = at::zeros({2}, at::kLong)};
  for (const double momentum : {0.0, 0.9}) {
    const auto [loss, g] = ByAutograd(stack, start, batch);
    const at::Tensor once = start - kRate * g;
    const auto [next_loss, next] = ByAutograd(stack, once, batch);
    const at::Tensor twice = once - kRate * (momentum * g + next);
    for (const at::Device& device : models::Devices()) {
      const auto step =
          DpFedAvg(models::TrainableClassifier(stack),
                   {.device = {.learning_rate = kRate, .momentum = momentum}})
              .MakeTrainer(device, 2, 3);
      const at::Tensor params = start.to(device).clone();
      const models::Batch there{.inputs = batch.inputs.to(device),
                                .labels = batch.labels.to(device),
                                .weights = batch.weights.to(device),
                                .keys = batch.keys.to(device)};
      step->Begin();
      step->Step(params, there);
      step->Step(params, there);
      EXPECT_LT(models::Apart(params.to(at::kCPU) - start, twice - start), 1e-4)
          << device << " momentum " << momentum;
      EXPECT_LT(models::Apart(step->losses(), (loss + next_loss) / 2), 1e-4);
    }
  }
}

TEST(UserUpdateTest, ALaneThatIsDoneStaysWhateverItsMomentum) {
  at::manual_seed(3);
  const models::Stack stack({.channels = 4}, {models::Dense{.outputs = 3}});
  for (const double momentum : {0.0, 0.9}) {
    const auto step =
        DpFedAvg(models::TrainableClassifier(stack),
                 {.device = {.learning_rate = 0.1, .momentum = momentum}})
            .MakeTrainer(at::kCPU, 2, 2);
    const at::Tensor params = models::RandomParams(stack, 2, 1);
    models::Batch batch{.inputs = models::RandomImages(stack, 2, 2),
                        .labels = at::zeros({2, 2}, at::kLong),
                        .weights = at::full({2, 2}, 0.5),
                        .keys = at::zeros({2}, at::kLong)};
    step->Begin();
    step->Step(params, batch);
    const at::Tensor before = params.clone();
    batch.weights[1].zero_();
    step->Step(params, batch);
    EXPECT_FALSE(params[0].equal(before[0]));
    EXPECT_TRUE(params[1].equal(before[1]));
  }
}

TEST(DpFedAvgMeanTest, AsksForNoise) {
  for (const double bad : {0.0, -1.0, std::nan("")}) {
    const Error error =
        Thrown([&] { DpFedAvgMean({.noise_multiplier = bad}); });
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_NE(error.todo().find("fedavg"), std::string::npos);
  }
  EXPECT_EQ(DpFedAvgMean(
                {.clipping = fed::Clipping::kAdaptive, .noise_multiplier = 1})
                .clipping,
            fed::Clipping::kAdaptive);
}

TEST(FedAvgMeanTest, NeverPretendsToProtect) {
  const fed::MeanOptions mean =
      FedAvgMean({.clipping = fed::Clipping::kAdaptive,
                  .noise_multiplier = 1,
                  .expected_cohort = 1});
  EXPECT_FALSE(fed::MakeMeanMechanism(mean)->protects());
}

}  // namespace
}  // namespace sfumato::algorithms
