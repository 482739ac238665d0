// What a device marks, given what the network and the test of fit say of it.
//
//   const Ballot ballot = BallotFor(logits_of_healthy_users);
//   ballot.Marks(logits, marks, fits);      // {3}: output 3; or none, unsure …

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sfumato::census {

// Answers of a device before they are cells: an output of the network, or one
// of these.
inline constexpr std::int64_t kHealthyMark = -1;
inline constexpr std::int64_t kNoneMark = -2;
inline constexpr std::int64_t kUnsureMark = -3;

// Per output of the network: the families', then that of other damages.
struct Ballot {
  std::vector<float> margins = {};  // above: marked
  std::vector<float> unsure = {};   // above, and not marked: cannot tell
  // [family][output]: what users with that damage alone reach there; above,
  // there is something else as well.
  std::vector<std::vector<float>> beside = {};
  // What users with two damages reach in the output of other damages.
  float odd_of_pairs = 0;

  // `fits` says whether users with that damage look like this; kHealthyMark
  // for healthy ones, and the number of families for two damages at once.
  std::vector<std::int64_t> Marks(
      std::span<const float> logits, std::int64_t marks,
      const std::function<bool(std::int64_t)>& fits) const;
};

// Margins that healthy reference users [user, output] hardly ever reach.
Ballot BallotFor(const at::Tensor& healthy);

// The greater margins of both: for users of either kind.
void Widen(Ballot& ballot, const Ballot& other);

// A mark for what is likelier than not; nobody is unsure.
void MarkTheLikeliest(Ballot& ballot);

// With what reference users with one damage [user, output] reach.
// `family_of_user`: the output that is right.
void SetBeside(Ballot& ballot, const at::Tensor& damaged,
               std::span<const std::int64_t> family_of_user);
// With what users with two damages reach.
void SetPairs(Ballot& ballot, const at::Tensor& damaged);

}  // namespace sfumato::census
