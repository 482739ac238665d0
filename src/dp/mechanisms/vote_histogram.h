// How many voted for what: each unit marks a few of the declared cells, and the
// counts of all cells are released with exact whole-number noise.
//
//   const VoteHistogram votes({.cells = 24, .marks = 1,
//                              .noise = LaplaceNoiseFor(0.5, moves)});
//   auto counts = votes.Release(marks_of_units, "", noise);  // [cell]
//
// Of a unit's marks only the first `marks` different declared ones count, each
// once; a mark outside of the cells counts nowhere. So one unit more or less
// moves at most m = marks cells by one each, and an exchanged unit at most
// m = 2 marks. The noise of the cells is independent, so the release is m
// releases of one count at most, and that is how it is entered: one event with
// a count of m.
//
// Discrete Laplace noise of scale s is 1/s-DP for a count that moves by one: a
// Pure event. (Its loss is 1/s or -1/s and nothing between. The curve of the
// continuous Laplace is lower: delta(0) at epsilon 0.5 is 0.221 against 0.245.)
// Scales are fractions, so that the bits have exactly this law, and the epsilon
// that is entered is m/s rounded up.
//
// Discrete Gaussian noise is a DiscreteGaussian event of sensitivity 1. Under
// replace-one the accountant moves each cell by two, where it moves by one:
// valid, since a larger shift of a log-concave law is never harder to see, and
// loose by a factor of two in the deviation.
//
// Counts may be negative; cutting them off is the reader's choice and costs
// nothing.
//
// Source: Canonne, Kamath and Steinke 2020; Ghosh, Roughgarden and Sundararajan
// 2009, "Universally Utility-Maximizing Privacy Mechanisms".

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "dp/mechanisms/discrete_gaussian.h"
#include "dp/mechanisms/participants.h"
#include "dp/mechanisms/released.h"

namespace sfumato::dp {

// On each count. P(x) is proportional to exp(-|x| / scale).
struct DiscreteLaplaceNoise {
  Rational scale = {};
  bool operator==(const DiscreteLaplaceNoise& other) const {
    return scale.numerator == other.scale.numerator &&
           scale.denominator == other.scale.denominator;
  }
};
// P(x) is proportional to exp(-x^2 / (2 deviation^2)).
struct DiscreteGaussianNoise {
  double deviation = 0;  // 0.1 … 2^25
  bool operator==(const DiscreteGaussianNoise&) const = default;
};
using VoteNoise = std::variant<DiscreteLaplaceNoise, DiscreteGaussianNoise>;

// Cells that one unit moves by one each, at most.
std::int64_t CellsMoved(std::int64_t marks, Adjacency adjacency);

// The least Laplace noise, in steps of 2^-16 of a vote, with which `moved`
// cells together are epsilon-DP. Throws BadInput unless epsilon is a number
// from moved / 2^14 to 100.
DiscreteLaplaceNoise LaplaceNoiseFor(double epsilon, std::int64_t moved);

// The standard deviation of the noise on a count.
double DeviationOf(const VoteNoise& noise);

struct VoteHistogramOptions {
  std::int64_t cells = 0;  // declared beforehand
  std::int64_t marks = 1;  // of one unit
  VoteNoise noise = {};
  Participants participants = {};
};

class VoteHistogram {
 public:
  // Throws BadInput for cells outside 1 … 2^20, marks outside 1 … cells, or
  // impossible noise; Unsupported unless everybody is asked.
  explicit VoteHistogram(VoteHistogramOptions options);

  const VoteHistogramOptions& options() const { return options_; }
  // One event, whose count is the number of cells that a unit moves.
  dp::Event Event(std::string cohort) const;
  // The cells that each unit marks.
  Released<std::vector<std::int64_t>> Release(
      std::span<const std::vector<std::int64_t>> marks_of_units,
      std::string cohort, NoiseSource& noise) const;

 private:
  VoteHistogramOptions options_;
};

// The same counts without noise, and so private data: for simulations.
std::vector<std::int64_t> CountVotes(
    std::span<const std::vector<std::int64_t>> marks_of_units,
    std::int64_t cells, std::int64_t marks);

}  // namespace sfumato::dp
