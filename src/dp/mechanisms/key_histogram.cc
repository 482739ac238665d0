#include "dp/mechanisms/key_histogram.h"

#include <cmath>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

constexpr double kStepsPerUnit = 0x1p30;

constexpr std::int64_t kMostKeys = 1'000'000;

double Deviation(const KeyHistogramOptions& options) {
  if (!(options.most_keys >= 1 && options.most_keys <= kMostKeys)) {
    throw BadInput(fmt::format("{} keys of a unit", options.most_keys),
                   "most_keys", fmt::format("give 1 to {}", kMostKeys));
  }
  const double deviation = options.noise_multiplier *
                           std::sqrt(static_cast<double>(options.most_keys));
  if (!(deviation >= 0x1p-6 && deviation <= 0x1p18)) {
    throw BadInput(
        fmt::format("noise multiplier {}", options.noise_multiplier),
        "noise_multiplier",
        "give one for which the noise's deviation is from 0.02 to 2^18");
  }
  return deviation;
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
      gaussian_(Deviation(options_) * kStepsPerUnit) {
  if (!(options_.delta >= 1e-300 && options_.delta <= 0.5)) {
    throw BadInput(fmt::format("delta {}", options_.delta), "delta",
                   "give a small positive number, such as 1e-9");
  }
  threshold_ =
      1 + deviation() * UpperQuantile(options_.delta /
                                      static_cast<double>(options_.most_keys));
  Event("");  // throws when it cannot be accounted
}

double KeyHistogram::deviation() const { return Deviation(options_); }

dp::Event KeyHistogram::Event(std::string cohort) const {
  return EventOf(
      ThresholdedHistogram{.noise_multiplier = options_.noise_multiplier,
                           .delta = options_.delta},
      options_.participants, std::move(cohort));
}

Released<std::map<std::string, std::int64_t>> KeyHistogram::Release(
    std::span<const std::vector<std::string>> keys_of_units, std::string cohort,
    NoiseSource& noise) const {
  // Sorted, so that the order of the result says nothing about who came first.
  std::map<std::string, std::int64_t> counts;
  for (const std::vector<std::string>& keys : keys_of_units) {
    std::set<std::string_view> own;
    for (const std::string& key : keys) {
      if (static_cast<std::int64_t>(own.size()) == options_.most_keys) break;
      if (own.insert(key).second) ++counts[key];
    }
  }
  std::vector<std::int64_t> steps;
  steps.reserve(counts.size());
  for (const auto& [key, count] : counts) {
    steps.push_back(count * static_cast<std::int64_t>(kStepsPerUnit));
  }
  gaussian_.AddTo(steps, noise);

  // One step more: on the grid the tail begins half a step earlier.
  const auto least =
      static_cast<std::int64_t>(std::ceil(threshold_ * kStepsPerUnit)) + 1;
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
