#include "dp/mechanisms/noisy_vote.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

constexpr std::int64_t kStepsPerPart = std::int64_t{1} << 26;

NoisyVoteOptions Checked(NoisyVoteOptions options) {
  if (options.classes < 2) {
    throw BadInput(fmt::format("a vote over {} classes", options.classes),
                   "classes", "give two or more");
  }
  if (options.neighbours < 0 || options.neighbours > (1 << 20)) {
    throw BadInput(fmt::format("{} neighbours", options.neighbours),
                   "neighbours", "give 0 to 2^20");
  }
  return options;
}

double Deviation(double sigma, std::int64_t parts) {
  const double deviation = sigma * static_cast<double>(parts * kStepsPerPart);
  if (!(deviation >= GridGaussian::kLeastDeviation &&
        deviation <= GridGaussian::kMostDeviation)) {
    throw BadInput(fmt::format("sigma {}", sigma), "sigma",
                   "give a number from 0.25 to 2^22");
  }
  return deviation;
}

// Adds an agent's vote in whole parts, or nothing when it is not a vote.
void AddVote(std::span<const float> shares, std::int64_t parts,
             std::span<std::int64_t> tally) {
  std::int64_t left = parts;
  for (const float share : shares) {
    if (!(share >= 0 && share <= 1)) return;  // NaN is neither
    left -=
        std::lround(static_cast<double>(share) * static_cast<double>(parts));
    if (left < 0) return;
  }
  for (std::size_t c = 0; c < shares.size(); ++c) {
    tally[c] += kStepsPerPart * std::lround(static_cast<double>(shares[c]) *
                                            static_cast<double>(parts));
  }
}

}  // namespace

NoisyVote::NoisyVote(NoisyVoteOptions options)
    : options_(Checked(std::move(options))),
      parts_(std::max<std::int64_t>(1, options_.neighbours)),
      gaussian_(Deviation(options_.sigma, parts_)) {
  Event();  // throws when it cannot be accounted
}

dp::Event NoisyVote::Event() const {
  const bool agent = options_.level == Vote::Level::kAgent;
  return EventOf(Vote{.sigma = options_.sigma,
                      .level = options_.level,
                      .neighbours = options_.neighbours},
                 {.adjacency = options_.adjacency,
                  .unit = agent ? Unit::kUser : Unit::kExample,
                  .population = options_.population},
                 "");
}

Released<std::int64_t> NoisyVote::Release(std::span<const float> votes,
                                          NoiseSource& noise) const {
  const auto classes = static_cast<std::size_t>(options_.classes);
  if (votes.size() % classes != 0) {
    throw BadInput(fmt::format("{} shares of votes over {} classes",
                               votes.size(), classes),
                   "votes", "give a row for each agent");
  }
  std::vector<std::int64_t> tally(classes);
  for (std::size_t i = 0; i < votes.size(); i += classes) {
    AddVote(votes.subspan(i, classes), parts_, tally);
  }
  gaussian_.AddTo(tally, noise);
  const std::int64_t winner = std::ranges::max_element(tally) - tally.begin();
  return {ReleaseKey(), winner, Event(), noise.simulated()};
}

}  // namespace sfumato::dp
