#include "fed/sampling.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <unordered_set>

#include "base/error.h"
#include "base/portable_math.h"
#include "base/random.h"
#include "base/secure_random.h"
#include "dp/accounting/overloaded.h"
#include "fmt/format.h"

namespace sfumato::fed {
namespace {

constexpr double kLeastRate = 0x1p-40;
constexpr double kRateMargin = 0x1p-44;

std::vector<std::int64_t> Everyone(std::int64_t users) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(users));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// How many users are passed over before the next one is drawn is geometric.
// Gaps are drawn up to 1 / rate only and a longer one continues with a new
// draw, so that chances are ratios of numbers between 1/4 and 1. A user's own
// chance then errs by less than 4e-14: twice 1e-14 times log 4 for the
// logarithm of the uniform number, whose own grain is 2^-53. That is below the
// margin.
std::vector<std::int64_t> PoissonCohort(double rate, std::int64_t users,
                                        dp::BitStream& bits) {
  if (!(rate >= kLeastRate && rate <= 1)) {
    throw BadInput(fmt::format("sampling rate {}", rate), "rate",
                   "give a number above 0 and at most 1");
  }
  if (rate == 1) return Everyone(users);
  const double log_missed = base::PortableLog(1 - (rate - kRateMargin));
  const auto longest = static_cast<std::int64_t>(1 / rate);
  std::vector<std::int64_t> drawn;
  for (std::int64_t user = 0; user < users;) {
    const double gap = base::PortableLog(1 - bits.Uniform()) / log_missed;
    if (gap >= static_cast<double>(longest)) {
      user += longest;
      continue;
    }
    user += static_cast<std::int64_t>(gap);
    if (user < users) drawn.push_back(user++);
  }
  return drawn;
}

// Floyd's algorithm: Bentley and Floyd 1987, "A sample of brilliance".
std::vector<std::int64_t> FixedCohort(const dp::FixedSize& sampling,
                                      std::int64_t users, dp::BitStream& bits) {
  if (sampling.population != users || sampling.cohort < 1 ||
      sampling.cohort > users) {
    throw BadInput(fmt::format("{} of {} users, where there are {}",
                               sampling.cohort, sampling.population, users),
                   "cohort", "draw no more than there are");
  }
  std::unordered_set<std::int64_t> drawn;
  for (std::int64_t last = users - sampling.cohort; last < users; ++last) {
    const auto user = static_cast<std::int64_t>(
        dp::UniformBelow(static_cast<dp::Wide>(last) + 1, bits));
    if (!drawn.insert(user).second) drawn.insert(last);
  }
  std::vector<std::int64_t> sorted(drawn.begin(), drawn.end());
  std::ranges::sort(sorted);
  return sorted;
}

}  // namespace

dp::BitStream CohortBits(const Randomness& randomness, std::uint64_t round) {
  if (randomness.simulation) {
    return dp::BitStream(
        base::Rng(randomness.seed, {base::Key("cohort"), round}));
  }
  return dp::BitStream(std::make_unique<base::SecureRandom>());
}

std::vector<std::int64_t> DrawCohort(const dp::Sampling& sampling,
                                     std::int64_t users, dp::BitStream& bits) {
  return std::visit(
      dp::Overloaded{
          [&](const dp::All&) { return Everyone(users); },
          [&](const dp::Poisson& s) {
            return PoissonCohort(s.rate, users, bits);
          },
          [&](const dp::FixedSize& s) { return FixedCohort(s, users, bits); },
          [](const dp::Revealed&) -> std::vector<std::int64_t> {
            throw Unsupported("a cohort that everybody may know", "sampling",
                              "draw by poisson, fixed or everyone");
          }},
      sampling);
}

std::vector<double> WeightsOf(const Weighting& weighting,
                              std::span<const std::int64_t> users,
                              const models::Examples& examples) {
  std::vector<double> weights(users.size(), 1.0);
  if (!weighting.by_examples) return weights;
  if (!(weighting.cap >= 1 && std::isfinite(weighting.cap))) {
    throw BadInput(fmt::format("weights capped at {} examples", weighting.cap),
                   "weight_cap", "give a number of examples, 1 or more");
  }
  for (std::size_t i = 0; i < users.size(); ++i) {
    const auto size = static_cast<double>(examples.user_size(users[i]));
    weights[i] = std::min(size, weighting.cap) / weighting.cap;
  }
  return weights;
}

}  // namespace sfumato::fed
