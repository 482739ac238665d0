// Which strength of a family's damage a user has.
//
//   const auto choice = StrengthChoice::Learn(rows, strength_of_row, 3);
//   choice.Choose(row);  // 0, 1 or 2
//
// A linear discriminant analysis: strengths are Gaussian clouds of one shape
// around different means, each as likely as the others. The shape is drawn
// toward one without correlations, as far as the rows leave correlations
// unknown, so that there may be more features than rows.
//
// Source: Schäfer and Strimmer 2005, "A Shrinkage Approach to Large-Scale
// Covariance Matrix Estimation".

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sfumato::census {

struct StrengthChoice {
  std::vector<float> weights = {};  // [strength][feature]
  std::vector<float> bias = {};     // [strength]

  // Features that are the same in all rows are not looked at. REQUIRES: rows of
  // one size, all numbers finite, and at least one row of each strength.
  static StrengthChoice Learn(const std::vector<std::vector<float>>& rows,
                              std::span<const std::int64_t> strength_of_row,
                              std::int64_t strengths);

  std::size_t strengths() const { return bias.size(); }
  std::size_t features() const {
    return bias.empty() ? 0 : weights.size() / bias.size();
  }
  // The likeliest. REQUIRES: features() numbers, at least one strength.
  std::size_t Choose(std::span<const float> row) const;
};

}  // namespace sfumato::census
