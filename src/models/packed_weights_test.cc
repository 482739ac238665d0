#include "models/packed_weights.h"

#include <gtest/gtest.h>

#include <vector>

namespace sfumato::models {
namespace {

TEST(PackedWeightsTest, MultipliesByHand) {
  const PackedWeights w(at::tensor({1.f, 2.f, 3.f, 4.f}).view({2, 2}));
  const std::vector<float> x = {5, 6, 100, 7, 8, 100};  // rows lie three apart
  std::vector<float> y = {0, 0, -1, 0, 0, -1};
  const PackedWeights::Job job = {
      .x = x.data(), .x_stride = 3, .y = y.data(), .y_stride = 3, .rows = 2};
  w.Multiply(job);
  EXPECT_EQ(y, (std::vector<float>{23, 34, -1, 31, 46, -1}));
}

// Whole and partial panels and tiles, against double precision.
TEST(PackedWeightsTest, MultipliesForAnySize) {
  at::manual_seed(1);
  for (const std::int64_t rows : {1, 11, 12, 53}) {
    for (const std::int64_t inputs : {1, 7, 130}) {
      for (const std::int64_t outputs : {1, 32, 33, 70}) {
        const at::Tensor x = at::randn({rows, inputs});
        // As a tied output layer comes: not contiguous.
        const at::Tensor weights = at::randn({outputs, inputs}).transpose(0, 1);
        const PackedWeights w(weights);
        const at::Tensor y = at::randn({rows, outputs});  // written over
        w.Multiply({.x = x.data_ptr<float>(),
                    .x_stride = inputs,
                    .y = y.data_ptr<float>(),
                    .y_stride = outputs,
                    .rows = rows});
        const at::Tensor wanted =
            at::matmul(x.to(at::kDouble), weights.to(at::kDouble));
        EXPECT_LT((y - wanted).abs().max().item<double>(), 1e-4)
            << rows << " x " << inputs << " x " << outputs;
      }
    }
  }
}

TEST(PackedWeightsTest, ARowGivesTheSameBitsAloneAndAmongOthers) {
  at::manual_seed(2);
  const at::Tensor x = at::randn({29, 100});
  const PackedWeights w(at::randn({100, 40}));
  const at::Tensor all = at::empty({29, 40});
  const at::Tensor one = at::empty({1, 40});
  const auto multiply = [&](const float* from, const at::Tensor& y) {
    w.Multiply({.x = from,
                .x_stride = 100,
                .y = y.data_ptr<float>(),
                .y_stride = 40,
                .rows = y.size(0)});
  };
  multiply(x.data_ptr<float>(), all);
  for (std::int64_t row = 0; row < 29; ++row) {
    multiply(x.data_ptr<float>() + row * 100, one);
    EXPECT_TRUE(one[0].equal(all[row])) << row;
  }
}

}  // namespace
}  // namespace sfumato::models
