#include "dp/mechanisms/gaussian_mechanism.h"

#include <cmath>
#include <utility>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

constexpr auto kSteps = static_cast<double>(ClippedSum::kStepsPerClipNorm);

// NaN and zero fail here, before a table is made of them.
double Deviation(double noise_multiplier) {
  if (!(noise_multiplier * kSteps >= GridGaussian::kLeastDeviation &&
        noise_multiplier * kSteps <= GridGaussian::kMostDeviation)) {
    throw BadInput(fmt::format("noise multiplier {}", noise_multiplier),
                   "noise_multiplier", "give a number from 0.001 to 4000");
  }
  return noise_multiplier * kSteps;
}

}  // namespace

GaussianMechanism::GaussianMechanism(const GaussianOptions& options)
    : GaussianMechanism(options,
                        GridGaussian(Deviation(options.noise_multiplier))) {}

GaussianMechanism::GaussianMechanism(GaussianOptions options,
                                     const GridGaussian& gaussian)
    : options_(std::move(options)), gaussian_(gaussian) {
  Event("");                          // throws when it cannot be accounted
  ClippedSum(options_.clip_norm, 1);  // throws when nothing can be clipped so
}

GaussianMechanism GaussianMechanism::WithClipNorm(double clip_norm) const {
  GaussianOptions options = options_;
  options.clip_norm = clip_norm;
  return {std::move(options), gaussian_};
}

ClippedSum GaussianMechanism::EmptySum(std::size_t dimension,
                                       std::string cohort) const {
  return {options_.clip_norm, dimension, std::move(cohort)};
}

dp::Event GaussianMechanism::Event(std::string cohort) const {
  return EventOf(Gaussian{.noise_multiplier = options_.noise_multiplier},
                 options_.participants, std::move(cohort));
}

Released<std::vector<float>> GaussianMechanism::ReleaseMean(
    ClippedSum&& sum, double divisor, NoiseSource& noise) const {
  sum.CheckRelease(options_.clip_norm, divisor);
  std::vector<std::int64_t> steps = std::exchange(sum.steps_, {});
  gaussian_.AddTo(steps, noise);
  // From here on everything is computed from the noisy steps alone.
  return {ReleaseKey(), sum.MeanOf(steps, divisor), Event(sum.cohort()),
          noise.simulated()};
}

}  // namespace sfumato::dp
