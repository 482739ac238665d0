#include "dp/mechanisms/adaptive_clip.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/portable_math.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

constexpr double kStepsPerBit = 0x1p30;

void Require(bool right, double value, const char* name, const char* todo) {
  if (!right) throw BadInput(fmt::format("{} is {}", name, value), name, todo);
}

AdaptiveClipOptions Checked(AdaptiveClipOptions o) {
  Require(o.bits_deviation >= 0x1p-6 && o.bits_deviation <= 0x1p18,
          o.bits_deviation, "bits_deviation",
          "give about a twentieth of the expected cohort");
  Require(o.expected_cohort > 0 && std::isfinite(o.expected_cohort),
          o.expected_cohort, "expected_cohort",
          "give the expected size of a cohort, as configured");
  Require(o.expected_weight > 0 && o.expected_weight <= 1, o.expected_weight,
          "expected_weight",
          "give the expected weight of a contribution, at most 1");
  Require(o.target_quantile > 0 && o.target_quantile < 1, o.target_quantile,
          "target_quantile", "give a number between 0 and 1");
  Require(o.learning_rate > 0 && o.learning_rate <= 10, o.learning_rate,
          "learning_rate", "give a number above 0, such as 0.2");
  return o;
}

GaussianOptions ForUpdates(const AdaptiveClipOptions& options) {
  return {.noise_multiplier = UpdateNoiseMultiplier(options.noise_multiplier,
                                                    options.bits_deviation),
          .clip_norm = options.initial_clip_norm,
          .participants = options.participants};
}

}  // namespace

double UpdateNoiseMultiplier(double noise_multiplier, double bits_deviation) {
  const double z = noise_multiplier;
  const double bits = 2 * bits_deviation;
  Require(z > 0 && z < bits && std::isfinite(bits), z, "noise_multiplier",
          "give a positive number below twice the deviation of the bits");
  // z / sqrt(1 - (z/bits)^2), without the cancellation of the squares.
  return z / std::sqrt((1 - z / bits) * (1 + z / bits));
}

AdaptiveClip::AdaptiveClip(AdaptiveClipOptions options)
    : options_(Checked(std::move(options))),
      mechanism_(ForUpdates(options_)),
      bits_gaussian_(options_.bits_deviation * kStepsPerBit) {}

ClippedSum AdaptiveClip::EmptySum(std::size_t dimension,
                                  std::string cohort) const {
  return mechanism_.EmptySum(dimension, std::move(cohort));
}

dp::Event AdaptiveClip::Event(std::string cohort) const {
  return EventOf(Gaussian{.noise_multiplier = options_.noise_multiplier},
                 options_.participants, std::move(cohort));
}

Released<AdaptiveRound> AdaptiveClip::Release(ClippedSum&& sum,
                                              NoiseSource& noise) const {
  // below_ counts +1 and -1; a bit less one half is half of that.
  std::int64_t bits = sum.below_ * static_cast<std::int64_t>(kStepsPerBit / 2);
  const std::string cohort = sum.cohort();
  std::vector<float> mean =
      mechanism_
          .ReleaseMean(std::move(sum),
                       options_.expected_cohort * options_.expected_weight,
                       noise)
          .value();
  bits_gaussian_.AddTo({&bits, 1}, noise);
  const double share =
      static_cast<double>(bits) / kStepsPerBit / options_.expected_cohort + 0.5;
  return {ReleaseKey(),
          {.mean = std::move(mean), .share_within = share},
          Event(cohort),
          noise.simulated()};
}

void AdaptiveClip::Absorb(const Released<AdaptiveRound>& round) {
  const double step = options_.learning_rate *
                      (round.value().share_within - options_.target_quantile);
  mechanism_ = mechanism_.WithClipNorm(
      std::clamp(clip_norm() * base::PortableExp(std::clamp(-step, -40., 40.)),
                 0x1p-60, 0x1p60));
}

void AdaptiveClip::Resume(double clip_norm) {
  mechanism_ = mechanism_.WithClipNorm(clip_norm);
}

}  // namespace sfumato::dp
