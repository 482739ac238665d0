// When a count is too large for chance: the laws of counts where nothing is
// wrong, and their thresholds.
//
//   const Thresholds one(question, confusion);
//   one.Of(cell, {});                    // what its count has to reach
//   one.LeastSeen(cell, 16, 0.95);       // users with the damage, to reach 16
//
// One group: what N users mark after what the healthy reference users marked
// (NextLaw), of the kind of them that marks the cell most, and noise; N is an
// upper bound, and reference users count as much as they are worth (worth.h).
// Two groups: how far they lie apart (difference.h), given as c_B - (n_B / n_A)
// c_A. Beside a placebo that difference less the same there, with bounds of the
// four rates. Numbers of users that were summed from noisy cells carry the
// noise of all of them, which is in these laws, too.

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "census/answer/confusion.h"
#include "census/answer/count_law.h"
#include "census/answer/difference.h"
#include "census/answer/noise_law.h"

namespace sfumato::census {

struct GroupCounts {
  double users = 0;
  bool summed = true;               // from noisy cells
  std::vector<double> counts = {};  // [cell]
  NoiseLaw noise = {};
};

struct ThresholdQuestion {
  std::vector<GroupCounts> groups = {};   // one, or two
  std::vector<GroupCounts> placebo = {};  // none, or two
  double level = 0.01;                    // of all cells together
  std::size_t cells_tested = 1;
};

// Users of a damage that was named already, and what share of them is counted
// in a cell.
struct Leak {
  double users = 0;
  double rate = 0;
};

class Thresholds {
 public:
  // Both outlive this.
  Thresholds(const ThresholdQuestion& question, const Confusion& confusion);

  bool two() const { return question_.groups.size() == 2; }

  // One group: the count. Two: c_B - (n_B / n_A) c_A, beside a placebo less the
  // same there.
  double StatisticOf(std::size_t cell) const;

  // The least statistic (`more`), or the least of its negative, that chance and
  // the leaks reach with the cell's part of the level; or with `chance`.
  double Of(std::size_t cell, const std::vector<Leak>& leaks, bool more = true,
            std::optional<double> chance = {}) const;

  // What noise and chance may have hidden of a statistic, but for `chance`.
  double Hidden(std::size_t cell, bool more, double chance) const;

  // The least number of users (two groups: of the second) with the damage of
  // this cell whose statistic reaches `threshold` with that probability; above
  // the group's users if not even all do.
  double LeastSeen(std::size_t cell, double threshold,
                   double probability) const;

 private:
  struct Laws {
    CountLaw a;
    CountLaw b;
  };
  double BaseRate(std::size_t cell) const;
  Laws NullOfOne(std::size_t cell, const Tried& healthy) const;
  Laws NullBeside(std::size_t cell, bool more) const;
  double OfTwo(std::size_t cell, const std::vector<Leak>& leaks, bool more,
               double chance) const;
  const Difference& DifferenceAt(bool more, double chance) const;
  CountLaw Term(const GroupCounts& group, double rate, double weight) const;
  double RateBound(const GroupCounts& group, std::size_t cell) const;

  const ThresholdQuestion& question_;
  const Confusion& confusion_;
  double each_;  // for each test: of its tail, and of the bounds of its rates
  double users_high_ = 0;
  CountLaw noise_;      // of one cell
  CountLaw all_noise_;  // of all others of a group
  // What was computed already: by direction and chance.
  mutable std::map<std::pair<bool, double>, Difference> differences_;
};

}  // namespace sfumato::census
