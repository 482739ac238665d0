#include "dp/mechanisms/plain_mean.h"

#include <utility>

namespace sfumato::dp {

PlainMean::PlainMean(PlainMeanOptions options) : options_(std::move(options)) {
  Event("");
  ClippedSum(options_.clip_norm, 1);  // throws when nothing can be clipped so
}

ClippedSum PlainMean::EmptySum(std::size_t dimension,
                               std::string cohort) const {
  return {options_.clip_norm, dimension, std::move(cohort)};
}

dp::Event PlainMean::Event(std::string cohort) const {
  return EventOf(Unprotected{}, options_.participants, std::move(cohort));
}

Released<std::vector<float>> PlainMean::ReleaseMean(ClippedSum&& sum,
                                                    double divisor) const {
  sum.CheckRelease(options_.clip_norm, divisor);
  const std::vector<std::int64_t> steps = std::exchange(sum.steps_, {});
  return {ReleaseKey(), sum.MeanOf(steps, divisor), Event(sum.cohort()), true};
}

}  // namespace sfumato::dp
