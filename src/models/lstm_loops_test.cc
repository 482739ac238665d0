#include "models/lstm_loops.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace sfumato::models {
namespace {

TEST(RunCellsTest, ComputesTheCellOfTheHeader) {
  // Two units. Gates: forget 0 and 1, output 2 and -1, cell 0.5 and -0.5, each
  // as the sum of three.
  const std::vector<float> input = {0, 0, 1, -2, 0.25f, 0};
  const std::vector<float> recurrent = {1, 2, 0, 0, 0, -0.5f};
  const std::vector<float> bias = {-1, -1, 1, 1, 0.25f, 0};
  const std::vector<float> before = {0.3f, -0.6f};
  std::vector<float> cells(2), hidden(2);
  const CellRow row = {.input = input.data(),
                       .recurrent = recurrent.data(),
                       .before = before.data(),
                       .cells = cells.data(),
                       .hidden = hidden.data()};
  RunCells({&row, 1}, bias.data(), 2);
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  const double first = 0.5 * 0.3 + 0.5 * std::tanh(0.5);
  const double second = sigmoid(1) * -0.6 + (1 - sigmoid(1)) * std::tanh(-0.5);
  EXPECT_NEAR(cells[0], first, 1e-6);
  EXPECT_NEAR(cells[1], second, 1e-6);
  EXPECT_NEAR(hidden[0], sigmoid(2) * std::tanh(first), 1e-6);
  EXPECT_NEAR(hidden[1], sigmoid(-1) * std::tanh(second), 1e-6);
}

TEST(ChancesTest, AreTheSoftmaxOfWhatIsAllowed) {
  at::manual_seed(3);
  for (const std::int64_t symbols : {2, 16, 40}) {
    const at::Tensor logits = 5 * at::randn({symbols}) + 300;
    std::vector<float> allowed(static_cast<std::size_t>(symbols), 1);
    allowed[1] = 0;
    std::vector<float> chances(allowed.size());
    std::vector<double> running((allowed.size() + kBlock - 1) / kBlock);
    const double total =
        Chances({.logits = {logits.data_ptr<float>(), allowed.size()},
                 .allowed = allowed,
                 .sharpness = 0.5},
                chances.data(), running);
    at::Tensor wanted = at::softmax(logits.to(at::kDouble) / 2, 0);
    wanted[1] = 0;
    wanted /= wanted.sum();
    double sum = 0;
    for (std::size_t i = 0; i < chances.size(); ++i) {
      const double chance = wanted[static_cast<std::int64_t>(i)].item<double>();
      EXPECT_NEAR(chances[i] / total, chance, 1e-6);
      sum += chance;
      if (i % kBlock == kBlock - 1 || i + 1 == chances.size()) {
        EXPECT_NEAR(running[i / kBlock] / total, sum, 1e-6);
      }
    }
    EXPECT_EQ(chances[1], 0);
    EXPECT_EQ(running.back(), total);
  }
}

TEST(ChancesTest, SayWhenALogitIsNoNumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> allowed(20, 1);
  std::vector<float> chances(20);
  std::vector<double> running(2);
  for (const float bad : {nan, inf}) {
    for (const std::size_t place : {0, 3, 19}) {
      std::vector<float> logits(20, 1);
      logits[place] = bad;
      EXPECT_FALSE(std::isfinite(Chances({.logits = logits, .allowed = allowed},
                                         chances.data(), running)));
    }
  }
}

}  // namespace
}  // namespace sfumato::models
