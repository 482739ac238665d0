#include "census/voter/image_ballot.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sfumato::census {
namespace {

// Of healthy reference users.
constexpr double kMarkedByChance = 0.001;
constexpr double kUnsureByChance = 0.003;
// How far the margin lies beyond, in spreads of the upper half.
constexpr double kBeyond = 0.5;
// A logit below is a no, however sure healthy users are.
constexpr double kLeastMargin = -2;
constexpr double kLeastUnsure = -3;
// Of users with one damage, or two, who are taken for having more.
constexpr double kMoreByChance = 0.02;

float Quantile(const at::Tensor& sorted, double quantile) {
  const auto place = static_cast<std::int64_t>(
      quantile * static_cast<double>(sorted.size(0) - 1));
  return sorted[place].item<float>();
}

}  // namespace

std::vector<std::int64_t> Ballot::Marks(
    std::span<const float> logits, std::int64_t marks,
    const std::function<bool(std::int64_t)>& fits) const {
  const std::size_t families = logits.size() - 1;
  std::vector<std::pair<float, std::int64_t>> passed;
  bool in_between = logits[families] > unsure[families];
  for (std::size_t k = 0; k < families; ++k) {
    if (logits[k] > margins[k]) {
      passed.emplace_back(-logits[k], static_cast<std::int64_t>(k));
    }
    in_between = in_between || logits[k] > unsure[k];
  }
  std::ranges::sort(passed);
  const bool odd = logits[families] > margins[families];
  if (passed.empty()) {
    if (odd || !fits(kHealthyMark)) return {kNoneMark};
    return {in_between ? kUnsureMark : kHealthyMark};
  }
  const auto first = static_cast<std::size_t>(passed[0].second);
  std::vector<std::int64_t> marked = {passed[0].second};
  for (std::size_t i = 1; i < passed.size(); ++i) {
    const auto k = static_cast<std::size_t>(passed[i].second);
    if (static_cast<std::int64_t>(marked.size()) < marks &&
        logits[k] > beside[first][k]) {
      marked.push_back(passed[i].second);
    }
  }
  // Who may have two damages may have one that is not marked.
  const float reach = marks > 1
                          ? std::max(beside[first][families], odd_of_pairs)
                          : beside[first][families];
  if (odd && logits[families] > reach) return {kNoneMark};
  const bool fit = (marked.size() == 1 && fits(marked[0])) ||
                   (marks > 1 && fits(static_cast<std::int64_t>(families)));
  if (!fit) return {kNoneMark};
  return marked;
}

Ballot BallotFor(const at::Tensor& healthy) {
  Ballot ballot;
  for (std::int64_t k = 0; k < healthy.size(1); ++k) {
    const at::Tensor sorted = std::get<0>(healthy.select(1, k).sort());
    const double spread = Quantile(sorted, 0.98) - Quantile(sorted, 0.5);
    const double margin =
        Quantile(sorted, 1 - kMarkedByChance) + kBeyond * spread;
    const double unsure = Quantile(sorted, 1 - kUnsureByChance);
    ballot.margins.push_back(
        static_cast<float>(std::max(margin, kLeastMargin)));
    ballot.unsure.push_back(static_cast<float>(std::max(unsure, kLeastUnsure)));
  }
  return ballot;
}

void Widen(Ballot& ballot, const Ballot& other) {
  for (std::size_t k = 0; k < ballot.margins.size(); ++k) {
    ballot.margins[k] = std::max(ballot.margins[k], other.margins[k]);
    ballot.unsure[k] = std::max(ballot.unsure[k], other.unsure[k]);
  }
}

void MarkTheLikeliest(Ballot& ballot) {
  for (std::size_t k = 0; k < ballot.margins.size(); ++k) {
    ballot.margins[k] = std::min(ballot.margins[k], 0.0F);
    ballot.unsure[k] = std::numeric_limits<float>::max();
  }
}

void SetBeside(Ballot& ballot, const at::Tensor& damaged,
               std::span<const std::int64_t> family_of_user) {
  const std::size_t outputs = ballot.margins.size();
  ballot.beside.assign(outputs - 1, ballot.margins);
  for (std::size_t k = 0; k + 1 < outputs; ++k) {
    std::vector<std::int64_t> users;
    for (std::size_t u = 0; u < family_of_user.size(); ++u) {
      if (family_of_user[u] == static_cast<std::int64_t>(k)) {
        users.push_back(static_cast<std::int64_t>(u));
      }
    }
    if (users.empty()) continue;
    const at::Tensor own =
        damaged.index_select(0, at::tensor(users, at::kLong));
    const at::Tensor sorted = std::get<0>(own.sort(0));
    for (std::size_t o = 0; o < outputs; ++o) {
      ballot.beside[k][o] =
          std::max(ballot.margins[o],
                   Quantile(sorted.select(1, static_cast<std::int64_t>(o)),
                            1 - kMoreByChance));
    }
  }
}

void SetPairs(Ballot& ballot, const at::Tensor& damaged) {
  ballot.odd_of_pairs =
      Quantile(std::get<0>(damaged.select(1, damaged.size(1) - 1).sort()),
               1 - kMoreByChance);
}

}  // namespace sfumato::census
