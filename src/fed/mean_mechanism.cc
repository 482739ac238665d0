#include "fed/mean_mechanism.h"

#include <algorithm>
#include <utility>

#include "dp/mechanisms/adaptive_clip.h"
#include "dp/mechanisms/gaussian_mechanism.h"
#include "dp/mechanisms/plain_mean.h"

namespace sfumato::fed {
namespace {

using Mean = dp::Released<std::vector<float>>;

class FixedMean : public MeanMechanism {
 public:
  explicit FixedMean(const MeanOptions& options)
      : mechanism_({.noise_multiplier = options.noise_multiplier,
                    .clip_norm = options.clip_norm,
                    .participants = options.participants}),
        divisor_(options.expected_cohort * options.expected_weight) {}

  double clip_norm() const override { return mechanism_.options().clip_norm; }
  double noise_deviation() const override {
    return mechanism_.options().noise_multiplier * clip_norm() / divisor_;
  }
  dp::ClippedSum EmptySum(std::size_t dimension,
                          std::string cohort) const override {
    return mechanism_.EmptySum(dimension, std::move(cohort));
  }
  dp::Event Event(std::string cohort) const override {
    return mechanism_.Event(std::move(cohort));
  }
  Mean Release(dp::ClippedSum&& sum, dp::NoiseSource& noise) override {
    return mechanism_.ReleaseMean(std::move(sum), divisor_, noise);
  }
  void Resume(double clip_norm) override {
    mechanism_ = mechanism_.WithClipNorm(clip_norm);
  }

 private:
  dp::GaussianMechanism mechanism_;
  double divisor_;
};

// A twentieth of the cohort, as in Andrew et al. 2021, section 3.1; for small
// cohorts so much that the bits take a quarter of the precision at most.
double BitsDeviation(const MeanOptions& options) {
  return std::max(options.expected_cohort / 20, options.noise_multiplier);
}

class AdaptiveMean : public MeanMechanism {
 public:
  explicit AdaptiveMean(const MeanOptions& options)
      : clip_({.noise_multiplier = options.noise_multiplier,
               .bits_deviation = BitsDeviation(options),
               .expected_cohort = options.expected_cohort,
               .expected_weight = options.expected_weight,
               .target_quantile = options.target_quantile,
               .learning_rate = options.clip_learning_rate,
               .initial_clip_norm = options.clip_norm,
               .participants = options.participants}),
        noise_multiplier_(dp::UpdateNoiseMultiplier(options.noise_multiplier,
                                                    BitsDeviation(options))),
        divisor_(options.expected_cohort * options.expected_weight) {}

  double clip_norm() const override { return clip_.clip_norm(); }
  double noise_deviation() const override {
    return noise_multiplier_ * clip_norm() / divisor_;
  }
  dp::ClippedSum EmptySum(std::size_t dimension,
                          std::string cohort) const override {
    return clip_.EmptySum(dimension, std::move(cohort));
  }
  dp::Event Event(std::string cohort) const override {
    return clip_.Event(std::move(cohort));
  }
  Mean Release(dp::ClippedSum&& sum, dp::NoiseSource& noise) override {
    const dp::Released<dp::AdaptiveRound> round =
        clip_.Release(std::move(sum), noise);
    clip_.Absorb(round);
    share_within_ = round.value().share_within;
    return round.Map([](const dp::AdaptiveRound& r) { return r.mean; });
  }
  std::optional<double> share_within() const override { return share_within_; }
  void Resume(double clip_norm) override { clip_.Resume(clip_norm); }

 private:
  dp::AdaptiveClip clip_;
  double noise_multiplier_;  // on the updates alone
  double divisor_;
  std::optional<double> share_within_;
};

class UnprotectedMean : public MeanMechanism {
 public:
  explicit UnprotectedMean(const MeanOptions& options)
      : options_(options), mean_(MeanOf(options.clip_norm)) {}

  bool protects() const override { return false; }
  double clip_norm() const override { return mean_.clip_norm(); }
  double noise_deviation() const override { return 0; }
  dp::ClippedSum EmptySum(std::size_t dimension,
                          std::string cohort) const override {
    return mean_.EmptySum(dimension, std::move(cohort));
  }
  dp::Event Event(std::string cohort) const override {
    return mean_.Event(std::move(cohort));
  }
  Mean Release(dp::ClippedSum&& sum, dp::NoiseSource&) override {
    return mean_.ReleaseMean(
        std::move(sum), options_.expected_cohort * options_.expected_weight);
  }
  void Resume(double clip_norm) override { mean_ = MeanOf(clip_norm); }

 private:
  dp::PlainMean MeanOf(double clip_norm) const {
    dp::PlainMeanOptions plain{.participants = options_.participants};
    if (clip_norm != 0) plain.clip_norm = clip_norm;
    return dp::PlainMean(plain);
  }

  MeanOptions options_;
  dp::PlainMean mean_;
};

}  // namespace

std::unique_ptr<MeanMechanism> MakeMeanMechanism(const MeanOptions& options) {
  // A bad divisor is refused before anything is trained.
  dp::ClippedSum probe(1, 1);
  dp::PlainMean({.clip_norm = 1})
      .ReleaseMean(std::move(probe),
                   options.expected_cohort * options.expected_weight);
  switch (options.clipping) {
    case Clipping::kFixed:
      return std::make_unique<FixedMean>(options);
    case Clipping::kAdaptive:
      return std::make_unique<AdaptiveMean>(options);
    case Clipping::kUnprotected:
      return std::make_unique<UnprotectedMean>(options);
  }
  return nullptr;
}

}  // namespace sfumato::fed
