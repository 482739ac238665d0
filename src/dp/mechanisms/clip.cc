#include "dp/mechanisms/clip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/parallel.h"
#include "dp/mechanisms/noise.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

// The number of contributions of 2^36 steps that fit into 64 bits.
constexpr std::int64_t kMostContributions = std::int64_t{1} << 26;

void CheckClipNorm(double clip_norm) {
  if (!(clip_norm >= 0x1p-60 && clip_norm <= 0x1p60)) {
    throw BadInput(fmt::format("clip norm {}", clip_norm), "clip_norm",
                   "give a number above 0, such as 0.1");
  }
}

// Squares of finite floats do not overflow in double, so the sum is finite
// exactly when every number is. Threads that take denormal floats for zero lose
// nothing here: 2^-126 is below 2^-30 of any grid's step. Eight sums let the
// compiler use vectors.
template <typename T>
double SumOfSquares(std::span<const std::span<T>> tensors) {
  double total = 0;
  for (const std::span<T> tensor : tensors) {
    std::array<double, 8> lanes = {};
    std::size_t i = 0;
    for (; i + 8 <= tensor.size(); i += 8) {
      for (std::size_t lane = 0; lane < 8; ++lane) {
        const auto x = static_cast<double>(tensor[i + lane]);
        lanes[lane] += x * x;
      }
    }
    for (; i < tensor.size(); ++i) {
      lanes[0] += static_cast<double>(tensor[i]) * tensor[i];
    }
    for (const double lane : lanes) total += lane;
  }
  return total;
}

template <typename T>
std::size_t Size(std::span<const std::span<T>> tensors) {
  std::size_t size = 0;
  for (const auto& tensor : tensors) size += tensor.size();
  return size;
}

// What brings a vector of n numbers with this computed norm down to the clip
// norm.
double ScaleTo(double clip_norm, double norm, std::size_t n) {
  return clip_norm / norm * RoundingRoom(n);
}

// `x` as a float that is not farther from zero.
float TowardsZero(double x) {
  const auto rounded = static_cast<float>(x);
  return std::abs(static_cast<double>(rounded)) > std::abs(x)
             ? std::nextafterf(rounded, 0.0f)
             : rounded;
}

// Whether its contributions can add up to this: the triangle inequality, in
// whole numbers.
bool Possible(const ClippedBlock& block) {
  if (block.contributions < 0 || block.contributions > kMostContributions ||
      std::abs(block.below) > block.contributions) {
    return false;
  }
  const std::int64_t most = block.contributions * ClippedSum::kStepsPerClipNorm;
  const Wide most_squared = static_cast<Wide>(most) * most;
  // No sum is added to after it went beyond that, so none overflows.
  std::vector<Wide> squares(base::PartCount(block.steps.size()), 0);
  base::ForEachPart(block.steps.size(), [&](const base::Part& part) {
    Wide sum = 0;
    for (std::size_t i = part.begin; i < part.end && sum <= most_squared; ++i) {
      const std::int64_t step = block.steps[i];
      const bool fits = step <= most && step >= -most;
      const auto length = static_cast<std::uint64_t>(std::abs(fits ? step : 0));
      sum = fits ? sum + static_cast<Wide>(length) * length : most_squared + 1;
    }
    squares[part.index] = sum;
  });
  Wide total = 0;
  for (const Wide sum : squares) {
    if (sum > most_squared) return false;
    total += sum;
    if (total > most_squared) return false;
  }
  return true;
}

}  // namespace

double NormOf(std::span<const float> values) {
  return std::sqrt(SumOfSquares(std::span(&std::as_const(values), 1)));
}

// Every rounding may have erred by 2^-53.
double RoundingRoom(std::size_t n) {
  return 1.0 - (static_cast<double>(n) + 16.0) * 0x1p-53;
}

ClipFacts ClipToNorm(std::span<const std::span<float>> tensors,
                     double clip_norm) {
  CheckClipNorm(clip_norm);
  const double norm = std::sqrt(SumOfSquares(tensors));
  if (!std::isfinite(norm)) {
    for (const std::span<float> tensor : tensors) {
      std::ranges::fill(tensor, 0.0f);
    }
    return {.norm = 0, .clipped = false, .finite = false};
  }
  // A norm so near to the clip norm that rounding could hide an excess is
  // scaled too.
  const double scale = ScaleTo(clip_norm, norm, Size(tensors));
  if (scale >= 1.0) return {.norm = norm};
  for (const std::span<float> tensor : tensors) {
    for (float& x : tensor) x = TowardsZero(x * scale);
  }
  return {.norm = norm, .clipped = norm > clip_norm};
}

ClipFacts ClipToNorm(std::span<float> update, double clip_norm) {
  return ClipToNorm(std::span(&std::as_const(update), 1), clip_norm);
}

ClippedSum::ClippedSum(double clip_norm, std::size_t dimension,
                       std::string cohort)
    : clip_norm_(clip_norm), cohort_(std::move(cohort)) {
  CheckClipNorm(clip_norm);
  if (dimension == 0) {
    throw BadInput("a sum of vectors without numbers", "dimension",
                   "give the number of the model's parameters");
  }
  steps_.reserve(dimension + 1);  // Reduce needs one more
  steps_.resize(dimension);
}

