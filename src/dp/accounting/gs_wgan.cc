#include "dp/accounting/gs_wgan.h"

#include <cmath>

#include "base/error.h"
#include "dp/accounting/gaussian.h"
#include "dp/accounting/published.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

void RequireCount(std::int64_t value, const char* name) {
  if (value < 1) {
    throw BadInput(fmt::format("{} is {}", name, value), name,
                   "give 1 or more");
  }
}

void Check(const GsWganOptions& options) {
  RequireCount(options.critics, "critics");
  RequireCount(options.batch, "batch");
  RequireCount(options.steps, "steps");
  if (!(options.sigma > 0 && std::isfinite(options.sigma))) {
    throw BadInput(fmt::format("sigma is {}", options.sigma), "sigma",
                   "give a finite number above 0");
  }
  CheckDelta(options.delta);
}

// How often the most used critic answers.
std::int64_t Turns(const GsWganOptions& options) {
  return (options.steps - 1) / options.critics + 1;
}

// Everything one record may move in a step, over the deviation.
double StepMu(const GsWganOptions& options) {
  return std::sqrt(static_cast<double>(options.batch)) / options.sigma;
}

double Strict(const GsWganOptions& options) {
  if (options.schedule == CriticSchedule::kRoundRobin) {
    return GaussianEpsilon(
        StepMu(options) * std::sqrt(static_cast<double>(Turns(options))),
        options.delta);
  }
  return RevealedGaussianEpsilon(
      {.mu = StepMu(options),
       .rate = 1 / static_cast<double>(options.critics),
       .count = options.steps},
      options.delta);
}

double Published(const GsWganOptions& options) {
  if (options.steps > INT64_MAX / options.batch) {
    throw BadInput(
        fmt::format("{} steps of {} gradients", options.steps, options.batch),
        "steps", "give fewer");
  }
  return PublishedEpsilon({.noise_multiplier = options.sigma,
                           .rate = 1 / static_cast<double>(options.critics),
                           .rounds = options.steps * options.batch,
                           .delta = options.delta})
      .epsilon;
}

}  // namespace

std::vector<Event> GsWganEvents(const GsWganOptions& options) {
  Check(options);
  // The batch of one step is one release. Its noise over C is 2 sigma for each
  // gradient; the accountant applies the 2C of replace-one.
  const Gaussian step{.noise_multiplier =
                          2 * options.sigma /
                          std::sqrt(static_cast<double>(options.batch))};
  Event event{.mechanism = step,
              .adjacency = Adjacency::kReplaceOne,
              .unit = Unit::kExample};
  if (options.schedule == CriticSchedule::kRoundRobin) {
    event.count = Turns(options);
  } else {
    event.sampling = Revealed{1 / static_cast<double>(options.critics)};
    event.count = options.steps;
  }
  return {event};
}

GsWganCost GsWganEpsilon(const GsWganOptions& options) {
  Check(options);
  return {.published = Published(options), .strict = Strict(options)};
}

double GsWganSigma(const GsWganOptions& options, double epsilon) {
  GsWganOptions tried = options;
  tried.sigma = 1;
  Check(tried);
  const double least = std::sqrt(static_cast<double>(options.batch)) /
                       GaussianMu(epsilon, options.delta);
  const auto turns = static_cast<double>(Turns(options));
  if (options.schedule == CriticSchedule::kRoundRobin) {
    return least * std::sqrt(turns);
  }
  // Between the noise for one turn and for all steps; a record that never met
  // its critic costs nothing, so the former may already be too much.
  double low = 0;
  double high = least * std::sqrt(static_cast<double>(options.steps));
  while (high - low > 1e-9 * high) {
    tried.sigma = low + (high - low) / 2;
    (Strict(tried) <= epsilon ? high : low) = tried.sigma;
  }
  return high;
}

}  // namespace sfumato::dp
