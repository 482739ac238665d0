#include "fed/run_ledger.h"

#include "base/error.h"
#include "base/secure_random.h"
#include "dp/ledger/run_parts.h"
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
    : ledger_(ledger), options_(options), released_(options.first_round) {
  if (ledger_ == nullptr) return;
  dp::RequireProtection(round);
  const std::int64_t released = FindParts();
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
  nonce_ = fmt::format("{:016x}", base::SecureRandom()());
  released_ = released;
  Reserve(round);
}

std::int64_t RunLedger::FindParts() {
  std::int64_t released = 0;
  for (const dp::RunPart& part : dp::PartsOf(*ledger_, options_.run)) {
    released += CountOf(part.run.released);
    parts_.push_back({.name = part.name,
                      .left = CountOf(part.run.reserved),
                      .finished = part.run.finished});
  }
  return released;
}

// A finished run has entered all its rounds; entering one again changes
// nothing.
void RunLedger::ReserveSimulation(const dp::Event& round) {
  if (!parts_.empty() && parts_.front().finished) return;
  ledger_->Reserve(options_.run, options_.population,
                   Times(round, options_.rounds));
  if (parts_.empty()) parts_.push_back({.name = options_.run});
}

void RunLedger::Reserve(const dp::Event& round) {
  const std::int64_t needed = options_.rounds - options_.first_round;
  std::int64_t reserved = 0;
  for (const Part& part : parts_) reserved += part.left;
  if (needed <= reserved) return;
  const std::int64_t missing =
      parts_.empty() ? needed + options_.spare_rounds : needed - reserved;
  const std::string name = dp::PartName(options_.run, parts_.size() + 1);
  try {
    ledger_->Reserve(name, options_.population, Times(round, missing));
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
  parts_.push_back({.name = name, .left = missing});
}

std::string RunLedger::CohortOf(std::int64_t round) const {
  if (options_.randomness.simulation) {
    return fmt::format("{}/{}/seed {}", options_.run, round,
                       options_.randomness.seed);
  }
  return fmt::format("{}/{}/{}/{}", options_.run, round, attempt_, nonce_);
}

std::string RunLedger::Enter(std::int64_t round, const dp::Event& event) {
  ++released_;
  if (ledger_ == nullptr) return "";
  Part* part = &parts_.front();
  if (!options_.randomness.simulation) {
    for (Part& each : parts_) {
      part = &each;
      if (each.left > 0) break;
    }
    --part->left;
  }
  return dp::ToText(ledger_->Release(
      {.run = part->name, .round = round, .attempt = attempt_}, event));
}

void RunLedger::Finish() {
  if (ledger_ == nullptr) return;
  for (Part& part : parts_) {
    if (!part.finished) ledger_->Finish(part.name);
    part.finished = true;
    part.left = 0;
  }
}

}  // namespace sfumato::fed