ClippedSum::ClippedSum(ClippedSum&& other) noexcept
    : clip_norm_(other.clip_norm_),
      cohort_(std::move(other.cohort_)),
      steps_(std::exchange(other.steps_, {})),
      below_(std::exchange(other.below_, 0)) {}

void ClippedSum::CheckOpen(std::size_t size) const {
  if (size != dimension() || size == 0) {
    throw BadInput(fmt::format("an update of {} numbers to a sum of {}", size,
                               dimension()),
                   "update", "add updates of one model to one unreleased sum");
  }
}

ClipFacts ClippedSum::Add(std::span<const std::span<const float>> tensors,
                          double weight) {
  CheckOpen(Size(tensors));
  if (!(weight >= 0 && weight <= 1)) {
    throw BadInput(fmt::format("a contribution of weight {}", weight), "weight",
                   "give min(examples, cap) / cap, which is at most 1");
  }
  ClipFacts facts{.norm = std::sqrt(SumOfSquares(tensors))};
  facts.finite = std::isfinite(facts.norm);
  if (!facts.finite) facts.norm = 0;
  facts.clipped = facts.norm > clip_norm_;
  below_ += facts.clipped ? -1 : 1;
  if (facts.norm == 0) return facts;

  const auto steps = static_cast<double>(kStepsPerClipNorm);
  const double scale =
      std::min(1.0, ScaleTo(clip_norm_, facts.norm, dimension()));
  double steps_per_unit = steps / clip_norm_ * scale * weight;
  while (!AddScaled(tensors, steps_per_unit)) steps_per_unit *= 1.0 - 0x1p-40;
  return facts;
}

ClipFacts ClippedSum::Add(std::span<const float> update, double weight) {
  return Add(std::span(&update, 1), weight);
}

// Adds whole steps and checks their squares exactly; takes them back and
// returns false when they are too long (ScaleTo leaves room, so that this does
// not happen).
bool ClippedSum::AddScaled(std::span<const std::span<const float>> tensors,
                           double steps_per_unit) {
  const auto add = [&](std::int64_t sign) {
    Wide squares = 0;
    std::int64_t* sum = steps_.data();
    for (const std::span<const float> tensor : tensors) {
      for (const float x : tensor) {
        const auto step = static_cast<std::int64_t>(x * steps_per_unit);
        const auto length = static_cast<std::uint64_t>(std::abs(step));
        squares += static_cast<Wide>(length) * length;
        *sum = WrappingAdd(*sum, sign * step);
        ++sum;
      }
    }
    return squares;
  };
  if (add(1) <= static_cast<Wide>(kStepsPerClipNorm) * kStepsPerClipNorm) {
    return true;
  }
  add(-1);
  return false;
}

void ClippedSum::Merge(ClippedSum&& other) {
  if (other.clip_norm_ != clip_norm_ || other.dimension() != dimension() ||
      other.cohort_ != cohort_) {
    throw BadInput("sums of different clip norms, sizes or cohorts", "merge",
                   "merge sums of one cohort only");
  }
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    steps_[i] = WrappingAdd(steps_[i], other.steps_[i]);
  }
  below_ += other.below_;
  other.steps_.clear();
}

void ClippedSum::Add(const ClippedBlock& block) {
  CheckOpen(block.steps.size());
  if (block.clip_norm != clip_norm_ || !Possible(block)) {
    throw BadInput(
        fmt::format("a block that is not a sum of {} contributions of norm {}",
                    block.contributions, clip_norm_),
        "block", "clip to the sum's clip norm, in steps of its 2^-36");
  }
  base::ForEachPart(steps_.size(), [&](const base::Part& part) {
    for (std::size_t i = part.begin; i < part.end; ++i) {
      steps_[i] = WrappingAdd(steps_[i], block.steps[i]);
    }
  });
  below_ += block.below;
}

void ClippedSum::CheckRelease(double clip_norm, double divisor) const {
  if (!(divisor > 0 && std::isfinite(divisor))) {
    throw BadInput(fmt::format("a mean over {} contributions", divisor),
                   "divisor",
                   "give the expected size of a cohort, as configured");
  }
  if (dimension() == 0) {
    throw BadInput("a sum that was released before", "sum",
                   "a repeated round draws a new cohort");
  }
  if (clip_norm_ != clip_norm) {
    throw BadInput(fmt::format("a sum clipped to {} where {} was accounted",
                               clip_norm_, clip_norm),
                   "sum", "make it by EmptySum");
  }
}

std::vector<float> ClippedSum::MeanOf(std::span<const std::int64_t> steps,
                                      double divisor) const {
  const double scale =
      clip_norm_ / static_cast<double>(kStepsPerClipNorm) / divisor;
  std::vector<float> mean(steps.size());
  base::ForEachPart(steps.size(), [&](const base::Part& part) {
    for (std::size_t i = part.begin; i < part.end; ++i) {
      mean[i] = static_cast<float>(static_cast<double>(steps[i]) * scale);
    }
  });
  return mean;
}

void ClippedSum::Reduce(
    const std::function<void(std::span<std::int64_t>)>& reduce) {
  CheckOpen(dimension());
  steps_.push_back(below_);  // there is room for it
  reduce(steps_);
  below_ = steps_.back();
  steps_.pop_back();
}

}  // namespace sfumato::dp
