#include "census/answer/confusion.h"

#include <algorithm>

#include "fmt/format.h"

namespace sfumato::census {
namespace {

using Eigen::Index;

double RateOf(const Tried& tried, std::size_t cell) {
  return static_cast<double>(tried.votes[cell]) /
         static_cast<double>(tried.users);
}

Tried Together(const std::vector<Tried>& all, std::size_t cells) {
  Tried sum{.votes = std::vector<std::int64_t>(cells, 0)};
  for (const Tried& tried : all) {
    sum.users += tried.users;
    for (std::size_t a = 0; a < cells; ++a) sum.votes[a] += tried.votes[a];
  }
  return sum;
}

}  // namespace

Confusion::Confusion(const Calibration& calibration)
    : cells_(calibration.cells.size()),
      tried_(cells_),
      alone_(cells_),
      healthy_{.votes = std::vector<std::int64_t>(cells_, 0)},
      mean_(Eigen::MatrixXd::Identity(static_cast<Index>(cells_),
                                      static_cast<Index>(cells_))) {
  for (const State& state : calibration.states) {
    const std::size_t s = calibration.CellOf(state.key);
    std::string left_out;
    std::string hidden;
    std::size_t asked = 0;
    for (const Tried& tried : state.tried) {
      if (tried.users <= 0 || tried.beside) continue;
      ++asked;
      if (s == 0 || RateOf(tried, s) >= kLeastNoticed) {
        tried_[s].push_back(tried);
      } else {
        left_out += (left_out.empty() ? "" : " or ") + tried.values;
      }
    }
    if (s == 0) healthy_ = Together(tried_[0], cells_);
    alone_[s] = tried_[s].size();
    for (const Tried& tried : state.tried) {
      if (tried.users <= 0 || !tried.beside || alone_[s] == 0) continue;
      if (RateOf(tried, s) >= kLeastNoticed) {
        tried_[s].push_back(tried);
      } else {
        hidden += (hidden.empty() ? "" : ", ") + tried.values;
      }
    }
    const std::string& words = calibration.cells[s].words;
    if (asked > 0 && tried_[s].empty()) {
      remarks_.push_back(fmt::format(
          "Voters hardly notice “{}” on reference users, so its share is of "
          "the users who voted so.",
          words));
    } else if (!left_out.empty()) {
      remarks_.push_back(
          fmt::format("“{}”: {} is mostly missed on reference users, so users "
                      "with that little of it are not in the share.",
                      words, left_out));
    }
    if (!hidden.empty()) {
      remarks_.push_back(fmt::format(
          "“{}”: {} voters hardly notice it on reference users, and "
          "users who have both are not in its share.",
          words, hidden));
    }
    if (tried_[s].empty()) continue;
    for (std::size_t a = 0; a < cells_; ++a) {
      double sum = 0;
      for (const Tried& tried : TriedOf(s)) sum += RateOf(tried, a);
      mean_(static_cast<Index>(s), static_cast<Index>(a)) =
          sum / static_cast<double>(alone_[s]);
    }
  }
}

Eigen::MatrixXd Confusion::Draw(base::Rng& rng,
                                std::vector<std::size_t>& kinds) const {
  Eigen::MatrixXd rates = Eigen::MatrixXd::Identity(static_cast<Index>(cells_),
                                                    static_cast<Index>(cells_));
  kinds.assign(cells_, 0);
  for (std::size_t s = 0; s < cells_; ++s) {
    if (tried_[s].empty()) continue;
    kinds[s] = rng.Below(KindsOf(s));
    if (kinds[s] == tried_[s].size()) continue;
    const Tried& tried = tried_[s][kinds[s]];
    const auto row = static_cast<Index>(s);
    const double each = static_cast<double>(WorthOf(tried, s)) /
                        static_cast<double>(tried.users);
    // One vote in all, or a twentieth of what was seen.
    const auto cells = static_cast<double>(cells_);
    const double before = std::clamp(
        0.05 * static_cast<double>(tried.users) / cells, 1 / cells, 0.5);
    double marks = 0;
    double all = 0;
    for (std::size_t a = 0; a < cells_; ++a) {
      const std::int64_t votes = tried.votes[a];
      const double shape =
          each * static_cast<double>(votes) + (rng.Bernoulli(before) ? 1 : 0);
      const double drawn = shape > 0 ? rng.Gamma(shape) : 0.0;
      rates(row, static_cast<Index>(a)) = drawn;
      all += drawn;
      marks += static_cast<double>(votes);
    }
    // Marks for each user, 1 or somewhat more; no rate is above 1.
    rates.row(row) *= marks / static_cast<double>(tried.users) / all;
    rates.row(row) = rates.row(row).cwiseMin(1.0);
  }
  return rates;
}

}  // namespace sfumato::census
