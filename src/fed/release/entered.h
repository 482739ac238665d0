// The order in which users' contributions become a value that may be seen:
//
//   entry in the ledger, on disk → noise → dp::Released
//
// A round collects its updates before the entry; questions, words and votes
// come after it.
//
//   Entered entered(ledger, {.run = "first", .round = 3}, event, randomness,
//                   {base::Key("noise"), 3});       // the cost is on disk
//   const auto mean = mechanism.Release(std::move(sum), entered.noise());
//
// Rounds of training (run_ledger.h, fed/round_loop.cc), questions (survey.h),
// the choice of words (word_choice.h) and votes (vote_loop.h) follow it. Noise
// comes from an Entered, and making one is what enters the cost: noise cannot
// come first. A crash in between counts a release twice, never zero times.
//
// Questions, words and votes are entered before they are collected, so that a
// refused release touches nobody's data. A round trains its cohort first, since
// that takes long: a round that is interrupted released nothing and costs
// nothing.
//
// After a crash. In a simulation the same release again is the same draw with
// the same noise, and costs nothing more. Outside one it is a new release: it
// enters again under another attempt, part or run, and is paid for again.
//
// Another kind of release is one more file here that decides three things:
// which events it reserves, how it names its draws, and which mechanism makes
// the value.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "dp/accounting/event.h"
#include "dp/ledger/ledger.h"
#include "dp/mechanisms/noise.h"

namespace sfumato::fed {

// Where a run's randomness comes from: in a simulation from the seed, else from
// the operating system's entropy.
struct Randomness {
  bool simulation = false;
  std::uint64_t seed = 1;
};

class Entered {
 public:
  // In a simulation, the name of the stream that the noise comes from.
  using Stream = std::initializer_list<std::uint64_t>;

  // One release of what the run has reserved. Throws as Ledger::Release.
  Entered(dp::Ledger& ledger, const dp::Round& round, const dp::Event& event,
          const Randomness& randomness, Stream stream);
  // A run of one release, reserved, released and finished at once. Throws as
  // Ledger::Spend.
  Entered(dp::Ledger& ledger, const std::string& run,
          const std::string& population, const dp::Event& event,
          const Randomness& randomness, Stream stream);
  // Without a ledger, for what a simulation does not pay for. Throws
  // Unsupported outside a simulation.
  Entered(const Randomness& randomness, Stream stream);

  // The ledger's head after the entry, to be kept with the value; "" without a
  // ledger.
  const std::string& ledger_head() const { return ledger_head_; }
  dp::NoiseSource& noise() { return noise_; }

 private:
  Entered(std::string ledger_head, const Randomness& randomness, Stream stream);

  std::string ledger_head_;
  dp::NoiseSource noise_;
};

// The cohort's id in an event: "DRAW/seed 7" in a simulation, which repeats the
// same draw; otherwise "DRAW/NONCE", which no other process has.
std::string CohortId(const std::string& draw, const Randomness& randomness,
                     const std::string& nonce);
// 16 random hexadecimal digits; "" in a simulation.
std::string NonceFor(const Randomness& randomness);

}  // namespace sfumato::fed
