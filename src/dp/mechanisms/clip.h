// Bounding what one contribution can move: L2 clipping of a whole update.
//
//   ClipToNorm(update, 0.1);                    // in place, one tensor
//   ClippedSum sum(0.1, update.size(), "round 7");
//   sum.Add(update);                            // clips, then adds
//   sum.Add(update, 0.25);                      // a quarter of the clipped one
//
// A sum is kept in whole steps of clip_norm / 2^36. A contribution is scaled
// down to the clip norm if it is longer, then each number is rounded towards
// zero to a whole step, and the sum of squares of the steps is checked in whole
// numbers to be at most (2^36)^2. So one contribution moves the sum by at most
// the clip norm exactly, in any order of adding and whatever floating point
// did; there is no rounding for the accountant to add (Casacuberta et al. 2022,
// "Widespread Underestimation of Sensitivity").
//
// A weight lies between 0 and 1, so that a weighted contribution keeps the
// bound: weights by example count are min(examples, cap) / cap, never the
// count. What the weights add up to is private like the cohort's size; the
// divisor of a mean is configured.
//
// A contribution with a NaN or an infinity counts as zero, without any message.

#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <span>
#include <string>
#include <vector>

namespace sfumato::dp {

// What happened to one contribution. It is computed from private data: for
// simulations only, never to be shown or logged elsewhere.
struct ClipFacts {
  double norm = 0;  // before clipping; 0 when not finite
  bool clipped = false;
  bool finite = true;
};

// The Euclidean norm, summed in double; not finite when a number is not.
double NormOf(std::span<const float> values);

// Scales `tensors`, taken as one vector, down to `clip_norm` when it is longer;
// the exact norm of the result is never above it. All zeros when any number is
// not finite. Throws BadInput unless 2^-60 <= clip_norm <= 2^60.
ClipFacts ClipToNorm(std::span<const std::span<float>> tensors,
                     double clip_norm);
ClipFacts ClipToNorm(std::span<float> update, double clip_norm);

// The share of a vector of n numbers, scaled to the clip norm, that is left
// when every rounding on the way (of its norm summed in double, of the scale,
// of the products) has had its room: what scales by it is never too long.
double RoundingRoom(std::size_t n);

// What a GPU made of a group of contributions, the way ClippedSum::Add does:
// each scaled down to the clip norm times RoundingRoom, times its weight, and
// rounded towards zero to whole steps of clip_norm / 2^36; zeros where a number
// was not finite. Only the sum can be looked at here, so the bound on each
// contribution is the device's promise (the test of the kernel compares it with
// Add).
struct ClippedBlock {
  double clip_norm = 0;
  std::int64_t contributions = 0;
  std::int64_t below = 0;  // norms up to the clip norm, less those above it
  std::span<const std::int64_t> steps = {};
};

// The sum of the clipped contributions of one cohort. How many there were is
// not kept. It can be moved but not copied, and releasing takes it: the same
// cohort cannot be released twice by mistake.
class ClippedSum {
 public:
  static constexpr std::int64_t kStepsPerClipNorm = std::int64_t{1} << 36;

  // Throws BadInput for a clip norm as above, or without a dimension.
  ClippedSum(double clip_norm, std::size_t dimension, std::string cohort = "");
  ClippedSum(ClippedSum&& other) noexcept;
  ClippedSum& operator=(ClippedSum&&) = delete;

  double clip_norm() const { return clip_norm_; }
  std::size_t dimension() const { return steps_.size(); }
  const std::string& cohort() const { return cohort_; }

  // Clips and adds `weight` times the result. Throws BadInput when the sizes do
  // not sum to dimension(), or unless 0 <= weight <= 1.
  ClipFacts Add(std::span<const std::span<const float>> tensors,
                double weight = 1);
  ClipFacts Add(std::span<const float> update, double weight = 1);
  // Whole numbers have no place in a noisy sum of real ones.
  template <std::ranges::range R>
    requires std::integral<std::ranges::range_value_t<R>>
  ClipFacts Add(const R&, double weight = 1) = delete;

  // Adds what another thread or process summed for the same cohort. Throws
  // BadInput when clip norm, dimension or cohort differ.
  void Merge(ClippedSum&& other);

  // Adds contributions that a device clipped and summed by itself. Throws
  // BadInput when the clip norm or the dimension is another, or when the steps
  // are longer than its number of contributions allows (a wrong unit, a sum
  // that was added to before).
  void Add(const ClippedBlock& block);

  // Hands the sum's whole numbers, dimension() + 1 of them, to `reduce`, which
  // puts in their place the sums over all processes that train this cohort
  // (MPI_Reduce). What a process holds whose numbers went to another one is to
  // be thrown away. The numbers are private data without noise: they may go to
  // a process of the same run and nowhere else.
  void Reduce(const std::function<void(std::span<std::int64_t>)>& reduce);

 private:
  friend class GaussianMechanism;
  friend class AdaptiveClip;
  friend class PlainMean;
  friend struct ClippedSumPeer;  // tests look at the steps

  // For mechanisms, before and after the noise.
  void CheckRelease(double clip_norm, double divisor) const;
  std::vector<float> MeanOf(std::span<const std::int64_t> steps,
                            double divisor) const;
  void CheckOpen(std::size_t size) const;
  bool AddScaled(std::span<const std::span<const float>> tensors,
                 double steps_per_unit);

  double clip_norm_;
  std::string cohort_;
  std::vector<std::int64_t> steps_;  // empty once released
  std::int64_t below_ = 0;  // +1 for each norm up to the clip norm, else -1
};

}  // namespace sfumato::dp
