// Whether a user's features are like those of reference users in one state: the
// test of fit behind "none of these".
//
//   TextFit fit;
//   fit.Learn(rows, usual);    // of users in this state
//   fit.SetLimit(others, 0.01);
//   fit.IsLike(features);
//
// The distance is to the nearest reference user, feature by feature in units of
// how much such users differ. The limit is what a share of further users in
// this state exceeds.

#pragma once

#include <cstddef>
#include <vector>

namespace sfumato::census {

struct TextFit {
  std::vector<float> scale;  // [feature]
  std::vector<float> rows;   // [user, feature], scaled; empty: all are alike
  float limit = 0;

  // `usual` [feature]: how much healthy users differ.
  void Learn(const std::vector<std::vector<float>>& users,
             const std::vector<float>& usual);
  void SetLimit(const std::vector<std::vector<float>>& users, double above);
  // `slack`: how many times the limit a user may lie off.
  bool IsLike(const std::vector<float>& features, double slack = 1) const;
  float Distance(const std::vector<float>& features) const;
};

// [feature]: standard deviations. REQUIRES: a user at least.
std::vector<float> SpreadOf(const std::vector<std::vector<float>>& users);

}  // namespace sfumato::census
