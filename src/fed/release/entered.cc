#include "fed/release/entered.h"

#include <utility>

#include "base/error.h"
#include "base/secure_random.h"
#include "fmt/format.h"

namespace sfumato::fed {
namespace {

// The ledger's head of a simulation that enters nothing.
std::string NothingEntered(const Randomness& randomness) {
  if (randomness.simulation) return "";
  throw Unsupported("a release of private data without a ledger", "ledger",
                    "name the population's ledger");
}

}  // namespace

Entered::Entered(dp::Ledger& ledger, const dp::Round& round,
                 const dp::Event& event, const Randomness& randomness,
                 Stream stream)
    : Entered(dp::ToText(ledger.Release(round, event)), randomness, stream) {}

Entered::Entered(dp::Ledger& ledger, const std::string& run,
                 const std::string& population, const dp::Event& event,
                 const Randomness& randomness, Stream stream)
    : Entered(dp::ToText(ledger.Spend(run, population, {&event, 1}).head),
              randomness, stream) {}

Entered::Entered(const Randomness& randomness, Stream stream)
    : Entered(NothingEntered(randomness), randomness, stream) {}

Entered::Entered(std::string ledger_head, const Randomness& randomness,
                 Stream stream)
    : ledger_head_(std::move(ledger_head)),
      noise_(randomness.simulation
                 ? dp::NoiseSource::Simulation(randomness.seed, stream)
                 : dp::NoiseSource::Secure()) {}

std::string CohortId(const std::string& draw, const Randomness& randomness,
                     const std::string& nonce) {
  return randomness.simulation
             ? fmt::format("{}/seed {}", draw, randomness.seed)
             : fmt::format("{}/{}", draw, nonce);
}

std::string NonceFor(const Randomness& randomness) {
  return randomness.simulation ? ""
                               : fmt::format("{:016x}", base::SecureRandom()());
}

}  // namespace sfumato::fed
