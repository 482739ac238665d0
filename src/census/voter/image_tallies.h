// What reference users mark whom nothing was learned from: of each damage, in
// each strength, and of none.
//
//   const std::vector<Tally> tallies = AskAll(course, voter);
//   ShareThatMark(tallies.back(), tallies.back().family);  // 0.9: it is seen
//
// Where they are users of the set, each is asked as often as the others, or
// once more.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

#include "census/voter/image_course.h"
#include "census/voter/image_voter.h"

namespace sfumato::census {

struct Tally {
  std::int64_t family = -1;  // −1: healthy
  std::string values = "";   // the strength, or the kind of healthy users
  std::vector<std::vector<std::int64_t>> marks = {};  // [user]
  std::vector<at::Tensor> vectors = {};    // [user] of those who mark a split
  std::vector<std::int64_t> persons = {};  // [user]; −1: made up
};

double ShareThatMark(const Tally& tally, std::int64_t mark);

// Whether enough of these users mark what they have for it to be an answer.
bool IsSeen(const Tally& tally);

// Healthy users of each kind, then each family's strengths. REQUIRES: the voter
// has its network, ballot and fit.
std::vector<Tally> AskAll(const ImageCourse& course, const ImageVoter& voter);

using Strengths = std::vector<const NamedDamage*>;

// [family][other]: users with two damages, each in one of the strengths `seen`
// of its family; nobody for families of one cell, or without such strengths.
// REQUIRES: the voter has its network, ballot and fit.
std::vector<std::vector<Tally>> AskPairs(
    const ImageCourse& course, const ImageVoter& voter,
    const std::vector<Strengths>& seen,
    const std::vector<std::int64_t>& cell_of_family);

}  // namespace sfumato::census
