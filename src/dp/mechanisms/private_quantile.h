// A quantile of private numbers, by the exponential mechanism over declared
// bounds.
//
//   PrivateQuantile lowest({.quantile = 0.25, .lower = 0, .upper = 1,
//                           .epsilon = 0.1});
//   auto threshold = lowest.Release(accuracy_of_user, "", noise);
//
// The bounds are cut into `candidates` equal cells; every unit has one number,
// which falls into a cell (numbers outside the bounds into the first or last,
// NaN and infinities into the first). A cell j with n_< numbers in lower cells
// and n_<= in lower cells or in it misses the quantile q of n numbers by
//
//   miss(j) = max(0, n_< - q n, q n - n_<=),
//
// and is chosen with probability proportional to w(floor(miss(j) / D)), where w
// falls by at most a factor e^(epsilon/2) from one whole number to the next.
// The result is the middle of the cell.
//
// Why it is epsilon-DP. One number more moves n_< and n_<= by 0 or 1 and q n by
// q, so a miss by at most D = max(q, 1 - q); exchanging a number leaves n and
// moves it by at most D = 1. Either way floor(miss / D) moves by at most one,
// so every weight, and the sum of all weights, moves by at most a factor
// e^(epsilon/2), and a probability by at most e^epsilon. The weights are whole
// numbers computed so that the factor holds exactly, and the choice is drawn by
// whole numbers too: nothing is rounded, and delta is 0.
//
// Source: Smith 2011, "Privacy-preserving statistical estimation with optimal
// convergence rates" (the mechanism); ties, the sharper D and whole-number
// weights as above.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dp/mechanisms/noise.h"
#include "dp/mechanisms/participants.h"
#include "dp/mechanisms/released.h"

namespace sfumato::dp {

struct QuantileOptions {
  double quantile = 0.5;  // in whole thousandths, between 0 and 1
  double lower = 0;       // bounds, declared without looking at the data
  double upper = 0;
  double epsilon = 0;              // 0.0001 … 40
  std::int64_t candidates = 4096;  // cells, at most 2^24
  Participants participants = {};
};

// The middle of the cell that `value` lies in: what a release says of every
// number in it.
double MiddleOfCell(const QuantileOptions& options, double value);

class PrivateQuantile {
 public:
  // Throws BadInput for bounds that are NaN, infinite, empty or reversed, and
  // for numbers out of range; and as CheckEvent.
  explicit PrivateQuantile(QuantileOptions options);

  dp::Event Event(std::string cohort) const;
  // One number for each unit. Without any, a cell at random.
  Released<double> Release(std::span<const double> value_of_unit,
                           std::string cohort, NoiseSource& noise) const;

 private:
  friend struct PrivateQuantilePeer;  // tests look at the weights

  // Neighbouring cells of one weight each.
  struct Run {
    std::int64_t first = 0;
    std::int64_t size = 0;
    Wide weight = 0;
    Wide Total() const { return weight * static_cast<Wide>(size); }
  };

  std::vector<Run> Runs(std::span<const double> value_of_unit) const;
  Wide WeightOf(std::int64_t below, std::int64_t up_to, std::int64_t n) const;

  QuantileOptions options_;
  std::int64_t thousandths_;
  std::vector<Wide> weights_;  // of misses 0, D, 2D, …; the last for all more
};

}  // namespace sfumato::dp
