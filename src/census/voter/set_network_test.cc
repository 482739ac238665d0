#include "census/voter/set_network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/folder_testing.h"
#include "base/random.h"

namespace sfumato::census {
namespace {

at::Tensor Numbers(at::IntArrayRef sizes, std::uint64_t seed) {
  at::Tensor tensor = at::empty(sizes);
  base::Rng rng(seed);
  for (std::int64_t i = 0; i < tensor.numel(); ++i) {
    tensor.data_ptr<float>()[i] = static_cast<float>(rng.Normal());
  }
  return tensor;
}

class SetNetworkTest : public base::FolderTest {
 protected:
  fed::WorkerPool pool_{2};
};

TEST_F(SetNetworkTest, TheOrderOfExamplesDoesNotMatter) {
  const SetNetwork network({.inputs = 5, .outputs = 3}, at::kCPU);
  const at::Tensor points = Numbers({7, 5}, 1);
  EXPECT_TRUE(at::allclose(network.User(points), network.User(points.flip({0})),
                           1e-4, 1e-5));
}

TEST_F(SetNetworkTest, ExamplesThatAreAllAlikeHaveNoDeviation) {
  const SetNetwork network({.inputs = 5, .narrow = 8, .outputs = 3}, at::kCPU);
  const at::Tensor user =
      network.User(Numbers({1, 5}, 2).expand({6, 5}).contiguous());
  // The least variance, 1e-4, is what is left.
  EXPECT_LT((user.narrow(0, 8, 8) - 0.01).abs().max().item<float>(), 1e-3);
}

// Adam's first step is the learning rate against the gradient's sign: if signs
// were wrong, or a layer had none, the loss would not fall.
TEST_F(SetNetworkTest, LearnsWhatOnlyTheDeviationOfASetShows) {
  SetNetwork network({.inputs = 4, .wide = 16, .narrow = 8, .outputs = 1},
                     at::kCPU);
  // Sets of one mean; those with the label 1 scatter three times as far.
  const auto batch = [](std::uint64_t seed) {
    SetNetwork::Batch made{Numbers({32, 12, 4}, seed), at::zeros({32, 1})};
    for (std::int64_t i = 0; i < 32; i += 2) {
      made.sets[i].mul_(3);
      made.targets[i] = 1;
    }
    return made;
  };
  for (std::uint64_t step = 0; step < 300; ++step) {
    network.Step({batch(2 * step + 10), batch(2 * step + 11)}, 3e-3, pool_);
  }
  const SetNetwork::Batch test = batch(5);
  int right = 0;
  for (std::int64_t i = 0; i < 32; ++i) {
    const float logit =
        network.Judged(network.User(test.sets[i]).unsqueeze(0)).item<float>();
    right += (logit > 0) == (i % 2 == 0) ? 1 : 0;
  }
  EXPECT_GE(right, 31);
}

// Central differences of the loss, which Step returns before it steps.
TEST_F(SetNetworkTest, AStepFollowsTheGradientOfTheLoss) {
  const SetNetworkOptions options{
      .inputs = 3, .wide = 4, .narrow = 3, .outputs = 2};
  const SetNetwork::Batch batch{Numbers({2, 4, 3}, 3),
                                at::tensor({1.F, 0.F, 0.F, 1.F}).view({2, 2})};
  const auto loss_after = [&](double rate, int steps) {
    SetNetwork network(options, at::kCPU);
    for (int i = 0; i < steps; ++i) network.Step({batch}, rate, pool_);
    return network.Step({batch}, 0, pool_).item<double>();
  };
  const double before = loss_after(0, 1);
  // Small steps along the negative gradient's signs: the loss falls each time.
  double last = before;
  for (const int steps : {1, 2, 4, 8}) {
    const double now = loss_after(1e-3, steps);
    EXPECT_LT(now, last) << steps;
    last = now;
  }
}

TEST_F(SetNetworkTest, TheNumberOfThreadsChangesNothing) {
  const auto train = [](int threads) {
    fed::WorkerPool pool(threads);
    SetNetwork network({.inputs = 4, .outputs = 2}, at::kCPU);
    for (std::uint64_t i = 0; i < 5; ++i) {
      std::vector<SetNetwork::Batch> batches;
      for (std::uint64_t b = 0; b < 4; ++b) {
        batches.push_back({Numbers({3, 6, 4}, 10 * i + b),
                           at::ones({3, 2}) * (b % 2 == 0 ? 1 : 0)});
      }
      network.Step(batches, 1e-2, pool);
    }
    return network.User(Numbers({5, 4}, 99));
  };
  EXPECT_TRUE(train(1).equal(train(3)));
}

TEST_F(SetNetworkTest, ACopyForTheProcessorJudgesAlike) {
  SetNetwork network({.inputs = 4, .outputs = 2}, at::kCPU);
  network.SetScale(Numbers({4}, 7), Numbers({4}, 8).abs() + 0.5);
  network.Step({{Numbers({3, 6, 4}, 1), at::ones({3, 2})}}, 1e-2, pool_);
  const at::Tensor points = Numbers({5, 4}, 9);
  EXPECT_TRUE(network.OnCpu().User(points).equal(network.User(points)));
}

TEST_F(SetNetworkTest, ReadsBackWhatItWrote) {
  SetNetwork network({.inputs = 4, .outputs = 2, .seed = 1}, at::kCPU);
  network.SetScale(Numbers({4}, 7), Numbers({4}, 8).abs() + 0.5);
  const params::NamedTensors state = network.State();
  base::WriteSafetensors(folder_ / "net.safetensors", params::ToFile(state));
  SetNetwork other({.inputs = 4, .outputs = 2, .seed = 2}, at::kCPU);
  const at::Tensor points = Numbers({5, 4}, 9);
  EXPECT_FALSE(other.User(points).equal(network.User(points)));
  other.Restore(base::SafetensorsFile(folder_ / "net.safetensors"));
  EXPECT_TRUE(other.User(points).equal(network.User(points)));
}

}  // namespace
}  // namespace sfumato::census
