#include "bench/census_simulation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/random.h"
#include "census/answer/noise_law.h"

namespace sfumato::bench {
namespace {

using census::Design;

// Who is asked: damaged users, then healthy ones.
struct Asked {
  std::vector<std::size_t> damaged = {};
  std::vector<std::size_t> healthy = {};
};

Asked DrawAsked(const TakenVotes& votes, const SimulatedCensus& setup,
                base::Rng& rng) {
  const auto damaged = static_cast<std::size_t>(setup.damaged());
  const std::size_t healthy = static_cast<std::size_t>(setup.users) - damaged;
  Asked asked;
  if (setup.Resamples(votes)) {
    for (std::size_t i = 0; i < damaged; ++i) {
      asked.damaged.push_back(rng.Below(votes.damaged.size()));
    }
    for (std::size_t i = 0; i < healthy; ++i) {
      asked.healthy.push_back(rng.Below(votes.healthy.size()));
    }
    return asked;
  }
  asked.damaged.resize(votes.damaged.size());
  std::iota(asked.damaged.begin(), asked.damaged.end(), 0);
  rng.Shuffle(std::span(asked.damaged));
  asked.damaged.resize(damaged);
  std::vector<bool> taken(votes.healthy.size());
  for (const std::size_t user : asked.damaged) taken[user] = true;
  for (std::size_t user = 0; user < taken.size(); ++user) {
    if (!taken[user]) asked.healthy.push_back(user);
  }
  rng.Shuffle(std::span(asked.healthy));
  asked.healthy.resize(healthy);
  return asked;
}

census::Counts CountsOf(const TakenVotes& votes, const SimulatedCensus& setup,
                        const census::Calibration& calibration,
                        base::Rng& rng) {
  const std::size_t groups = setup.design == Design::kEverybody ? 1 : 2;
  // A user more is as many marks more; the cheaper noise of a plan for small ε.
  census::Counts counts{
      .counts =
          std::vector(groups, std::vector<double>(calibration.cells.size())),
      .noise = {
          .kind = census::NoiseKind::kLaplace,
          .parameter = static_cast<double>(calibration.marks) / setup.epsilon}};
  const Asked asked = DrawAsked(votes, setup, rng);
  const auto add = [](const std::vector<std::int64_t>& marks,
                      std::vector<double>& group) {
    for (const std::int64_t cell : marks) {
      ++group[static_cast<std::size_t>(cell)];
    }
  };
  for (const std::size_t user : asked.damaged) {
    add(votes.damaged[user], counts.counts.back());
  }
  for (std::size_t i = 0; i < asked.healthy.size(); ++i) {
    const bool first =
        groups == 2 && 2 * i < static_cast<std::size_t>(setup.users);
    add(votes.healthy[asked.healthy[i]],
        first ? counts.counts.front() : counts.counts.back());
  }
  for (std::vector<double>& group : counts.counts) {
    for (double& count : group) {
      count += static_cast<double>(census::Draw(counts.noise, rng));
    }
  }
  if (calibration.marks > 1) {
    counts.asked.assign(
        groups, static_cast<double>(setup.users) / static_cast<double>(groups));
  }
  return counts;
}

CensusTally Judge(const census::CensusAnswer& answer,
                  const SimulatedCensus& setup) {
  const std::size_t none = answer.answers.size() - 2;
  CensusTally tally{.censuses = 1};
  tally.differs = answer.verdict == census::CensusVerdict::kDiffers;
  tally.cannot_say = answer.verdict == census::CensusVerdict::kCannotSay;
  tally.none = answer.answers[none].supported;
  tally.open = tally.none + tally.cannot_say > 0;
  bool named = setup.nameable && !setup.right.empty();
  bool covered = named;
  for (const std::size_t cell : setup.right) {
    const census::CellAnswer& one = answer.answers[cell];
    const bool supported = one.supported && one.share > 0;
    if (supported) tally.partly = 1;
    named = named && supported;
    covered = covered && one.low <= setup.share && setup.share <= one.high;
  }
  tally.named = named;
  tally.covered = covered;
  for (std::size_t a = 1; a < none; ++a) {
    const census::CellAnswer& one = answer.answers[a];
    const bool right = std::ranges::find(setup.right, a) != setup.right.end();
    if (!one.supported || (right && one.share > 0)) continue;
    tally.wrong = 1;
    tally.wrong_names.push_back(one.key);
  }
  return tally;
}

}  // namespace

void CensusTally::Add(const CensusTally& other) {
  censuses += other.censuses;
  differs += other.differs;
  cannot_say += other.cannot_say;
  named += other.named;
  partly += other.partly;
  covered += other.covered;
  none += other.none;
  open += other.open;
  wrong += other.wrong;
  wrong_names.insert(wrong_names.end(), other.wrong_names.begin(),
                     other.wrong_names.end());
}

std::int64_t SimulatedCensus::damaged() const {
  const double whole = static_cast<double>(users);
  return std::llround(share *
                      (design == Design::kEverybody ? whole : whole / 2));
}

bool SimulatedCensus::Resamples(const TakenVotes& votes) const {
  return damaged() > std::ssize(votes.damaged) ||
         users > std::ssize(votes.healthy);
}

CensusTally Simulate(const TakenVotes& votes, const SimulatedCensus& setup,
                     const census::Calibration& calibration,
                     base::WorkerPool& pool) {
  std::vector<CensusTally> tallies(static_cast<std::size_t>(setup.censuses));
  pool.Run(tallies.size(), [&](int, std::size_t i) {
    base::Rng rng(setup.seed, {base::Key("census"), i});
    const census::CensusAnswer answer = census::AnswerOf(
        CountsOf(votes, setup, calibration, rng), calibration,
        {.design = setup.design, .alike = setup.alike, .seed = rng()});
    tallies[i] = Judge(answer, setup);
  });
  CensusTally all;
  for (const CensusTally& tally : tallies) all.Add(tally);
  return all;
}

}  // namespace sfumato::bench
