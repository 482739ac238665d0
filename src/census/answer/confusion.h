// How reference users voted, as rates: what counts are corrected by.
//
//   const Confusion confusion(calibration);
//   confusion.Mean()(state, cell);
//   confusion.Draw(rng, kinds);   // rates that reference users may have
//
// States are cells: kAsItShouldBe, families, then kNoneOfThese and kCannotTell,
// whose users are taken to answer just that, since what was done to them is not
// known. So is a family without reference users.

#pragma once

#include <Eigen/Dense>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "census/answer/calibration.h"

namespace sfumato::census {

// Voters notice a strength in at least this share of its users, or its share
// cannot be estimated.
inline constexpr double kLeastNoticed = 0.25;

class Confusion {
 public:
  explicit Confusion(const Calibration& calibration);

  std::size_t cells() const { return cells_; }
  // Of reference users who have just this: its strengths. None: taken to be
  // right.
  std::span<const Tried> TriedOf(std::size_t state) const {
    return {tried_[state].data(), alone_[state]};
  }
  // What Draw draws of: these, behind them those who have another damage too,
  // and last, of a damage, users who are always judged rightly: those who are
  // asked may be easier to judge than reference users.
  std::size_t KindsOf(std::size_t state) const {
    return tried_[state].empty() ? 0
                                 : tried_[state].size() + (state > 0 ? 1 : 0);
  }
  // Mean over strengths, without another damage: [state, cell].
  const Eigen::MatrixXd& Mean() const { return mean_; }
  // Of the healthy reference users, all together; their kinds are
  // TriedOf(0).
  const Tried& Healthy() const { return healthy_; }

  // [state, cell], by a Dirichlet posterior of a kind drawn at random, which is
  // put into `kinds`. Before any vote was seen there were few, in cells drawn
  // at random: what was never seen may still happen.
  Eigen::MatrixXd Draw(base::Rng& rng, std::vector<std::size_t>& kinds) const;

  // What was left out, in words.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  std::size_t cells_;
  std::vector<std::vector<Tried>> tried_;  // [state][kind]
  std::vector<std::size_t> alone_;         // of these without another damage
  Tried healthy_;
  Eigen::MatrixXd mean_;
  std::vector<std::string> remarks_;
};

}  // namespace sfumato::census
