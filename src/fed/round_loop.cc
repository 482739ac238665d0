#include "fed/round_loop.h"

#include <chrono>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "dp/mechanisms/clip.h"
#include "fed/release/run_ledger.h"
#include "fmt/format.h"

namespace sfumato::fed {
namespace {

void Check(const RoundParts& with, const RoundOptions& options) {
  if (!with.mechanism.protects() && !options.randomness.simulation) {
    throw Unsupported("training without privacy on private data", "algorithm",
                      "use dp_fedavg; or declare the data generated or public");
  }
  if (with.mechanism.protects() && with.ledger == nullptr) {
    throw BadInput("no ledger to enter the rounds in", "privacy.ledger",
                   "name the population's ledger");
  }
  if (options.rounds < 1 || options.first_round < 0) {
    throw BadInput(fmt::format("{} rounds", options.rounds), "rounds",
                   "give 1 or more");
  }
}

std::size_t Dimension(const Algorithm& algorithm) {
  return static_cast<std::size_t>(algorithm.Broadcast().numel());
}

// Draws the cohort and adds up what it learnt. Nothing was released yet, so
// Ctrl-C finds the algorithm as the last round left it.
CohortFacts TrainCohort(const RoundParts& with, const RoundOptions& options,
                        std::int64_t round, dp::ClippedSum& sum) {
  const auto key = static_cast<std::uint64_t>(round);
  dp::BitStream bits = CohortBits(options.randomness, key);
  const std::vector<std::int64_t> users = DrawCohort(
      with.mechanism.Event("").sampling, with.examples.users(), bits);
  const std::vector<double> weights =
      WeightsOf(options.weighting, users, with.examples);
  try {
    base::CheckInterrupted();
    return with.cohort.Train(with.algorithm, key, users, weights, sum);
  } catch (const base::Interrupted&) {
    with.observer.Interrupted(with.algorithm);
    throw;
  }
}

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace

std::int64_t RunRounds(const RoundParts& with, const RoundOptions& options) {
  Check(with, options);
  MeanMechanism& mechanism = with.mechanism;
  RunLedger ledger(mechanism.protects() ? with.ledger : nullptr,
                   {.run = options.run,
                    .population = options.population,
                    .randomness = options.randomness,
                    .rounds = options.rounds,
                    .first_round = options.first_round,
                    .spare_rounds = options.spare_rounds},
                   mechanism.Event(""));

  for (std::int64_t round = options.first_round; round < options.rounds;
       ++round) {
    const auto start = std::chrono::steady_clock::now();
    RoundReport report{.done = round + 1,
                       .rounds = options.rounds,
                       .clip_norm = mechanism.clip_norm(),
                       .noise_deviation = mechanism.noise_deviation()};

    const std::string draw = ledger.CohortOf(round);
    dp::ClippedSum sum = mechanism.EmptySum(Dimension(with.algorithm), draw);
    report.simulation_only.facts = TrainCohort(with, options, round, sum);

    // The cost is on disk before anyone sees the value. A crash in between
    // repeats the round and counts it twice, never zero times.
    Entered entered = ledger.Enter(round, mechanism.Event(draw));
    report.ledger_head = entered.ledger_head();

    const dp::Released<std::vector<float>> mean =
        mechanism.Release(std::move(sum), entered.noise());
    with.algorithm.Absorb(mean);

    report.released = ledger.released();
    report.mean_norm = dp::NormOf(mean.value());
    report.share_within = mechanism.share_within();
    report.next_clip_norm = mechanism.clip_norm();
    report.simulation_only.seconds = SecondsSince(start);
    with.observer.AfterRound(report, with.algorithm);
  }
  ledger.Finish();
  return ledger.released();
}

}  // namespace sfumato::fed
