#include "fed/lane_sum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "models/model_testing.h"

namespace sfumato::fed {
namespace {

// The whole numbers of a sum, and the count of norms within the clip norm.
std::vector<std::int64_t> NumbersOf(dp::ClippedSum& sum) {
  std::vector<std::int64_t> numbers;
  sum.Reduce([&](std::span<std::int64_t> all) {
    numbers.assign(all.begin(), all.end());
  });
  return numbers;
}

TEST(LaneSumTest, IsTheSumThatClientsOneByOneGive) {
  at::manual_seed(6);
  constexpr std::int64_t kLanes = 6;
  constexpr std::int64_t kSize = 1003;
  constexpr double kClip = 0.25;
  for (const at::Device& device : models::Devices()) {
    at::Tensor updates = at::randn({kLanes, kSize}) * 0.02;  // norms 0.63
    updates[1].mul_(0.1);                                    // within
    updates[2].zero_();
    updates[3][5] = std::numeric_limits<float>::quiet_NaN();
    updates[4][7] = std::numeric_limits<float>::infinity();
    const std::vector<double> weights = {1, 1, 1, 1, 1, 0.375};

    dp::ClippedSum expected(kClip, kSize, "c");
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
      const at::Tensor row = updates[lane].contiguous();
      expected.Add(std::span<const float>(row.data_ptr<float>(), kSize),
                   weights[static_cast<std::size_t>(lane)]);
    }
    // In two groups, as rows of a wider tensor.
    const at::Tensor wide = at::zeros({kLanes, kSize + 21}, device);
    wide.narrow(1, 0, kSize).copy_(updates);
    const at::Tensor there = wide.narrow(1, 0, kSize);
    const at::Tensor weigh = at::tensor(weights, at::kDouble).to(device);
    LaneSum lanes(device, kSize, kClip);
    const at::Tensor norms =
        lanes.Add(there.narrow(0, 0, 4), weigh.narrow(0, 0, 4));
    lanes.Add(there.narrow(0, 4, 2), weigh.narrow(0, 4, 2));
    dp::ClippedSum sum(kClip, kSize, "c");
    lanes.AddTo(sum);

    EXPECT_NEAR(norms[0].item<double>(),
                updates[0].to(at::kDouble).norm().item<double>(), 1e-12);
    EXPECT_FALSE(std::isfinite(norms[3].item<double>()));
    const std::vector<std::int64_t> a = NumbersOf(sum);
    const std::vector<std::int64_t> b = NumbersOf(expected);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i + 1 < a.size(); ++i) {
      ASSERT_LE(std::abs(a[i] - b[i]), kLanes) << i;  // a step a lane at most
    }
    EXPECT_EQ(a.back(), b.back());
  }
}

TEST(LaneSumTest, ALaneNeverMovesTheSumByMoreThanTheClipNorm) {
  at::manual_seed(7);
  constexpr std::int64_t kSize = 100'003;
  for (const at::Device& device : models::Devices()) {
    for (const double size : {1e-30, 1e-3, 1.0, 1e12, 1e30}) {
      LaneSum lanes(device, kSize, 0.1);
      lanes.Add(
          (at::randn({1, kSize}) * size).to(device),
          at::ones({1}, at::TensorOptions().device(device).dtype(at::kDouble)));
      dp::ClippedSum sum(0.1, kSize, "c");
      lanes.AddTo(sum);
      const std::vector<std::int64_t> steps = NumbersOf(sum);
      __extension__ using Wide = unsigned __int128;
      Wide squares = 0;
      for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
        const auto length = static_cast<std::uint64_t>(std::abs(steps[i]));
        squares += static_cast<Wide>(length) * length;
      }
      constexpr Wide kMost =
          static_cast<Wide>(dp::ClippedSum::kStepsPerClipNorm) *
          dp::ClippedSum::kStepsPerClipNorm;
      EXPECT_LE(squares, kMost) << size;
      if (size >= 1) {
        EXPECT_GT(squares, kMost / 1000 * 999) << size;
      }
    }
  }
}

}  // namespace
}  // namespace sfumato::fed
