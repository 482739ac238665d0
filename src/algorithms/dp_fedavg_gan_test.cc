#include "algorithms/dp_fedavg_gan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "algorithms/dp_fedavg.h"
#include "base/random.h"
#include "dp/mechanisms/gaussian_mechanism.h"
#include "fed/fed_testing.h"
#include "fed/lane_cohort.h"
#include "fed/mean_mechanism.h"
#include "fed/round_loop.h"
#include "fed/thread_cohort.h"
#include "models/model_testing.h"

namespace sfumato::algorithms {
namespace {

// Images of one bright disc, at the upper left of even users and at the lower
// right of odd ones.
class Discs : public models::Examples {
 public:
  models::Shape shape() const override { return {12, 12, 1}; }
  std::int64_t classes() const override { return 2; }
  std::int64_t users() const override { return 40; }
  // `pairs`: no batch of four has a single example. Batch normalisation makes
  // nothing of one, and the penalty's gradient there is rounding alone.
  explicit Discs(bool pairs = false) : pairs_(pairs) {}
  std::int64_t user_size(std::int64_t user) const override {
    if (user == 0) return 0;
    return pairs_ ? 6 + 4 * (user % 2) : 3 + user % 9;
  }
  std::int64_t Read(std::int64_t user, std::int64_t i,
                    std::span<float> values) const override {
    base::Rng rng(
        1, {static_cast<std::uint64_t>(user), static_cast<std::uint64_t>(i)});
    const bool odd = user % 2 == 1;
    const double y = (odd ? 7.5 : 3.5) + 0.5 * rng.Normal();
    const double x = (odd ? 7.5 : 3.5) + 0.5 * rng.Normal();
    for (int p = 0; p < 144; ++p) {
      const double r = std::hypot(p / 12 - y, p % 12 - x);
      values[static_cast<std::size_t>(p)] = r < 2.5 ? 1.0f : -1.0f;
    }
    return odd ? 1 : 0;
  }

