// When two groups with the same unknown rate differ by more than chance: an
// exact test of noisy counts.
//
//   const Difference difference({.few = 300, .many = 300, .noise = noise});
//   difference.LeastCount(2, 0);   // that the other group has to reach
//
// Each of n users marks a cell with the same unknown chance p, so a group's
// count is Binomial(n, p) and noise. The difference of two groups is compared
// with what it would scatter by at the rate that both show together, but at
// least with the noise alone. By how much it has to lie above is computed, not
// approximated: the least multiple that is reached with the given chance at
// most, whatever p is, summed over both counts for p from 0 to 1.
//
// Both counts are used to bound the rate. One noisy count alone would allow for
// rates that the other count contradicts, and ask for more.
//
// Source: Barnard 1945, "A New Test for 2 × 2 Tables"; the pooled statistic of
// Suissa and Shuster 1985, with noise.

#pragma once

#include <cstdint>
#include <vector>

#include "census/answer/count_law.h"
#include "census/answer/noise_law.h"

namespace sfumato::census {

struct DifferenceQuestion {
  double few = 0;   // users of the group with fewer marks
  double many = 0;  // of the other one
  NoiseLaw noise = {};
  // Of the number of users of a group, where that was summed from noisy cells.
  CountLaw users_noise = {};
  double chance = 1e-4;
};

class Difference {
 public:
  // REQUIRES: few ≥ 1, many ≥ 1, 0 < chance < 0.5.
  explicit Difference(const DifferenceQuestion& question);

  // The least count of `many` beside this one of `few`. `more`: users of `many`
  // who mark the cell for another reason, at most.
  double LeastCount(double count_of_few, double more) const;

  // The chance of reaching it where both groups have this rate.
  double ChanceAt(double rate) const;

 private:
  struct Laws {
    CountLaw few;
    CountLaw many;
    std::vector<double> tails;  // of `many`
  };
  // The least count of `many` beside each count of `few`, from `first` on.
  struct Leasts {
    std::int64_t first = 0;
    std::vector<std::int64_t> counts = {};
  };
  double Scatter(double count_of_few, double count_of_many) const;
  double Least(double count_of_few, double more, double multiple) const;
  Leasts LeastsOf(const std::vector<Laws>& laws, double multiple) const;
  Laws LawsAt(double rate) const;
  static double ChanceOf(const Laws& laws, const Leasts& leasts);

  DifferenceQuestion question_;
  double ratio_;
  CountLaw noise_;
  double noise_variance_ = 0;
  double users_variance_ = 0;
  double deviations_ = 0;     // of a normal law, with that chance
  double least_scatter_ = 0;  // of noise alone, the same
  double multiple_ = 1;
};

}  // namespace sfumato::census
