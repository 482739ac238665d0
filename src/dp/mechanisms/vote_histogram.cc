#include "dp/mechanisms/vote_histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

constexpr std::uint64_t kStepsPerVote = 1 << 16;
constexpr std::int64_t kMostCells = std::int64_t{1} << 20;
constexpr std::uint64_t kMostPart = std::uint64_t{1} << 31;
// Beyond this many deviations nothing is left in a double.
constexpr double kReach = 40;

// 1 / scale, rounded up: what is entered is never below the truth.
double PureEpsilon(Rational scale) {
  const auto numerator = static_cast<double>(scale.numerator);
  const auto denominator = static_cast<double>(scale.denominator);
  double epsilon = denominator / numerator;
  if (std::fma(epsilon, numerator, -denominator) < 0) {
    epsilon = std::nextafter(epsilon, std::numeric_limits<double>::infinity());
  }
  return epsilon;
}

void CheckNoise(const DiscreteLaplaceNoise& noise) {
  const Rational& scale = noise.scale;
  if (scale.numerator == 0 || scale.denominator == 0 ||
      scale.numerator >= kMostPart || scale.denominator >= kMostPart) {
    throw BadInput(fmt::format("Laplace noise of scale {}/{}", scale.numerator,
                               scale.denominator),
                   "noise", "give a positive fraction with parts below 2^31");
  }
}
void CheckNoise(const DiscreteGaussianNoise& noise) {
  if (!(noise.deviation >= 0.1 && noise.deviation <= 0x1p25)) {
    throw BadInput(
        fmt::format("Gaussian noise of deviation {}", noise.deviation), "noise",
        "give a number from 0.1 to 2^25");
  }
}

// The square of the deviation, rounded up, so that what is entered is never
// more noise than there is.
DiscreteGaussianSampler SamplerOf(const DiscreteGaussianNoise& noise) {
  const double deviation = noise.deviation;
  double variance = deviation * deviation;
  if (std::fma(deviation, deviation, -variance) > 0) {
    variance =
        std::nextafter(variance, std::numeric_limits<double>::infinity());
  }
  return DiscreteGaussianSampler(ExactRational(variance));
}

Mechanism MechanismOf(const DiscreteLaplaceNoise& noise) {
  return Pure{.epsilon = PureEpsilon(noise.scale)};
}
Mechanism MechanismOf(const DiscreteGaussianNoise& noise) {
  return DiscreteGaussian{.noise_multiplier = noise.deviation};
}

void AddNoise(const DiscreteLaplaceNoise& noise, BitStream& bits,
              std::span<std::int64_t> counts) {
  for (std::int64_t& count : counts) {
    count = WrappingAdd(count, SampleDiscreteLaplace(noise.scale, bits));
  }
}
void AddNoise(const DiscreteGaussianNoise& noise, BitStream& bits,
              std::span<std::int64_t> counts) {
  const DiscreteGaussianSampler sampler = SamplerOf(noise);
  for (std::int64_t& count : counts) count = WrappingAdd(count, sampler(bits));
}

double Decay(const DiscreteLaplaceNoise& noise) {
  return std::exp(-static_cast<double>(noise.scale.denominator) /
                  static_cast<double>(noise.scale.numerator));
}

double Weight(const DiscreteGaussianNoise& noise, std::int64_t x) {
  const double at = static_cast<double>(x) / noise.deviation;
  return std::exp(-0.5 * at * at);
}
std::int64_t Farthest(const DiscreteGaussianNoise& noise) {
  return static_cast<std::int64_t>(std::ceil(kReach * noise.deviation)) + 1;
}

}  // namespace

std::int64_t CellsMoved(std::int64_t marks, Adjacency adjacency) {
  return adjacency == Adjacency::kAddRemove ? marks : 2 * marks;
}

