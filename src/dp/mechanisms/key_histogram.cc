#include "dp/mechanisms/key_histogram.h"

#include <cmath>
#include <utility>
#include <vector>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

constexpr double kStepsPerUnit = 0x1p30;

double Deviation(double noise_multiplier) {
  if (!(noise_multiplier >= 0x1p-6 && noise_multiplier <= 0x1p18)) {
    throw BadInput(fmt::format("noise multiplier {}", noise_multiplier),
                   "noise_multiplier", "give a number from 0.02 to 2^18");
  }
  return noise_multiplier * kStepsPerUnit;
}

// x such that a standard normal passes it with probability delta or a little
// less, by halving. REQUIRES: 1e-300 <= delta <= 0.5.
double UpperQuantile(double delta) {
  double low = 0;
  double high = 40;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    const bool enough = 0.5 * std::erfc(middle / std::sqrt(2.0)) <= delta;
    (enough ? high : low) = middle;
  }
  return high * (1 + 1e-12) + 1e-12;  // erfc is rounded too
}

}  // namespace

KeyHistogram::KeyHistogram(KeyHistogramOptions options)
    : options_(std::move(options)),
      gaussian_(Deviation(options_.noise_multiplier)) {
  if (!(options_.delta >= 1e-300 && options_.delta <= 0.5)) {
    throw BadInput(fmt::format("delta {}", options_.delta), "delta",
                   "give a small positive number, such as 1e-9");
  }
  threshold_ = 1 + options_.noise_multiplier * UpperQuantile(options_.delta);
  Event("");  // throws when it cannot be accounted
}

dp::Event KeyHistogram::Event(std::string cohort) const {
  return EventOf(
      ThresholdedHistogram{.noise_multiplier = options_.noise_multiplier,
                           .delta = options_.delta},
      options_.participants, std::move(cohort));
}

Released<std::map<std::string, std::int64_t>> KeyHistogram::Release(
    std::span<const std::string> key_of_unit, std::string cohort,
    NoiseSource& noise) const {
  // Sorted, so that the order of the result says nothing about who came first.
  std::map<std::string, std::int64_t> counts;
  for (const std::string& key : key_of_unit) ++counts[key];
  std::vector<std::int64_t> steps;
  steps.reserve(counts.size());
  for (const auto& [key, count] : counts) {
    steps.push_back(count * static_cast<std::int64_t>(kStepsPerUnit));
  }
  gaussian_.AddTo(steps, noise);

  const auto least =
      static_cast<std::int64_t>(std::ceil(threshold_ * kStepsPerUnit));
  std::map<std::string, std::int64_t> shown;
  auto step = steps.begin();
  for (const auto& [key, count] : counts) {
    if (*step >= least) {
      shown[key] = std::llround(static_cast<double>(*step) / kStepsPerUnit);
    }
    ++step;
  }
  return {ReleaseKey(), std::move(shown), Event(std::move(cohort)),
          noise.simulated()};
}

}  // namespace sfumato::dp
