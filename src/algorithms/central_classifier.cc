#include "algorithms/central_classifier.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/random.h"
#include "fed/worker_pool.h"
#include "models/classifier.h"

namespace sfumato::algorithms {
namespace {

struct Place {
  std::int64_t user = 0;
  std::int64_t example = 0;
};

std::vector<Place> AllOf(const models::Examples& examples) {
  std::vector<Place> all;
  for (std::int64_t user = 0; user < examples.users(); ++user) {
    for (std::int64_t i = 0; i < examples.user_size(user); ++i) {
      if (examples.labelled(user, i)) all.push_back({user, i});
    }
  }
  if (all.empty()) {
    throw BadInput("nothing to train a classifier on", "primary",
                   "give people with labelled examples");
  }
  return all;
}

void Shuffle(std::vector<Place>& places, base::Rng rng) {
  for (std::size_t i = places.size(); i > 1; --i) {
    std::swap(places[i - 1], places[rng.Below(i)]);
  }
}

// A share of every batch: its own memory, and a step of rate 1 whose movement
// is the gradient.
struct Share {
  Share(const models::Stack& model, const models::Shape& shape,
        at::Device place, std::int64_t most)
      : device(place),
        loss(model, device, 1, most),
        inputs(at::zeros({1, most, shape.height, shape.width, shape.channels})),
        labels(at::zeros({1, most}, at::kLong)),
        params(at::empty({1, model.layout().size()},
                         at::TensorOptions().device(device))),
        losses(at::zeros({1}, params.options())) {}

  // Moves `params` by minus the gradient of Σ loss / batch_size.
  void Work(const models::Examples& examples, std::span<const Place> places,
            std::int64_t batch_size, const at::Tensor& now) {
    const auto rows = static_cast<std::int64_t>(places.size());
    const auto size = static_cast<std::size_t>(examples.shape().size());
    float* to = inputs.data_ptr<float>();
    auto* label = labels.data_ptr<std::int64_t>();
    for (const Place& place : places) {
      *label++ = examples.Read(place.user, place.example, {to, size});
      to += size;
    }
    params.copy_(now);
    loss.AddGradient(
        params,
        {.inputs = inputs.narrow(1, 0, rows).to(device),
         .labels = labels.narrow(1, 0, rows).to(device),
         .weights = at::full({1, rows}, 1.0 / static_cast<double>(batch_size),
                             params.options()),
         .keys = at::zeros({1}, labels.options().device(device))},
        {.target = params, .scale = -1, .losses = losses});
  }

  at::Device device;
  models::ClassifierLoss loss;
  at::Tensor inputs;
  at::Tensor labels;
  at::Tensor params;
  at::Tensor losses;  // [1]: not used
};

}  // namespace

std::int64_t CentralSteps(const models::Examples& examples,
                          const CentralOptions& options) {
  const auto count = static_cast<std::int64_t>(AllOf(examples).size());
  return options.epochs *
         ((count + options.batch_size - 1) / options.batch_size);
}

at::Tensor TrainCentrally(const models::Stack& model,
                          const models::Examples& examples,
                          const CentralOptions& options) {
  const at::NoGradGuard no_gradient;
  std::vector<Place> places = AllOf(examples);
  const int workers = options.device.is_cpu() ? options.threads : 1;
  fed::WorkerPool pool(workers);
  const std::int64_t part =
      (options.batch_size + pool.size() - 1) / pool.size();
  std::vector<std::unique_ptr<Share>> shares;
  shares.reserve(static_cast<std::size_t>(pool.size()));
  for (int i = 0; i < pool.size(); ++i) {
    shares.push_back(
        std::make_unique<Share>(model, examples.shape(), options.device, part));
  }
  at::Tensor params = model.Initial(options.seed).to(options.device);
  models::Adam adam(options.adam, params);
  std::int64_t steps = 0;
  for (std::int64_t epoch = 0; epoch < options.epochs; ++epoch) {
    Shuffle(places,
            base::Rng(options.seed,
                      {base::Key("epoch"), static_cast<std::uint64_t>(epoch)}));
    const std::span<const Place> all(places);
    for (std::size_t from = 0; from < all.size();
         from += static_cast<std::size_t>(options.batch_size)) {
      base::CheckInterrupted();
      const auto batch = all.subspan(
          from, std::min(all.size() - from,
                         static_cast<std::size_t>(options.batch_size)));
      const auto size = static_cast<std::int64_t>(batch.size());
      const auto pieces = static_cast<std::size_t>((size + part - 1) / part);
      pool.Run(pieces, [&](int, std::size_t piece) {
        const std::size_t first = piece * static_cast<std::size_t>(part);
        shares[piece]->Work(
            examples,
            batch.subspan(first, std::min(batch.size() - first,
                                          static_cast<std::size_t>(part))),
            size, params);
      });
      at::Tensor gradient = at::zeros_like(params);
      for (std::size_t piece = 0; piece < pieces; ++piece) {
        gradient.add_(params - shares[piece]->params);
      }
      adam.Step(params, gradient);
      if (options.progress) options.progress(++steps);
    }
  }
  return params.to(at::kCPU);
}

}  // namespace sfumato::algorithms
