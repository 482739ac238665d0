#include "fed/server_optimizer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dp/mechanisms/falsify_testing.h"
#include "fed/fed_testing.h"

namespace sfumato::fed {
namespace {

// Two steps from {1, 2} with the means {0.5, -1} and {0.25, 2}.
Point TwoSteps(const ServerOptions& options) {
  ServerOptimizer server(options, 2);
  at::Tensor params = at::tensor(Point{1, 2});
  server.Step(params, Point{0.5f, -1});
  server.Step(params, Point{0.25f, 2});
  return {params[0].item<float>(), params[1].item<float>()};
}

TEST(ServerOptimizerTest, SgdGoesWhereTheMeanPoints) {
  // 1 + 0.5 (0.5 + 0.25); 2 + 0.5 (-1 + 2).
  EXPECT_EQ(TwoSteps({.kind = ServerKind::kSgd, .learning_rate = 0.5}),
            (Point{1.375f, 2.5f}));
}

TEST(ServerOptimizerTest, MomentumAddsUpVelocity) {
  // v: 0.5, then 0.5·0.5 + 0.25 = 0.5;  -1, then -0.5 + 2 = 1.5.
  EXPECT_EQ(
      TwoSteps(
          {.kind = ServerKind::kMomentum, .learning_rate = 1, .momentum = 0.5}),
      (Point{1 + 0.5f + 0.5f, 2 - 1 + 1.5f}));
}

TEST(ServerOptimizerTest, NesterovLooksOneStepAhead) {
  // 0.5 v + d: 0.25 + 0.5, then 0.25 + 0.25;  -0.5 - 1, then 0.75 + 2.
  EXPECT_EQ(
      TwoSteps(
          {.kind = ServerKind::kNesterov, .learning_rate = 1, .momentum = 0.5}),
      (Point{1 + 0.75f + 0.5f, 2 - 1.5f + 2.75f}));
}

TEST(ServerOptimizerTest, AdamDividesByTheRootOfTheSquares) {
  // e = 0.5, v = 0.25; u: 0.25, 0.25 and -0.5, 0.75.
  // v: 0.75·0.25 + 0.25·0.25 = 0.25, then 0.1875 + 0.25·0.0625 = 0.203125;
  //    0.1875 + 0.25·1 = 0.4375, then 0.328125 + 0.25·4 = 1.328125.
  const Point x = TwoSteps({.kind = ServerKind::kAdam,
                            .learning_rate = 2,
                            .momentum = 0.5,
                            .beta2 = 0.75,
                            .epsilon = 0.5});
  EXPECT_NEAR(
      x[0], 1 + 2 * 0.25 / (0.5 + 0.5) + 2 * 0.25 / (std::sqrt(0.203125) + 0.5),
      1e-6);
  EXPECT_NEAR(x[1],
              2 - 2 * 0.5 / (std::sqrt(0.4375) + 0.5) +
                  2 * 0.75 / (std::sqrt(1.328125) + 0.5),
              1e-6);
}

TEST(ServerOptimizerTest, YogiMovesTheSquaresByTheirSign) {
  // e = 0.5, v = 0.25. First number: d² = 0.25 = v, so v stays; then
  // d² = 0.0625 < v: v = 0.25 - 0.25·0.0625 = 0.234375. Second: d² = 1 > v:
  // 0.25 + 0.25 = 0.5; then d² = 4 > v: 0.5 + 1 = 1.5.
  const Point x = TwoSteps({.kind = ServerKind::kYogi,
                            .learning_rate = 2,
                            .momentum = 0.5,
                            .beta2 = 0.75,
                            .epsilon = 0.5});
  EXPECT_NEAR(
      x[0], 1 + 2 * 0.25 / (0.5 + 0.5) + 2 * 0.25 / (std::sqrt(0.234375) + 0.5),
      1e-6);
  EXPECT_NEAR(
      x[1],
      2 - 2 * 0.5 / (std::sqrt(0.5) + 0.5) + 2 * 0.75 / (std::sqrt(1.5) + 0.5),
      1e-6);
}

class ServerStateTest : public FolderTest {};

TEST_F(ServerStateTest, AllKindsGoOnToTheBit) {
  for (const ServerKind kind :
       {ServerKind::kSgd, ServerKind::kMomentum, ServerKind::kNesterov,
        ServerKind::kAdam, ServerKind::kYogi}) {
    const ServerOptions options{.kind = kind, .learning_rate = 0.3};
    const Point means[] = {{0.5f, -1}, {0.25f, 2}, {-0.125f, 0.75f}};
    ServerOptimizer whole(options, 2);
    at::Tensor params = at::tensor(Point{1, 2});
    for (const Point& mean : means) whole.Step(params, mean);

    ServerOptimizer before(options, 2);
    at::Tensor resumed = at::tensor(Point{1, 2});
    before.Step(resumed, means[0]);
    before.Step(resumed, means[1]);
    ServerOptimizer after(options, 2);
    after.Restore(Saved(before.State("server")), "server");
    after.Step(resumed, means[2]);
    EXPECT_TRUE(at::equal(resumed, params)) << static_cast<int>(kind);
  }
}

TEST_F(ServerStateTest, RefusesACheckpointOfAnotherKindOrSize) {
  const ServerOptimizer sgd({}, 2);
  ServerOptimizer adam({.kind = ServerKind::kAdam}, 2);
  EXPECT_EQ(Thrown([&] { adam.Restore(Saved(sgd.State("s")), "s"); }).kind(),
            ErrorKind::kCorrupt);
  const ServerOptimizer larger({.kind = ServerKind::kAdam}, 3);
  EXPECT_EQ(Thrown([&] { adam.Restore(Saved(larger.State("s")), "s"); }).kind(),
            ErrorKind::kCorrupt);
}

TEST(ServerOptimizerTest, RefusesNumbersThatCannotBe) {
  const auto refuses = [](double ServerOptions::* field, double value) {
    ServerOptions bad;
    bad.*field = value;
    dp::ExpectBadInput([&] { ServerOptimizer(bad, 2); },
                       std::to_string(value).c_str());
  };
  const double nan = std::nan("");
  for (const double bad : {0.0, -1.0, nan, HUGE_VAL}) {
    refuses(&ServerOptions::learning_rate, bad);
    refuses(&ServerOptions::epsilon, bad);
  }
  for (const double bad : {1.0, -0.1, nan}) {
    refuses(&ServerOptions::momentum, bad);
    refuses(&ServerOptions::beta2, bad);
  }
}

}  // namespace
}  // namespace sfumato::fed
