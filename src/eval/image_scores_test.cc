#include "eval/image_scores.h"

#include <cmath>

#include "base/error.h"
#include "eval/eval_testing.h"
#include "gtest/gtest.h"

namespace sfumato::eval {
namespace {

at::Tensor Matrix(std::vector<std::vector<double>> rows) {
  std::vector<double> flat;
  for (const auto& row : rows) flat.insert(flat.end(), row.begin(), row.end());
  return at::tensor(flat, at::kDouble)
      .view({static_cast<std::int64_t>(rows.size()), -1});
}

TEST(ClassifierScoreTest, IsTheNumberOfClassesWhenSureAndBalanced) {
  const at::Tensor sure = 100 * at::eye(5, at::kDouble).repeat({4, 1});
  EXPECT_NEAR(ClassifierScore(sure), 5, 1e-9);
}

TEST(ClassifierScoreTest, IsOneWhenEveryImageIsTheSameToIt) {
  EXPECT_NEAR(ClassifierScore(at::tensor({1.0, 3.0, 2.0}).repeat({7, 1})), 1,
              1e-9);
}

TEST(ClassifierScoreTest, MatchesTwoImagesByHand) {
  // p = (0.9, 0.1) and (0.2, 0.8); their mean is (0.55, 0.45).
  const at::Tensor p = Matrix({{0.9, 0.1}, {0.2, 0.8}});
  const double first = 0.9 * std::log(0.9 / 0.55) + 0.1 * std::log(0.1 / 0.45);
  const double second = 0.2 * std::log(0.2 / 0.55) + 0.8 * std::log(0.8 / 0.45);
  EXPECT_NEAR(ClassifierScore(p.log()), std::exp((first + second) / 2), 1e-12);
}

TEST(FrechetDistanceTest, OfOneDimensionIsMeansAndDeviations) {
  // Means 2 and 5; unbiased variances 1 and 4: 3² + (1 − 2)².
  const at::Tensor a = Matrix({{1}, {2}, {3}});
  const at::Tensor b = Matrix({{3}, {5}, {7}});
  EXPECT_NEAR(FrechetDistance(a, b), 9 + 1, 1e-12);
}

TEST(FrechetDistanceTest, OfTwoDimensionsMatchesTheClosedForm) {
  // tr √M of a 2 × 2 matrix is √(tr M + 2 √det M); here M = S_a S_b.
  const at::Tensor a = Matrix({{0, 0}, {2, 1}, {4, 5}, {1, 3}});
  const at::Tensor b = Matrix({{1, 1}, {0, 4}, {3, 2}, {5, 0}, {2, 2}});
  const auto covariance = [](const at::Tensor& x) {
    const at::Tensor c = x - x.mean(0);
    return at::matmul(c.t(), c) / static_cast<double>(x.size(0) - 1);
  };
  const at::Tensor m = at::matmul(covariance(a), covariance(b));
  const double trace = m.trace().item<double>();
  const double det = (m[0][0] * m[1][1] - m[0][1] * m[1][0]).item<double>();
  const double expected =
      (a.mean(0) - b.mean(0)).square().sum().item<double>() +
      covariance(a).trace().item<double>() +
      covariance(b).trace().item<double>() -
      2 * std::sqrt(trace + 2 * std::sqrt(det));
  EXPECT_NEAR(FrechetDistance(a, b), expected, 1e-10);
  EXPECT_NEAR(FrechetDistance(a, a), 0, 1e-10);
}

TEST(DiversityTest, IsZeroForOneImageOverAndOver) {
  const at::Tensor one = Handwritten(1, 0, 1).repeat({30, 1, 1, 1});
  EXPECT_NEAR(Diversity(one), 0, 1e-3);
  EXPECT_GT(Diversity(Handwritten(1, 0, 60)), 0.7);
}

TEST(DiversityTest, OfTwoImagesIsTheirDistanceOverThatFromBlack) {
  // (-1, 0) and (0, -1): √2 apart, each 1 from black.
  EXPECT_NEAR(Diversity(Matrix({{-1, 0}, {0, -1}})), std::sqrt(2), 1e-9);
}

TEST(DiversityTest, DoesNotCareWhichOfInkAndPaperIsLight) {
  const at::Tensor images = Handwritten(1, 0, 40);
  EXPECT_NEAR(Diversity(images), Diversity(-images), 1e-5);
}

TEST(DistinctImagesTest, CountsImagesThatComeBack) {
  const at::Tensor three = Handwritten(1, 0, 3);
  const at::Tensor grain = 0.02 * at::ones({60, 28, 28, 1}).bernoulli(0.5);
  const at::Tensor drawn = three.repeat({20, 1, 1, 1}) + grain;
  // 20 of each: 59 · 60 pairs, 3 · 19 · 20 of them alike.
  EXPECT_NEAR(DistinctImages(drawn), 59.0 * 60 / (3 * 19 * 20), 1e-6);
  EXPECT_GT(DistinctImages(Handwritten(1, 0, 60)), 300);
}

TEST(LogitsTest, MapPixelsFromZeroToOneAndRefuseOtherShapes) {
  Judge judge{.model = models::Stack({2, 1, 1}, {models::Dense{.outputs = 1}}),
              .params = at::tensor({2.0F, 10.0F, 0.5F}).view({1, 3}),
              .classes = {"x"}};
  // Pixels (-1, 1) are 0 and 1: 2 · 0 + 10 · 1 + 0.5.
  const at::Tensor image = at::tensor({-1.0F, 1.0F}).view({1, 2, 1, 1});
  EXPECT_NEAR(Logits(judge, image).item<double>(), 10.5, 1e-6);
  EXPECT_THROW(Logits(judge, at::zeros({1, 1, 2, 1})), Error);
}

}  // namespace
}  // namespace sfumato::eval
