#include "fed/release/run_ledger.h"

#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "fmt/format.h"

namespace sfumato::fed {
namespace {

std::vector<dp::Event> Times(const dp::Event& round, std::int64_t count) {
  dp::Event event = round;
  event.cohort.clear();
  event.count = count;
  return {event};
}

}  // namespace

RunLedger::RunLedger(dp::Ledger* ledger, const RunLedgerOptions& options,
                     const dp::Event& round)
    : ledger_(ledger),
      options_(options),
      released_(options.first_round),
      nonce_(NonceFor(options.randomness)) {
  if (ledger_ == nullptr) return;
  dp::RequireProtection(round);
  std::int64_t released = 0;
  for (const dp::RunPart& part : ledger_->PartsOf(options_.run)) {
    released += CountOf(part.run.released);
    parts_.push_back({.name = part.name, .left = CountOf(part.run.reserved)});
  }
  if (released < options_.first_round) {
    throw Corrupt(
        fmt::format("the ledger has {} releases of run '{}' where its "
                    "checkpoint has {} rounds",
                    released, options_.run, options_.first_round),
        "ledger", "an older ledger was put back: restore the right one");
  }
  if (options_.randomness.simulation) {
    ReserveSimulation(round);
    return;
  }
  // Rounds that were released and are in no checkpoint; each process that
  // repeats some gets a higher number than those before it.
  attempt_ = released - options_.first_round;
  released_ = released;
  Reserve(round);
}

// A finished run has entered all its rounds; entering one again changes
// nothing.
void RunLedger::ReserveSimulation(const dp::Event& round) {
  const auto before = ledger_->FindRun(options_.run);
  if (before && before->finished) return;
  ledger_->Reserve(options_.run, options_.population,
                   Times(round, options_.rounds));
}

void RunLedger::Reserve(const dp::Event& round) {
  const std::int64_t needed = options_.rounds - options_.first_round;
  std::int64_t reserved = 0;
  for (const Part& part : parts_) reserved += part.left;
  if (needed <= reserved) return;
  const std::int64_t missing =
      parts_.empty() ? needed + options_.spare_rounds : needed - reserved;
  try {
    parts_.push_back(
        {.name = ledger_->ReserveMore(options_.run, options_.population,
                                      Times(round, missing)),
         .left = missing});
  } catch (const Error& error) {
    if (parts_.empty() || error.kind() != ErrorKind::kBudgetSpent) throw;
    throw Error(error.kind(),
                fmt::format("rounds to come: {}; reserved: {}, since rounds "
                            "that were lost and repeated are paid twice; {}",
                            needed, reserved, error.what()),
                error.where(),
                fmt::format("end at round {} with what is reserved",
                            options_.first_round + reserved));
  }
}

std::string RunLedger::CohortOf(std::int64_t round) const {
  std::string draw = fmt::format("{}/{}", options_.run, round);
  if (!options_.randomness.simulation) draw += fmt::format("/{}", attempt_);
  return CohortId(draw, options_.randomness, nonce_);
}

Entered RunLedger::Enter(std::int64_t round, const dp::Event& event) {
  ++released_;
  const Entered::Stream stream = {base::Key("noise"),
                                  static_cast<std::uint64_t>(round)};
  if (ledger_ == nullptr) return Entered(options_.randomness, stream);
  std::string name = options_.run;
  if (!options_.randomness.simulation) {
    Part& part = PartWithRoundsLeft();
    --part.left;
    name = part.name;
  }
  return Entered(*ledger_, {.run = name, .round = round, .attempt = attempt_},
                 event, options_.randomness, stream);
}

// The last one when none has: the ledger then refuses the round.
RunLedger::Part& RunLedger::PartWithRoundsLeft() {
  const auto found = std::ranges::find_if(
      parts_, [](const Part& part) { return part.left > 0; });
  return found == parts_.end() ? parts_.back() : *found;
}

void RunLedger::Finish() {
  if (ledger_ != nullptr) ledger_->FinishParts(options_.run);
}

}  // namespace sfumato::fed
