#include "census/answer/threshold.h"

#include <algorithm>
#include <cmath>

namespace sfumato::census {
namespace {

using Eigen::Index;

constexpr double kForUsers = 0.1;  // of the level: how many users there are
constexpr double kForTails = 0.9;  // beside a placebo half of it bounds rates

// Of a user: what is expected less exactly than that moves no whole count.
constexpr double kMovesNothing = 0.25;

std::int64_t Whole(double value) {
  return static_cast<std::int64_t>(std::ceil(value));
}

}  // namespace

Thresholds::Thresholds(const ThresholdQuestion& question,
                       const Confusion& confusion)
    : question_(question), confusion_(confusion) {
  const auto tests =
      static_cast<double>(question.cells_tested) * (two() ? 2 : 1);
  each_ = kForTails * question.level / tests;
  if (!question.placebo.empty()) each_ /= 2;
  const GroupCounts& first = question.groups[0];
  noise_ = LawOf(first.noise);
  const bool summed = std::ranges::any_of(
      question.groups, [](const GroupCounts& group) { return group.summed; });
  if (summed) {
    all_noise_ =
        SumOf(noise_, static_cast<std::int64_t>(confusion.cells()) - 1);
    all_deviation_ = std::sqrt(static_cast<double>(confusion.cells()) - 1) *
                     DeviationOf(first.noise);
  }
  users_high_ = std::max(0.0, first.users);
  if (!two() && first.summed) {
    users_high_ += static_cast<double>(
        ThresholdOf(noise_, all_noise_, kForUsers * question.level));
  }
}

double Thresholds::StatisticOf(std::size_t cell) const {
  const auto difference = [&](const std::vector<GroupCounts>& groups) {
    const double users = question_.groups[1].users;
    return users / groups[1].users * groups[1].counts[cell] -
           users / groups[0].users * groups[0].counts[cell];
  };
  if (!two()) return question_.groups[0].counts[cell];
  return difference(question_.groups) -
         (question_.placebo.empty() ? 0 : difference(question_.placebo));
}

double Thresholds::BaseRate(std::size_t cell) const {
  const Tried& healthy = confusion_.Healthy();
  if (healthy.users <= 0) return 0;
  return static_cast<double>(healthy.votes[cell]) /
         static_cast<double>(healthy.users);
}

// Beside a placebo there are four rates, each bounded by its own count. The law
// is widest at one half.
double Thresholds::RateBound(const GroupCounts& group, std::size_t cell) const {
  const double count = group.counts[cell];
  const double high = UpperBound(count, group.users, LawOf(group.noise),
                                 question_.placebo.empty() ? each_ : each_ / 4);
  return std::clamp(std::max(std::min(high, 0.5), count / group.users), 0.0,
                    1.0);
}

// weight · (count + rate · the noise in the number of users), rounded up. The
// count's own noise is in that number, too, and makes it less; that is left
// out.
CountLaw Thresholds::Term(const GroupCounts& group, double rate,
                          double weight) const {
  CountLaw law = Sum(BinomialLaw(group.users, rate), LawOf(group.noise));
  if (group.summed && group.noise.kind != NoiseKind::kNone) {
    law = Sum(law, ScaledUp(all_noise_, weight < 0 ? -rate : rate));
  }
  return ScaledUp(law, weight);
}

// The law of the count of the group that may have more.
Thresholds::Laws Thresholds::NullOf(std::size_t cell, bool more) const {
  if (!two()) {
    const Tried& healthy = confusion_.Healthy();
    return {.a = NextLaw(users_high_, healthy.votes[cell], healthy.users),
            .b = noise_};
  }
  const GroupCounts& high = question_.groups[more ? 1 : 0];
  const GroupCounts& low = question_.groups[more ? 0 : 1];
  Laws laws{.a = NextLaw(high.users, low.counts[cell], low.users, low.noise),
            .b = noise_};
  if (high.summed) {
    // What is not known of the numbers of users moves what is expected.
    const double rate = std::clamp(low.counts[cell] / low.users, 0.0, 1.0);
    const double most = rate * std::max(1.0, high.users / low.users);
    if (most * all_deviation_ > kMovesNothing) {
      laws.b = Sum(laws.b, ScaledUp(Sum(all_noise_, all_noise_), most));
    }
  }
  return laws;
}

Thresholds::Laws Thresholds::NullBeside(std::size_t cell, bool more) const {
  const std::vector<GroupCounts>& groups = question_.groups;
  const std::vector<GroupCounts>& placebo = question_.placebo;
  const double sign = more ? 1 : -1;
  const double users = groups[1].users;
  const double rates[] = {RateBound(groups[0], cell),
                          RateBound(groups[1], cell)};
  Laws laws{.a = Term(groups[1], rates[1], sign),
            .b = Term(groups[0], rates[0], -sign * users / groups[0].users)};
  double mean = rates[1] - rates[0];
  for (std::size_t side = 0; side < placebo.size(); ++side) {
    const double base = RateBound(placebo[side], cell);
    const double weight = side == 1 ? -sign : sign;
    laws.b = Sum(laws.b, Term(placebo[side], base,
                              weight * users / placebo[side].users));
    mean += weight * sign * base;
  }
  // Where nothing is wrong the sides differ as they do in the placebo: the
  // bounds say how wide the law is, not where it lies.
  laws.a.first -= static_cast<std::int64_t>(std::floor(sign * users * mean));
  return laws;
}

double Thresholds::Of(std::size_t cell, const std::vector<Leak>& leaks,
                      bool more, std::optional<double> chance) const {
  const bool beside = !question_.placebo.empty();
  Laws laws = beside ? NullBeside(cell, more) : NullOf(cell, more);
  const double ratio =
      two() ? question_.groups[1].users / question_.groups[0].users : 1;
  // Leaks are users of the second group.
  const double unit = two() && !beside && !more ? 1 / ratio : 1;
  for (const Leak& leak : leaks) {
    laws.a = Sum(laws.a, BinomialLaw(unit * leak.users,
                                     std::clamp(leak.rate, 0.0, 1.0)));
  }
  const auto count =
      static_cast<double>(ThresholdOf(laws.a, laws.b, chance.value_or(each_)));
  if (!two() || beside) return count;
  const std::vector<GroupCounts>& groups = question_.groups;
  return more ? count - ratio * groups[0].counts[cell]
              : ratio * count - groups[1].counts[cell];
}

double Thresholds::LeastSeen(std::size_t cell, double threshold,
                             double probability) const {
  const auto at = static_cast<Index>(cell);
  const double right = confusion_.Mean()(at, at);
  const GroupCounts& last = question_.groups.back();
  const double users = std::floor(std::max(0.0, last.users));
  double base = BaseRate(cell);
  CountLaw rest = noise_;
  if (two()) {
    base = 1;
    for (const GroupCounts& group : question_.groups) {
      base = std::min(base, std::max(0.0, group.counts[cell]) / group.users);
    }
    rest = Term(question_.groups[0], base,
                -last.users / question_.groups[0].users);
    rest =
        Sum(rest, Term({.users = 0, .summed = last.summed, .noise = last.noise},
                       base, 1));
    for (std::size_t side = 0; side < question_.placebo.size(); ++side) {
      rest = Sum(rest, Term(question_.placebo[side], base,
                            (side == 1 ? -1 : 1) * last.users /
                                question_.placebo[side].users));
    }
  }
  const auto seen = [&](double damaged) {
    const CountLaw votes =
        Sum(BinomialLaw(damaged, right), BinomialLaw(users - damaged, base));
    return TailFrom(votes, rest, threshold) >= probability;
  };
  if (users < 1 || !seen(users)) return 2 * std::max(1.0, users);
  std::int64_t low = 0;
  std::int64_t high = Whole(users);
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (seen(static_cast<double>(middle)) ? high : low) = middle;
  }
  return static_cast<double>(high);
}

}  // namespace sfumato::census
