#include "models/stack.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "models/classifier.h"
#include "models/critic_step.h"

namespace sfumato::models {
namespace {

TEST(StackTest, PublishedModelsHaveTheirPublishedSizes) {
  const auto size = [](const char* name, Shape input, std::int64_t classes) {
    return ClassifierNamed(name, input, classes).layout().size();
  };
  EXPECT_EQ(size("emnist_cnn", {28, 28, 1}, 36), 95'012);
  EXPECT_EQ(size("cifar_cnn", {32, 32, 3}, 10), 1'626'442);
  EXPECT_EQ(size("lenet5", {28, 28, 1}, 10), 61'706);
  EXPECT_EQ(size("mlp", {28, 28, 1}, 10), 199'210);
  EXPECT_EQ(size("logistic", {28, 28, 1}, 10), 7'850);
  // 6,556,865 with the shifts of 1,024 batch-normalised units.
  EXPECT_EQ(WganCritic({28, 28, 1}).layout().size(), 6'556'865 - 1'024);
}

TEST(StackTest, ADenseLayerIsAProductByHand) {
  const Stack stack({.channels = 2}, {Dense{.outputs = 2}, Relu{.slope = 0.5}});
  const at::Tensor params =
      at::tensor({1.f, 2.f, 3.f, 4.f, 10.f, -20.f}).view({1, 6});
  const at::Tensor x = at::tensor({1.f, -1.f}).view({1, 1, 1, 1, 2});
  // [1 -1] [[1 2] [3 4]] + [10 -20] = [8 -22], and half of what is below zero.
  const at::Tensor y = stack.Forward(params, x);
  EXPECT_EQ(y[0][0][0].item<float>(), 8);
  EXPECT_EQ(y[0][0][1].item<float>(), -11);
}

TEST(StackTest, AConvolutionIsASumByHand) {
  // One 2×2 window over 3×3 with a zero row above and a zero column to the
  // left.
  const Stack stack({3, 3, 1}, {Conv{.channels = 1,
                                     .kernel = 2,
                                     .stride = 2,
                                     .pad_before = 1,
                                     .pad_after = 0,
                                     .bias = false}});
  const at::Tensor params = at::tensor({1.f, 10.f, 100.f, 1000.f}).view({1, 4});
  const at::Tensor x = at::arange(1, 10).to(at::kFloat).view({1, 1, 3, 3, 1});
  const at::Tensor y = stack.Forward(params, x).flatten();
  // Windows (rows of the padded image): [0 0; 0 1], [0 0; 2 3], [0 4; 0 7],
  // [5 6; 8 9].
  const float expected[] = {1000, 3200, 7040, 9865};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(y[i].item<float>(), expected[i]) << i;
}

TEST(StackTest, StartsFromTheSameNumbersWithinGlorotsLimits) {
  const Stack stack = ClassifierNamed("emnist_cnn", {28, 28, 1}, 36);
  const at::Tensor params = stack.Initial(7);
  EXPECT_TRUE(params.equal(stack.Initial(7)));
  EXPECT_FALSE(params.equal(stack.Initial(8)));
  const at::Tensor second = stack.layout().View(params, 2);  // 3×3×32 → 64
  const double limit = std::sqrt(6.0 / (9 * (32 + 64)));
  EXPECT_LE(second.abs().max().item<double>(), limit);
  EXPECT_GT(second.abs().max().item<double>(), 0.99 * limit);
  EXPECT_EQ(stack.layout().View(params, 3).abs().max().item<float>(), 0);
}

TEST(StackTest, RefusesWhatDoesNotFit) {
  EXPECT_THROW(ClassifierNamed("emnist_cnn", {6, 6, 1}, 10), Error);
  EXPECT_THROW(ClassifierNamed("emnist_cnn", {28, 28, 1}, 1), Error);
  EXPECT_THROW(Stack({0, 1, 1}, {}), Error);
  EXPECT_THROW(Stack({8, 8, 1}, {Dropout{.rate = 1}}), Error);
  EXPECT_THROW(Stack({8, 8, 1}, {Dense{}}), Error);
  try {
    ClassifierNamed("emnist_cn", {28, 28, 1}, 10);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(e.todo().find("emnist_cnn"), std::string::npos);
  }
}

TEST(ShapeTest, IsReadFromItsText) {
  const Shape shape = ShapeFromText(ToText({2, 3, 4})).value();
  EXPECT_EQ(shape.height, 2);
  EXPECT_EQ(shape.width, 3);
  EXPECT_EQ(shape.channels, 4);
  for (const char* bad : {"", "28x28", "28x28x1x", "28x28x1 ", "x28x1",
                          "28x28x99999999999999999999"}) {
    EXPECT_FALSE(ShapeFromText(bad)) << bad;
  }
}

}  // namespace
}  // namespace sfumato::models
