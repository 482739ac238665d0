// Steps of many clients at once on one device, without the rest of a round:
//
//   build/gpu/benchmarks/lane_steps critic 100 cuda
//   build/release/benchmarks/lane_steps cifar 10 cpu
//
// prints client-steps a second. On a GPU the step is also replayed as a graph.

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>

#include "fmt/format.h"
#include "models/classifier.h"
#include "models/critic_step.h"
#include "params/layout.h"

#if SFUMATO_HAS_CUDA
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>
#endif

namespace sfumato {
namespace {

void Wait([[maybe_unused]] at::Device device) {
#if SFUMATO_HAS_CUDA
  if (device.is_cuda()) AT_CUDA_CHECK(cudaDeviceSynchronize());
#endif
}

double StepsPerSecond(at::Device device, const std::function<void()>& step) {
  using Clock = std::chrono::steady_clock;
  for (int i = 0; i < 3; ++i) step();
  Wait(device);
  const auto start = Clock::now();
  int steps = 0;
  double seconds = 0;
  do {
    for (int i = 0; i < 6; ++i, ++steps) step();
    Wait(device);
    seconds = std::chrono::duration<double>(Clock::now() - start).count();
  } while (seconds < 2);
  return steps / seconds;
}

void Measure(const std::string& what, std::int64_t lanes, at::Device device,
             const std::function<void()>& step) {
  const double plain = StepsPerSecond(device, step);
  fmt::print("{} lanes {}: {:.0f} client-steps/s\n", what, lanes,
             plain * static_cast<double>(lanes));
#if SFUMATO_HAS_CUDA
  if (!device.is_cuda()) return;
  const c10::cuda::CUDAStream stream = at::cuda::getStreamFromPool();
  const c10::cuda::CUDAStreamGuard guard(stream);
  step();
  Wait(device);
  at::cuda::CUDAGraph graph;
  graph.capture_begin();
  for (int i = 0; i < 6; ++i) step();
  graph.capture_end();
  const double replayed = StepsPerSecond(device, [&] { graph.replay(); }) * 6;
  fmt::print("{} lanes {}: {:.0f} client-steps/s as a graph\n", what, lanes,
             replayed * static_cast<double>(lanes));
#endif
}

void Critic(std::int64_t lanes, at::Device device) {
  const models::Stack critic = models::WganCritic({28, 28, 1});
  models::CriticStep step(critic, device, lanes, 32, {});
  const at::Tensor params =
      params::EmptyLanes(lanes, critic.layout().size(), device);
  params.copy_(critic.Initial(1).expand({lanes, -1}));
  const auto options = at::TensorOptions().device(device);
  const at::Tensor real = at::rand({lanes, 32, 28, 28, 1}, options);
  const at::Tensor fake = at::rand({lanes, 32, 28, 28, 1}, options);
  const at::Tensor mix = at::rand({lanes, 32}, options);
  const at::Tensor weights = at::full({lanes, 32}, 1.0 / 32, options);
  Measure("critic", lanes, device,
          [&] { step.Step(params, real, fake, mix, weights); });
}

void Cifar(std::int64_t lanes, at::Device device) {
  const models::Stack model =
      models::ClassifierNamed("cifar_cnn", {32, 32, 3}, 10);
  models::ClassifierLoss loss(model, device, lanes, 10);
  const at::Tensor params =
      params::EmptyLanes(lanes, model.layout().size(), device);
  params.copy_(model.Initial(1).expand({lanes, -1}));
  const auto options = at::TensorOptions().device(device);
  const models::Batch batch{
      .inputs = at::rand({lanes, 10, 32, 32, 3}, options),
      .labels = at::randint(10, {lanes, 10}, options.dtype(at::kLong)),
      .weights = at::full({lanes, 10}, 0.1, options),
      .keys = at::zeros({lanes}, options.dtype(at::kLong))};
  const at::Tensor losses = at::zeros({lanes}, options);
  Measure("cifar", lanes, device, [&] {
    loss.AddGradient(params, batch,
                     {.target = params, .scale = -0.1, .losses = losses});
  });
}

}  // namespace
}  // namespace sfumato

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "critic";
  const std::int64_t lanes = argc > 2 ? std::atoll(argv[2]) : 1;
  const at::Device device(argc > 3 ? argv[3] : "cpu");
  at::set_num_threads(1);
  at::globalContext().setAllowTF32CuBLAS(true);
  const c10::InferenceMode no_gradient;
  if (what == "critic") sfumato::Critic(lanes, device);
  if (what == "cifar") sfumato::Cifar(lanes, device);
}
