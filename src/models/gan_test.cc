#include "models/gan.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "models/adam.h"
#include "models/critic_autograd.h"
#include "models/model_testing.h"

namespace sfumato::models {
namespace {

std::int64_t Averages(const Stack& stack) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < stack.layout().count(); ++i) {
    if (!stack.is_average(i)) continue;
    count += stack.layout()[i].shape[0];
  }
  return count;
}

TEST(GanTest, PublishedNetworksHaveTheirPublishedSizes) {
  const Gan paper = GanNamed("wgan_paper", {28, 28, 1}, {.latent = 128});
  EXPECT_EQ(Averages(paper.generator), 27'328);
  EXPECT_EQ(paper.generator.layout().size() - 27'328, 13'285'217);
  EXPECT_EQ(Averages(paper.critic), 2'048);
  EXPECT_EQ(paper.critic.layout().size() - 2'048, 6'556'865);
  const Gan plain = GanNamed("wgan", {28, 28, 1}, {.latent = 128});
  EXPECT_EQ(plain.critic.layout().size(), 6'555'841);
  // 4·4·64 + 64, 4·4·64·128 + 128, 7·7·128 + 1.
  EXPECT_EQ(GanNamed("wgan_narrow", {28, 28, 1}, {}).critic.layout().size(),
            1'088 + 131'200 + 6'273);
  EXPECT_TRUE(CriticStep::Suits(plain.critic));
  EXPECT_FALSE(CriticStep::Suits(paper.critic));
}

TEST(GanTest, DrawsImagesOfAnySizeBetweenMinusOneAndOne) {
  for (const Shape shape :
       {Shape{28, 28, 1}, Shape{32, 32, 3}, Shape{9, 14, 1}}) {
    for (const std::string& name : GanNames()) {
      const Gan gan = GanNamed(name, shape, {.latent = 8});
      const at::Tensor params = gan.generator.Initial(3);
      const at::Tensor images = Draw(gan, params, Latent(gan, {.seed = 2}, 3));
      EXPECT_EQ(images.sizes(), at::IntArrayRef({3, shape.height, shape.width,
                                                 shape.channels}));
      EXPECT_LE(images.abs().max().item<float>(), 1);
      EXPECT_GT(images.std().item<float>(), 0);
      EXPECT_EQ(gan.critic.output().size(), 1);
    }
  }
}

TEST(GanTest, AnImageDependsOnItsOwnNumbersAlone) {
  const Gan gan = GanNamed("wgan_quick", {12, 12, 1}, {.latent = 8});
  const at::Tensor params = gan.generator.Initial(3);
  const at::Tensor latent = Latent(gan, {.seed = 2}, 300);
  const at::Tensor all = Draw(gan, params, latent);
  const at::Tensor one = Draw(gan, params, latent.narrow(1, 270, 1));
  EXPECT_LT(Apart(one[0], all[270]), 1e-5);
}

TEST(GanTest, ClassesAreSeenByBothNetworks) {
  const Gan gan =
      GanNamed("wgan_quick", {12, 12, 1}, {.latent = 8, .classes = 3});
  EXPECT_EQ(gan.generator.input().channels, 11);
  EXPECT_EQ(gan.critic.input(), (Shape{12, 12, 2}));
  const at::Tensor params = gan.generator.Initial(3);
  const at::Tensor zero = at::zeros({4}, at::kLong);
  const at::Tensor two = at::full({4}, 2, at::kLong);
  const at::Tensor latent = Latent(gan, {.seed = 2}, 4, zero);
  EXPECT_EQ(latent[0][1][8].item<float>(), 1);
  EXPECT_EQ(latent[0][1][10].item<float>(), 0);
  EXPECT_GT(Apart(Draw(gan, params, latent),
                  Draw(gan, params, Latent(gan, {.seed = 2}, 4, two))),
            1e-3);
  const at::Tensor images = at::zeros({1, 4, 12, 12, 1});
  const at::Tensor seen = CriticInput(images, two.unsqueeze(0), gan.patterns);
  EXPECT_TRUE(seen.select(4, 1)[0][3].equal(gan.patterns[2].squeeze(2)));
  EXPECT_LT((gan.patterns[0] * gan.patterns[2]).mean().abs().item<float>(),
            0.4);
}

TEST(GanTest, RefusesWhatItCannotDraw) {
  EXPECT_THROW(GanNamed("wgam", {28, 28, 1}, {}), Error);
  EXPECT_THROW(GanNamed("wgan", {4, 28, 1}, {}), Error);
}

TEST(GanTest, NormalNumbersAreNormalAndKeyed) {
  for (const at::Device& device : Devices()) {
    const auto floats = at::TensorOptions().device(device);
    at::Tensor normal = at::empty({2, 1000, 50}, floats);
    const at::Tensor keys =
        at::tensor({std::int64_t{5}, std::int64_t{77}}).to(device);
    FillNormal(normal, keys, 3);
    const at::Tensor x = normal.to(at::kCPU).to(at::kDouble);
    // 50,000 a lane: the mean's deviation is 0.0045, that of the variance
    // 0.0063, of the fourth moment 0.044 (five deviations each: below 1e-6).
    for (const int lane : {0, 1}) {
      EXPECT_NEAR(x[lane].mean().item<double>(), 0, 0.023);
      EXPECT_NEAR(x[lane].square().mean().item<double>(), 1, 0.032);
      EXPECT_NEAR(x[lane].pow(4).mean().item<double>(), 3, 0.22);
    }
    EXPECT_NEAR((x[0] * x[1]).mean().item<double>(), 0, 0.023);
    // A lane is a function of its key, wherever it is.
    at::Tensor alone = at::empty({1, 1000, 50}, floats);
    FillNormal(alone, keys.narrow(0, 1, 1), 3);
    EXPECT_LT(Apart(alone[0], normal[1]), 1e-6);
    FillNormal(alone, keys.narrow(0, 1, 1), 4);
    EXPECT_GT(Apart(alone[0], normal[1]), 0.1);
  }
}

// A transposed convolution is the transpose: <conv(x), y> = <x, spread(y)>.
TEST(GanTest, ATransposedConvolutionIsTheTranspose) {
  at::manual_seed(3);
  const Stack conv({8, 8, 2}, {Conv{.channels = 3,
                                    .kernel = 4,
                                    .stride = 2,
                                    .pad_before = 1,
                                    .pad_after = 1,
                                    .bias = false}});
  const Stack spread({4, 4, 3}, {ConvTranspose{.channels = 2, .bias = false}});
  // conv: rows (y, x, c in), column o; spread: row o, columns (y, x, c).
  const at::Tensor weight = at::randn({32, 3});
  const at::Tensor x = at::randn({1, 1, 8, 8, 2});
  const at::Tensor y = at::randn({1, 1, 4, 4, 3});
  const double one =
      (conv.Forward(weight.reshape({1, -1}), x).flatten() * y.flatten())
          .sum()
          .item<double>();
  const double other =
      (spread.Forward(weight.t().reshape({1, -1}), y).flatten() * x.flatten())
          .sum()
          .item<double>();
  EXPECT_NEAR(one, other, 1e-4 * std::abs(one));
}

TEST(GanTest, BatchNormalisationByHand) {
  const Stack stack({.channels = 1},
                    {BatchNorm{.momentum = 0.75, .epsilon = 0}});
  at::Tensor params = stack.Initial(1);
  stack.layout().View(params, 0).fill_(10);
  const at::Tensor x = at::tensor({1.f, 3.f, 5.f, 5.f}).view({1, 4, 1, 1, 1});
  // Without averages learned: (x - 0) / 1 + 10.
  EXPECT_EQ(stack.Forward(params, x)[0][1][0].item<float>(), 13);
  // Two batches: {1, 3} has mean 2 and deviation 1, {5, 5} none at all.
  std::vector<at::Tensor> seen;
  const at::Tensor y = stack.Forward(params, x.narrow(1, 0, 2),
                                     {.training = true, .seen = &seen});
  EXPECT_EQ(y[0][0][0].item<float>(), 9);
  EXPECT_EQ(y[0][1][0].item<float>(), 11);
  stack.Remember(params, seen);
  EXPECT_EQ(params[0][1].item<float>(), 0.5f);  // 0.75 · 0 + 0.25 · 2
  EXPECT_EQ(params[0][2].item<float>(), 1.0f);  // 0.75 · 1 + 0.25 · 1
  // In groups, each by its own numbers.
  const at::Tensor groups = stack.Forward(
      params, at::tensor({1.f, 3.f, 5.f, 9.f}).view({1, 4, 1, 1, 1}),
      {.training = true, .groups = 2});
  EXPECT_EQ(groups[0][0][0].item<float>(), 9);
  EXPECT_EQ(groups[0][2][0].item<float>(), 9);
  EXPECT_EQ(groups[0][3][0].item<float>(), 11);
  // Rows of weight 0 are nobody's: {1, 3} again.
  const at::Tensor weighted =
      stack.Forward(params, x,
                    {.training = true,
                     .weights = at::tensor({.5f, .5f, 0.f, 0.f}).view({1, 4})});
  EXPECT_EQ(weighted[0][0][0].item<float>(), 9);
  // Noise may have made a variance negative.
  stack.layout().View(params, 2).fill_(-0.5);
  stack.Guard(params);
  EXPECT_EQ(params[0][2].item<float>(), 0);
}

TEST(GanTest, AdamTakesItsFirstStepsByHand) {
  at::Tensor params = at::zeros({1, 2});
  Adam adam({.learning_rate = 0.1, .beta1 = 0.5, .beta2 = 0.75, .epsilon = 0},
            params);
  adam.Step(params, at::tensor({4.f, -2.f}).view({1, 2}));
  // Corrected moments are g and g²: a step of the learning rate.
  EXPECT_NEAR(params[0][0].item<float>(), -0.1, 1e-6);
  EXPECT_NEAR(params[0][1].item<float>(), 0.1, 1e-6);
  adam.Step(params, at::tensor({0.f, -2.f}).view({1, 2}));
  // m = 0.5·2 = 1 over 1 - 1/4; v = 0.75·4 = 3 over 1 - 9/16.
  EXPECT_NEAR(params[0][0].item<float>(),
              -0.1 - 0.1 * (1 / 0.75) / std::sqrt(3 / 0.4375), 1e-6);
  EXPECT_NEAR(params[0][1].item<float>(), 0.2, 1e-6);
}

// Without batch normalisation the two critic steps are one.
TEST(GanTest, AutogradAndTheStepByHandAgree) {
  at::manual_seed(5);
  const Stack critic = WganCritic({12, 12, 1});
  const CriticOptions options{.learning_rate = 0.1, .l2 = 0.01};
  const at::Tensor before = RandomParams(critic, 3, 9);
  const at::Tensor real = RandomImages(critic, 3, 4);
  const at::Tensor fake = RandomImages(critic, 3, 4);
  const at::Tensor mix = at::rand({3, 4});
  at::Tensor weights = at::full({3, 4}, 0.25);
  weights[1] = at::tensor({0.5f, 0.5f, 0.f, 0.f});
  at::Tensor fast = before.clone();
  at::Tensor slow = before.clone();
  CriticStep by_hand(critic, at::kCPU, 3, 4, options);
  by_hand.Begin();
  by_hand.Step(fast, real, fake, mix, weights);
  AutogradCritic by_autograd(critic, at::kCPU, 3, options);
  by_autograd.Begin();
  by_autograd.Step(slow, real, fake, mix, weights);
  EXPECT_LT(Apart(slow - before, fast - before), 1e-4);
  EXPECT_LT(Apart(by_autograd.losses(), by_hand.losses()), 1e-4);
}

TEST(GanTest, ALaneWithoutExamplesStaysBesideOthersThatMove) {
  at::manual_seed(6);
  const Gan gan = GanNamed("wgan_paper", {12, 12, 1}, {.latent = 4});
  at::Tensor params = RandomParams(gan.critic, 2, 9).abs();
  const at::Tensor before = params.clone();
  at::Tensor weights = at::full({2, 4}, 0.25);
  weights[1].zero_();
  AutogradCritic step(gan.critic, at::kCPU, 2, {.learning_rate = 0.1});
  step.Begin();
  step.Step(params, RandomImages(gan.critic, 2, 4),
            RandomImages(gan.critic, 2, 4), at::rand({2, 4}), weights);
  EXPECT_TRUE(params[1].equal(before[1]));
  EXPECT_GT(Apart(params[0], before[0]), 1e-3);
}

}  // namespace
}  // namespace sfumato::models
