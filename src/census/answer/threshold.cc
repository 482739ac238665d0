#include "census/answer/threshold.h"

#include <algorithm>
#include <cmath>

namespace sfumato::census {
namespace {

constexpr double kForUsers = 0.1;  // of the level: how many users there are
constexpr double kForTails = 0.9;  // beside a placebo half of it bounds rates

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
  }
  // Everybody marks something, so there are at most as many users as marks; a
  // number that was given may be too small.
  if (!two()) {
    for (const double count : first.counts) users_high_ += count;
    users_high_ =
        std::max(0.0, users_high_) +
        static_cast<double>(ThresholdOf(
            noise_,
            SumOf(noise_, static_cast<std::int64_t>(confusion.cells()) - 1),
            kForUsers * question.level));
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

Thresholds::Laws Thresholds::NullOfOne(std::size_t cell,
                                       const Tried& healthy) const {
  const std::int64_t worth = WorthOf(healthy, cell);
  const auto hits =
      Whole(static_cast<double>(healthy.votes[cell]) *
            static_cast<double>(worth) / static_cast<double>(healthy.users));
  return {.a = NextLaw(users_high_, hits, worth), .b = noise_};
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

// `more`: the second group is the one that may have more.
const Difference& Thresholds::DifferenceAt(bool more, double chance) const {
  const auto found = differences_.find({more, chance});
  if (found != differences_.end()) return found->second;
  const GroupCounts& many = question_.groups[more ? 1 : 0];
  const GroupCounts& few = question_.groups[more ? 0 : 1];
  return differences_
      .emplace(std::pair{more, chance},
               Difference({.few = few.users,
                           .many = many.users,
                           .noise = many.noise,
                           .users_noise = many.summed ? all_noise_ : CountLaw{},
                           .chance = chance}))
      .first->second;
}

// Half of the chance is for what leaks, where anything does.
double Thresholds::OfTwo(std::size_t cell, const std::vector<Leak>& leaks,
                         bool more, double chance) const {
  const std::vector<GroupCounts>& groups = question_.groups;
  const double ratio = groups[1].users / groups[0].users;
  double leaked = 0;
  if (!leaks.empty()) {
    chance /= 2;
    // Leaks are users of the second group.
    CountLaw law;
    for (const Leak& leak : leaks) {
      law = Sum(law, BinomialLaw((more ? 1 : 1 / ratio) * leak.users,
                                 std::clamp(leak.rate, 0.0, 1.0)));
    }
    leaked = static_cast<double>(ThresholdOf(law, CountLaw{}, chance));
  }
  const double few = groups[more ? 0 : 1].counts[cell];
  const double count = DifferenceAt(more, chance).LeastCount(few, leaked);
  return more ? count - ratio * few : ratio * count - few;
}

double Thresholds::Of(std::size_t cell, const std::vector<Leak>& leaks,
                      bool more, std::optional<double> chance) const {
  const bool beside = !question_.placebo.empty();
  if (two() && !beside) {
    return OfTwo(cell, leaks, more, chance.value_or(each_));
  }
  CountLaw leaked;
  for (const Leak& leak : leaks) {
    leaked =
        Sum(leaked, BinomialLaw(leak.users, std::clamp(leak.rate, 0.0, 1.0)));
  }
  const auto above = [&](const Laws& laws) {
    return ThresholdOf(Sum(laws.a, leaked), laws.b, chance.value_or(each_));
  };
  if (beside) return static_cast<double>(above(NullBeside(cell, more)));
  const std::span<const Tried> kinds = confusion_.TriedOf(0);
  if (kinds.empty()) {  // no healthy user marks the cell
    return static_cast<double>(above({.a = CountLaw{}, .b = noise_}));
  }
  // Nobody knows of which kind healthy users are: all may be of the one that
  // marks the cell most.
  std::int64_t most = 0;
  for (const Tried& healthy : kinds) {
    most = std::max(most, above(NullOfOne(cell, healthy)));
  }
  return static_cast<double>(most);
}

double Thresholds::Hidden(std::size_t cell, bool more, double chance) const {
  const NoiseLaw& noise = question_.groups[0].noise;
  return std::max(0.0,
                  two() ? Of(cell, {}, more, chance)
                        : static_cast<double>(QuantileOf(noise, 1 - chance)));
}

double Thresholds::LeastSeen(std::size_t cell, double threshold,
                             double probability) const {
  // Of the strength that voters notice least.
  double right = 1;
  for (const Tried& tried : confusion_.TriedOf(cell)) {
    right = std::min(right, static_cast<double>(tried.votes[cell]) /
                                static_cast<double>(tried.users));
  }
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
