#include "dp/mechanisms/private_count.h"

#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

// The square of the deviation, rounded up, so that what is accounted is never
// more noise than there is.
DiscreteGaussianSampler Sampler(double deviation) {
  if (!(deviation >= 0.1 && deviation <= 0x1p25)) {
    throw BadInput(fmt::format("noise multiplier {}", deviation),
                   "noise_multiplier", "give a number from 0.1 to 2^25");
  }
  double variance = deviation * deviation;
  if (std::fma(deviation, deviation, -variance) > 0) {
    variance =
        std::nextafter(variance, std::numeric_limits<double>::infinity());
  }
  return DiscreteGaussianSampler(ExactRational(variance));
}

}  // namespace

PrivateCount::PrivateCount(CountOptions options)
    : options_(std::move(options)),
      sampler_(Sampler(options_.noise_multiplier)) {
  Event("");  // throws when it cannot be accounted
}

dp::Event PrivateCount::Event(std::string cohort) const {
  return EventOf(
      DiscreteGaussian{.noise_multiplier = options_.noise_multiplier},
      options_.participants, std::move(cohort));
}

Released<std::int64_t> PrivateCount::Release(std::int64_t count,
                                             std::string cohort,
                                             NoiseSource& noise) const {
  BitStream bits = noise.Stream(noise.NextDraw());
  return {ReleaseKey(), WrappingAdd(count, sampler_(bits)),
          Event(std::move(cohort)), noise.simulated()};
}

PrivateHistogram::PrivateHistogram(CountOptions options, std::int64_t bins)
    : options_(std::move(options)),
      bins_(bins),
      sampler_(Sampler(options_.noise_multiplier)) {
  if (bins < 1) {
    throw BadInput(fmt::format("a histogram of {} bins", bins), "bins",
                   "declare one or more");
  }
  Event("");  // throws when it cannot be accounted
}

// One unit more or less moves one bin, and the others say nothing of it: the
// loss is that of one number. An exchanged unit may move two.
dp::Event PrivateHistogram::Event(std::string cohort) const {
  const bool one = options_.participants.adjacency == Adjacency::kAddRemove;
  return EventOf(DiscreteGaussian{.noise_multiplier = options_.noise_multiplier,
                                  .dimension = one ? 1 : bins_},
                 options_.participants, std::move(cohort));
}

Released<std::vector<std::int64_t>> PrivateHistogram::Release(
    std::span<const std::int64_t> bin_of_unit, std::string cohort,
    NoiseSource& noise) const {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(bins_));
  for (const std::int64_t bin : bin_of_unit) {
    if (bin >= 0 && bin < bins_) ++counts[static_cast<std::size_t>(bin)];
  }
  BitStream bits = noise.Stream(noise.NextDraw());
  for (std::int64_t& count : counts) {
    count = WrappingAdd(count, sampler_(bits));
  }
  return {ReleaseKey(), std::move(counts), Event(std::move(cohort)),
          noise.simulated()};
}

}  // namespace sfumato::dp
