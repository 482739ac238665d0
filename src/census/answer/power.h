// What share of users a census would see, known before anybody is asked.
//
//   const NoiseLaw noise{.kind = NoiseKind::kLaplace, .parameter = 2};
//   LeastShare({.noise = noise, .users = {600}}, 22);   // 0.035: 3.5 %
//   PowerOf({.noise = noise, .users = {600}}, calibration);
//
// Seen: supported with probability 95 %, by the thresholds of the verdict
// (census_answer.h). Of two groups it is a share of the second.

#pragma once

#include <string>
#include <vector>

#include "census/answer/calibration.h"
#include "census/answer/noise_law.h"

namespace sfumato::census {

struct PowerQuestion {
  NoiseLaw noise = {};
  std::vector<double> users = {};  // [group], about
  double level = 0.01;
};

struct LeastSeen {
  std::string key = "";
  std::string words = "";
  double share = 2;  // above 1: not even everybody would be seen
};

// One per family, then none_of_these. Where a family or the healthy state has
// no reference users yet, voters are taken to be right.
std::vector<LeastSeen> PowerOf(const PowerQuestion& question,
                               const Calibration& calibration);

// Of any of `families`, if voters were always right: the best that there can
// be before a voter is learned.
double LeastShare(const PowerQuestion& question, std::size_t families);

// "damage on 3.5–4.2 % of users would be seen, depending on its kind", "no
// damage would be seen, not even on all users": of the families.
std::string PowerText(const std::vector<LeastSeen>& seen);
std::string PowerText(double share);

}  // namespace sfumato::census
