#include "census/answer/shares.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace sfumato::census {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A healthy row never says more than this of what users with a damage say of
// it: beyond, nothing is left to count by.
constexpr double kMostOfRight = 0.5;

double DrawBinomial(base::Rng& rng, double n, double p) {
  n = std::round(n);
  if (!(n > 0) || !(p > 0)) return 0;
  if (p >= 1) return n;
  if (p > 0.5) return n - DrawBinomial(rng, n, 1 - p);
  if (n * p > 40) {
    const double drawn = rng.Normal(n * p, std::sqrt(n * p * (1 - p)));
    return std::clamp(std::round(drawn), 0.0, n);
  }
  double chance = std::exp(n * std::log1p(-p));
  double left = rng.Uniform();
  double k = 0;
  while (left > chance && k < n) {
    left -= chance;
    chance *= (n - k) / (k + 1) * p / (1 - p);
    ++k;
  }
  return k;
}

VectorXd CountsOf(const GroupCounts& group) {
  return Eigen::Map<const VectorXd>(group.counts.data(),
                                    static_cast<Index>(group.counts.size()));
}

VectorXd Noise(const GroupCounts& group, base::Rng& rng) {
  VectorXd noise(static_cast<Index>(group.counts.size()));
  for (double& one : noise) one = static_cast<double>(Draw(group.noise, rng));
  return noise;
}

VectorXd Inverted(const MatrixXd& rates, const VectorXd& counts) {
  return rates.transpose().partialPivLu().solve(counts);
}

// As shares of the users that were asked, or of those that it adds up to.
VectorXd SharesOf(const VectorXd& users, const GroupCounts& group) {
  const double all = group.summed ? users.sum() : group.users;
  return users / std::max(1.0, all);
}

// How far voters' answers are from what is expected of them.
VectorXd VotersChance(const VectorXd& users, const MatrixXd& rates,
                      base::Rng& rng) {
  VectorXd chance = VectorXd::Zero(users.size());
  for (Index s = 0; s < users.size(); ++s) {
    const double n = std::round(std::max(0.0, users[s]));
    if (n == 0) continue;
    const bool one_mark = std::abs(rates.row(s).sum() - 1) < 1e-9;
    double others = 0;
    for (Index a = 0; a < users.size(); ++a) {
      if (a == s && one_mark) continue;
      const double off = DrawBinomial(rng, n, rates(s, a)) - n * rates(s, a);
      chance[a] += off;
      others += off;
    }
    if (one_mark) chance[s] -= others;
  }
  return chance;
}

// Values of one state by the kind of its users that was drawn: a strength, or
// a damage beside another one.
class Spread {
 public:
  explicit Spread(const Confusion& confusion) {
    for (std::size_t s = 0; s < confusion.cells(); ++s) {
      values_.emplace_back(std::max<std::size_t>(1, confusion.KindsOf(s)));
    }
  }

  void Add(const VectorXd& shares, const std::vector<std::size_t>& kinds) {
    for (std::size_t s = 0; s < values_.size(); ++s) {
      const double value = shares[static_cast<Index>(s)];
      if (std::isfinite(value)) values_[s][kinds[s]].push_back(value);
    }
  }

  // From the least kind's low end to the greatest one's high end.
  void Widen(std::vector<ShareInterval>& intervals) {
    for (std::size_t s = 0; s < values_.size(); ++s) {
      for (std::vector<double>& values : values_[s]) {
        if (values.empty()) continue;
        std::ranges::sort(values);
        const auto at = [&](double part) {
          return values[static_cast<std::size_t>(
              part * static_cast<double>(values.size() - 1) + 0.5)];
        };
        intervals[s].low = std::min(intervals[s].low, at(0.025));
        intervals[s].high = std::max(intervals[s].high, at(0.975));
      }
    }
  }

 private:
  std::vector<std::vector<std::vector<double>>> values_;
};