DiscreteLaplaceNoise LaplaceNoiseFor(double epsilon, std::int64_t moved) {
  const auto cells = static_cast<double>(moved);
  if (moved < 1 || !(epsilon >= cells * 0x1p-14 && epsilon <= 100)) {
    throw BadInput(fmt::format("epsilon {:g} for votes that move {} counts",
                               epsilon, moved),
                   "epsilon",
                   fmt::format("give a number from {:g} to 100",
                               std::max(cells, 1.0) * 0x1p-14));
  }
  const double steps = cells * static_cast<double>(kStepsPerVote);  // exact
  double numerator = std::ceil(steps / epsilon);
  // moved / scale <= epsilon, whatever the division rounded to.
  while (std::fma(numerator, epsilon, -steps) < 0) ++numerator;
  return {.scale = {.numerator = static_cast<std::uint64_t>(numerator),
                    .denominator = kStepsPerVote}};
}

double DeviationOf(const VoteNoise& noise) {
  if (const auto* laplace = std::get_if<DiscreteLaplaceNoise>(&noise)) {
    const double decay = Decay(*laplace);
    return std::sqrt(2 * decay) / (1 - decay);
  }
  const auto& gaussian = std::get<DiscreteGaussianNoise>(noise);
  if (gaussian.deviation > 2) return gaussian.deviation;  // to 30 digits
  double total = 1;
  double squares = 0;
  for (std::int64_t x = 1; x <= Farthest(gaussian); ++x) {
    const double weight = 2 * Weight(gaussian, x);
    total += weight;
    squares += weight * static_cast<double>(x * x);
  }
  return std::sqrt(squares / total);
}

VoteHistogram::VoteHistogram(VoteHistogramOptions options)
    : options_(std::move(options)) {
  if (options_.cells < 1 || options_.cells > kMostCells) {
    throw BadInput(fmt::format("a vote over {} cells", options_.cells), "cells",
                   "declare 1 to 2^20");
  }
  if (options_.marks < 1 || options_.marks > options_.cells) {
    throw BadInput(
        fmt::format("{} marks in {} cells", options_.marks, options_.cells),
        "marks", "allow 1 up to the number of cells");
  }
  std::visit([](const auto& noise) { CheckNoise(noise); }, options_.noise);
  // Sampling would amplify the cells together, not one by one.
  if (!std::holds_alternative<All>(options_.participants.sampling)) {
    throw Unsupported("a vote of a sample of the users", "sampling",
                      "ask everybody");
  }
  Event("");  // throws when it cannot be accounted
}

dp::Event VoteHistogram::Event(std::string cohort) const {
  const Mechanism mechanism = std::visit(
      [](const auto& noise) { return MechanismOf(noise); }, options_.noise);
  dp::Event event =
      EventOf(mechanism, options_.participants, std::move(cohort));
  event.count = CellsMoved(options_.marks, options_.participants.adjacency);
  CheckEvent(event);
  return event;
}

Released<std::vector<std::int64_t>> VoteHistogram::Release(
    std::span<const std::vector<std::int64_t>> marks_of_units,
    std::string cohort, NoiseSource& noise) const {
  std::vector<std::int64_t> counts =
      CountVotes(marks_of_units, options_.cells, options_.marks);
  BitStream bits = noise.Stream(noise.NextDraw());
  std::visit([&](const auto& law) { AddNoise(law, bits, counts); },
             options_.noise);
  return {ReleaseKey(), std::move(counts), Event(std::move(cohort)),
          noise.simulated()};
}

std::vector<std::int64_t> CountVotes(
    std::span<const std::vector<std::int64_t>> marks_of_units,
    std::int64_t cells, std::int64_t marks) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(cells));
  std::vector<std::int64_t> own;
  for (const std::vector<std::int64_t>& marked : marks_of_units) {
    own.clear();
    for (const std::int64_t cell : marked) {
      if (static_cast<std::int64_t>(own.size()) == marks) break;
      if (cell < 0 || cell >= cells) continue;
      if (std::ranges::find(own, cell) != own.end()) continue;
      own.push_back(cell);
      ++counts[static_cast<std::size_t>(cell)];
    }
  }
  return counts;
}

}  // namespace sfumato::dp
