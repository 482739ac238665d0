// Made-up censuses for tests: voters, reference users and counts of a seed.

#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "census/answer/calibration.h"
#include "census/answer/census_answer.h"
#include "fmt/format.h"

namespace sfumato::census {

// How voters truly answer: [state][strength][cell], of the calibration's cells.
struct TrueVoter {
  std::size_t families = 22;
  std::vector<double> healthy = {};  // [cell]
  std::vector<std::vector<std::vector<double>>> rates =
      {};  // [family][k][cell]

  std::size_t cells() const { return families + 3; }
};

inline std::size_t DrawCell(const std::vector<double>& rates, base::Rng& rng) {
  double left = rng.Uniform();
  for (std::size_t a = 0; a + 1 < rates.size(); ++a) {
    left -= rates[a];
    if (left < 0) return a;
  }
  return rates.size() - 1;
}

// Healthy users are taken for a family with `base` in all; users with a damage
// are named rightly with 95 to 99 %, otherwise for their neighbour or healthy.
inline TrueVoter MakeVoter(double base, base::Rng& rng,
                           std::size_t families = 22) {
  TrueVoter voter{.families = families};
  const std::vector<double> parts =
      rng.Dirichlet(static_cast<int>(families) + 1, 0.3);
  voter.healthy.assign(voter.cells(), 0);
  voter.healthy[0] = 1 - base;
  for (std::size_t f = 0; f <= families; ++f) {
    voter.healthy[f + 1] = base * parts[f];
  }
  for (std::size_t f = 0; f < families; ++f) {
    voter.rates.emplace_back();
    const std::size_t strengths = 1 + rng.Below(4);
    for (std::size_t k = 0; k < strengths; ++k) {
      std::vector<double> row(voter.cells(), 0);
      const double right = rng.Uniform(0.95, 0.99);
      row[f + 1] = right;
      row[1 + (f + 1) % families] = 0.6 * (1 - right);
      row[0] = 0.4 * (1 - right);
      voter.rates.back().push_back(row);
    }
  }
  return voter;
}

inline std::vector<std::int64_t> Votes(const std::vector<double>& rates,
                                       std::int64_t users, base::Rng& rng) {
  std::vector<std::int64_t> votes(rates.size(), 0);
  for (std::int64_t i = 0; i < users; ++i) ++votes[DrawCell(rates, rng)];
  return votes;
}

// Reference users of the voter: `healthy` without damage, `each` for every
// strength.
inline Calibration Calibrate(const TrueVoter& voter, base::Rng& rng,
                             std::int64_t healthy = 1500,
                             std::int64_t each = 60) {
  Calibration calibration{
      .cells = {{.key = kAsItShouldBe, .words = "as it should be"}}};
  calibration.states.push_back(
      {.key = kAsItShouldBe,
       .tried = {
           {.users = healthy, .votes = Votes(voter.healthy, healthy, rng)}}});
  for (std::size_t f = 0; f < voter.families; ++f) {
    const std::string key = fmt::format("family_{}", f);
    calibration.cells.push_back({.key = key, .words = "damaged by " + key});
    State state{.key = key};
    for (const std::vector<double>& rates : voter.rates[f]) {
      state.tried.push_back({.values = fmt::format("{}", state.tried.size()),
                             .users = each,
                             .votes = Votes(rates, each, rng)});
    }
    calibration.states.push_back(state);
  }
  calibration.cells.push_back({.key = kNoneOfThese, .words = "none of these"});
  calibration.cells.push_back({.key = kCannotTell, .words = "cannot tell"});
  return calibration;
}

// One group: `damaged` users of `users` have the family, each with a strength
// of their own, or all with `strength`.
struct GroupMade {
  std::int64_t users = 600;
  std::int64_t damaged = 0;
  std::size_t family = 0;
  int strength = -1;
};
inline std::vector<double> Census(const TrueVoter& voter,
                                  const GroupMade& group, const NoiseLaw& noise,
                                  base::Rng& rng) {
  std::vector<double> counts(voter.cells(), 0);
  for (std::int64_t i = 0; i < group.users; ++i) {
    if (i < group.damaged) {
      const auto& strengths = voter.rates[group.family];
      const std::size_t k = group.strength >= 0
                                ? static_cast<std::size_t>(group.strength)
                                : rng.Below(strengths.size());
      ++counts[DrawCell(strengths[k % strengths.size()], rng)];
    } else {
      ++counts[DrawCell(voter.healthy, rng)];
    }
  }
  for (double& count : counts) {
    count += static_cast<double>(Draw(noise, rng));
  }
  return counts;
}

}  // namespace sfumato::census