 private:
  bool pairs_;
};

struct Kind {
  std::string name = "wgan_quick";
  std::int64_t classes = 0;
};

DpFedAvgGanOptions Options(const Kind& kind) {
  DpFedAvgGanOptions options{
      .gan = models::GanNamed(kind.name, {12, 12, 1},
                              {.latent = 8, .classes = kind.classes}),
      .device = {.learning_rate = 0.02},
      .generator = {.steps = 4,
                    .batch_size = 16,
                    .learning_rate = 2e-3,
                    .ema = 0.9,
                    .seed = 3},
      .seed = 3};
  return options;
}

dp::Released<std::vector<float>> Update(const DpFedAvgGan& algorithm) {
  const auto mechanism = fed::MakeMeanMechanism(
      {.noise_multiplier = 1e-3, .clip_norm = 1, .expected_cohort = 10});
  dp::ClippedSum sum = mechanism->EmptySum(
      static_cast<std::size_t>(algorithm.Broadcast().numel()), "c");
  dp::NoiseSource noise = dp::NoiseSource::Simulation(1);
  return mechanism->Release(std::move(sum), noise);
}

constexpr fed::LocalTraining kLocal{
    .epochs = 1, .max_steps = 3, .batch_size = 4};

constexpr fed::LocalTraining kOneStep{
    .epochs = 1, .max_steps = 1, .batch_size = 4};

std::vector<double> SumOf(fed::Cohort& cohort, const DpFedAvgGan& algorithm) {
  std::vector<std::int64_t> users;
  for (std::int64_t user = 0; user < 12; ++user) users.push_back(user);
  const std::vector<double> weights(users.size(), 1.0);
  std::vector<double> numbers;
  for (int again = 0; again < 2; ++again) {  // a graph the second time
    dp::ClippedSum sum(
        1e3, static_cast<std::size_t>(algorithm.Broadcast().numel()), "c");
    const fed::CohortFacts facts =
        cohort.Train(algorithm, 2, users, weights, sum);
    EXPECT_EQ(facts.trained, 11);
    sum.Reduce([&](std::span<std::int64_t> all) {
      numbers.assign(all.begin(), all.end());
    });
  }
  return numbers;
}

double Apart(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
    largest = std::max(largest, std::abs(b[i]));
  }
  return most / largest;
}

TEST(DpFedAvgGanTest, LanesAndThreadsGiveTheSameUpToRounding) {
  for (const Kind& kind :
       {Kind{"wgan_quick", 0}, Kind{"wgan_quick", 2}, Kind{"wgan_paper", 0}}) {
    const Discs users(kind.name == "wgan_paper");
    DpFedAvgGanOptions options = Options(kind);
    options.device.l2 = 0.5;  // must not move a lane that rests
    const DpFedAvgGan algorithm(options);
    fed::ThreadCohort threads(users,
                              {.seed = 9, .local = kLocal, .threads = 2});
    const std::vector<double> expected = SumOf(threads, algorithm);
    fed::ThreadCohort one(users, {.seed = 9, .local = kOneStep, .threads = 2});
    const std::vector<double> after_one = SumOf(one, algorithm);
    for (const at::Device& device : models::Devices()) {
      for (const std::int64_t lanes : {5, 16}) {
        if (kind.name == "wgan_paper" && lanes != 5) continue;  // slow
        // Training makes more of every rounding: a GPU's after one step.
        const bool gpu = device.is_cuda();
        fed::LaneCohort cohort(users, {.seed = 9,
                                       .local = gpu ? kOneStep : kLocal,
                                       .device = device,
                                       .lanes = lanes});
        EXPECT_LT(Apart(SumOf(cohort, algorithm), gpu ? after_one : expected),
                  gpu || kind.name == "wgan_paper" ? 1e-2 : 1e-3)
            << kind.name << " " << kind.classes << " on " << device;
      }
    }
  }
}

TEST(DpFedAvgGanTest, TheGeneratorMovesAtItsOwnCadenceAndByTheCriticAlone) {
  DpFedAvgGanOptions options = Options({});
  options.every = 2;
  DpFedAvgGan algorithm(options);
  const at::Tensor first = algorithm.generator().params().clone();
  algorithm.Absorb(Update(algorithm));
  EXPECT_TRUE(algorithm.generator().params().equal(first));
  algorithm.Absorb(Update(algorithm));
  EXPECT_FALSE(algorithm.generator().params().equal(first));
}

TEST(GeneratorUpdateTest, BatchSpreadIsTheSameWhenLightAndDarkAreExchanged) {
  // Both √2 from the grey between them, and 2 from black and from white.
  const at::Tensor two = at::tensor({-1.0f, 1.0f, 1.0f, -1.0f}).view({2, 2});
  EXPECT_NEAR(BatchSpread(two).item<double>(), std::sqrt(2.0) / 2, 1e-6);
  // One bright dot of four: 2·√(¾² + 3·¼²) = √3 from the mean, 2 from black,
  // 2·√3 from white; exchanged, the same with black and white.
  const at::Tensor dots = 2 * at::eye(4) - 1;
  EXPECT_NEAR(BatchSpread(dots).item<double>(), std::sqrt(3.0) / 2, 1e-6);
  EXPECT_NEAR(BatchSpread(-dots).item<double>(), std::sqrt(3.0) / 2, 1e-6);
  EXPECT_NEAR(BatchSpread(dots.narrow(0, 0, 1)).item<double>(), 0, 1e-6);
}

std::string Saved(const DpFedAvgGan& algorithm, const std::string& name) {
  const std::string path = testing::TempDir() + "DpFedAvgGanTest." + name;
  const params::NamedTensors state = algorithm.State();
  std::vector<base::TensorOut> out;
  for (const auto& [tensor_name, tensor] : state) {
    out.push_back({.name = tensor_name,
                   .shape = {tensor.sizes().begin(), tensor.sizes().end()},
                   .bytes = {static_cast<const std::byte*>(tensor.data_ptr()),
                             static_cast<std::size_t>(tensor.nbytes())}});
  }
  base::WriteSafetensors(path, out);
  return path;
}

// Between two turns of the generator too.
TEST(DpFedAvgGanTest, FiguresOfARoundAreTheSameAfterAResume) {
  DpFedAvgGanOptions options = Options({});
  options.every = 2;
  DpFedAvgGan whole(options);
  whole.Absorb(Update(whole));
  EXPECT_TRUE(whole.Figures().empty());  // nothing was drawn yet
  whole.Absorb(Update(whole));
  DpFedAvgGan resumed(options);
  resumed.Restore(base::SafetensorsFile(Saved(whole, "figures")));
  whole.Absorb(Update(whole));
  resumed.Absorb(Update(resumed));
  ASSERT_EQ(whole.Figures().size(), 1u);
  ASSERT_EQ(resumed.Figures().size(), 1u);
  EXPECT_EQ(whole.Figures()[0].key(), "batch_spread");
  EXPECT_GT(std::get<double>(whole.Figures()[0].content()), 0);
  EXPECT_EQ(std::get<double>(resumed.Figures()[0].content()),
            std::get<double>(whole.Figures()[0].content()));
}

TEST(DpFedAvgGanTest, ACheckpointGoesOnToTheBit) {
  DpFedAvgGan whole(Options({}));
  for (int i = 0; i < 2; ++i) whole.Absorb(Update(whole));
  const base::Path path = Saved(whole, "checkpoint");
  DpFedAvgGan resumed(Options({}));
  resumed.Restore(base::SafetensorsFile(path));
  whole.Absorb(Update(whole));
  resumed.Absorb(Update(resumed));
  EXPECT_TRUE(resumed.critic().equal(whole.critic()));
  EXPECT_TRUE(resumed.generator().params().equal(whole.generator().params()));
  EXPECT_TRUE(resumed.generator().drawing().equal(whole.generator().drawing()));
  EXPECT_TRUE(DrawingGenerator(resumed.gan(), true, base::SafetensorsFile(path))
                  .sizes() == whole.generator().drawing().sizes());
}

TEST(DpFedAvgGanTest, NoiseNeverLeavesANegativeVariance) {
  DpFedAvgGan algorithm(Options({"wgan_paper", 0}));
  const auto mechanism = fed::MakeMeanMechanism(
      {.noise_multiplier = 50, .clip_norm = 1, .expected_cohort = 1});
  dp::NoiseSource noise = dp::NoiseSource::Simulation(1);
  algorithm.Absorb(mechanism->Release(
      mechanism->EmptySum(
          static_cast<std::size_t>(algorithm.Broadcast().numel()), "c"),
      noise));
  const models::Stack& critic = algorithm.gan().critic;
  for (std::size_t i = 0; i < critic.layout().count(); ++i) {
    if (!critic.layout()[i].name.ends_with(".variance")) continue;
    const at::Tensor variance = critic.layout().View(algorithm.critic(), i);
    EXPECT_GE(variance.min().item<float>(), 0);
    EXPECT_GT(variance.max().item<float>(), 1);  // the noise was there
  }
}

// After a few rounds the drawn images are bright where the users' discs are.
TEST(DpFedAvgGanTest, LearnsWhereTheDiscsAre) {
  const Discs users;
  DpFedAvgGan algorithm(Options({}));
  fed::ThreadCohort cohort(users, {.seed = 9, .local = kLocal, .threads = 2});
  const auto mechanism = fed::MakeMeanMechanism(
      {.noise_multiplier = 1e-3, .clip_norm = 0.5, .expected_cohort = 20});
  dp::NoiseSource noise = dp::NoiseSource::Simulation(1);
  std::vector<std::int64_t> even;
  for (std::int64_t user = 2; user < 40; user += 2) even.push_back(user);
  const std::vector<double> weights(even.size(), 1.0);
  for (std::uint64_t round = 0; round < 60; ++round) {
    dp::ClippedSum sum = mechanism->EmptySum(
        static_cast<std::size_t>(algorithm.Broadcast().numel()), "c");
    cohort.Train(algorithm, round, even, weights, sum);
    algorithm.Absorb(mechanism->Release(std::move(sum), noise));
  }
  const at::Tensor mean =
      models::Draw(algorithm.gan(), algorithm.generator().drawing(),
                   models::Latent(algorithm.gan(), {.seed = 4}, 64))
          .mean(0)
          .squeeze(2);
  const double there =
      mean.narrow(0, 2, 3).narrow(1, 2, 3).mean().item<double>();
  const double elsewhere =
      mean.narrow(0, 8, 4).narrow(1, 8, 4).mean().item<double>();
  EXPECT_GT(there, 0.3);
  EXPECT_LT(elsewhere, -0.6);
  EXPECT_GT(algorithm.generator().batch_spread(), DpFedAvgGan::kCollapsed);
}

}  // namespace
}  // namespace sfumato::algorithms