std::vector<ShareInterval> EstimateOne(const GroupCounts& group,
                                       const Confusion& confusion,
                                       std::int64_t draws, base::Rng& rng) {
  const VectorXd counts = CountsOf(group);
  const VectorXd users = Inverted(confusion.Mean(), counts);
  const VectorXd shares = SharesOf(users, group);
  Spread spread(confusion);
  std::vector<std::size_t> kinds;
  for (std::int64_t i = 0; i < draws; ++i) {
    const MatrixXd rates = confusion.Draw(rng, kinds);
    const VectorXd clean =
        counts - Noise(group, rng) - VotersChance(users, rates, rng);
    spread.Add(SharesOf(Inverted(rates, clean), group), kinds);
  }
  std::vector<ShareInterval> result;
  for (const double share : shares) {
    result.push_back({.share = share, .low = share, .high = share});
  }
  spread.Widen(result);
  return result;
}

// Rates of one group as another draw of its users and of the noise would have
// them.
VectorXd Redrawn(const GroupCounts& group, base::Rng& rng) {
  VectorXd counts = CountsOf(group) - Noise(group, rng);
  for (Index a = 0; a < counts.size(); ++a) {
    const double rate = std::clamp(
        group.counts[static_cast<std::size_t>(a)] / group.users, 0.0, 1.0);
    counts[a] -=
        DrawBinomial(rng, group.users, rate) - std::round(group.users) * rate;
  }
  const double all = group.summed ? counts.sum() : group.users;
  return counts / std::max(1.0, all);
}

VectorXd RatesOf(const GroupCounts& group) {
  return CountsOf(group) / group.users;
}

// `rates` with the healthy row as a group answered. If more of it answered
// wrongly than reference users did, references are of another kind, and users
// with damage may answer wrongly as often.
MatrixXd AsAnswered(MatrixXd rates, const VectorXd& answered) {
  Eigen::RowVectorXd wrong = rates.row(0);
  wrong[0] = 0;
  for (Index a = 1; a < answered.size(); ++a) {
    const double most = kMostOfRight * rates(a, a);
    wrong[a] = std::max(0.0, std::clamp(answered[a], 0.0, most) - wrong[a]);
  }
  const double foreign = std::min(kMostOfRight, wrong.sum());
  if (!(foreign > 0)) return rates;
  wrong /= wrong.sum();
  for (Index s = 0; s + 2 < rates.rows(); ++s) {
    rates.row(s) = (1 - foreign) * rates.row(s) + foreign * wrong;
  }
  return rates;
}

std::vector<ShareInterval> EstimateTwo(const ThresholdQuestion& question,
                                       const Confusion& confusion,
                                       std::int64_t draws, base::Rng& rng) {
  const std::vector<GroupCounts>& groups = question.groups;
  const std::vector<GroupCounts>& placebo = question.placebo;
  const auto difference = [&](const auto& rates_of) {
    VectorXd change = rates_of(groups[1]) - rates_of(groups[0]);
    if (!placebo.empty()) {
      change -= rates_of(placebo[1]) - rates_of(placebo[0]);
    }
    return change;
  };
  const VectorXd change = difference([](const auto& g) { return RatesOf(g); });
  const VectorXd shares = Inverted(confusion.Mean(), change);
  Spread as_references(confusion);
  Spread as_first(confusion);
  const bool healthy = confusion.Healthy().users > 0;
  std::vector<std::size_t> kinds;
  for (std::int64_t i = 0; i < draws; ++i) {
    const MatrixXd rates = confusion.Draw(rng, kinds);
    const VectorXd drawn =
        difference([&](const auto& g) { return Redrawn(g, rng); });
    as_references.Add(Inverted(rates, drawn), kinds);
    if (!healthy) continue;
    as_first.Add(Inverted(AsAnswered(rates, RatesOf(groups[0])), drawn), kinds);
  }
  std::vector<ShareInterval> result;
  for (const double share : shares) {
    result.push_back({.share = share, .low = share, .high = share});
  }
  as_references.Widen(result);
  as_first.Widen(result);
  return result;
}

}  // namespace

std::vector<ShareInterval> EstimateShares(const ThresholdQuestion& question,
                                          const Confusion& confusion,
                                          std::int64_t draws,
                                          std::uint64_t seed) {
  base::Rng rng(seed, {base::Key("census_interval")});
  return question.groups.size() == 1
             ? EstimateOne(question.groups[0], confusion, draws, rng)
             : EstimateTwo(question, confusion, draws, rng);
}

}  // namespace sfumato::census
