#include "fed/release/vote_loop.h"

#include <utility>

#include "base/random.h"

namespace sfumato::fed {
namespace {

dp::VoteHistogramOptions Of(dp::VoteHistogramOptions options,
                            const std::string& population) {
  options.participants.population = {.name = population};
  return options;
}

}  // namespace

VoteLoop::VoteLoop(dp::Ledger& ledger, VoteOptions options)
    : ledger_(ledger),
      options_(std::move(options)),
      histogram_(Of(options_.histogram, options_.population)),
      nonce_(NonceFor(options_.randomness)) {
  if (ledger_.FindRun(options_.run)) return;
  const dp::Event once = event();
  ledger_.Reserve(options_.run, options_.population, {&once, 1});
}

VoteCounts VoteLoop::Ask(const Votes& votes) {
  const std::string cohort =
      CohortId(options_.run, options_.randomness, nonce_);

  // The cost is on disk before anyone is asked. A crash from here on asks again
  // and pays again.
  Entered entered = Enter(histogram_.Event(cohort));

  return {.cells = histogram_.Release(votes(), cohort, entered.noise()),
          .ledger_head = entered.ledger_head()};
}

Entered VoteLoop::Enter(const dp::Event& event) {
  const Randomness& randomness = options_.randomness;
  dp::Round round{.run = options_.run};
  if (!randomness.simulation) {
    round.run = PartWithAVoteLeft();
    // What was released before, so that every release of a part has an attempt
    // of its own.
    round.attempt = dp::CountOf(ledger_.FindRun(round.run)->released);
  }
  return Entered(ledger_, round, event, randomness, {base::Key("vote")});
}

std::string VoteLoop::PartWithAVoteLeft() {
  for (const dp::RunPart& part : ledger_.PartsOf(options_.run)) {
    if (!part.run.reserved.empty()) return part.name;
  }
  const dp::Event once = event();
  if (options_.before_more) options_.before_more(once);
  return ledger_.ReserveMore(options_.run, options_.population, {&once, 1});
}

void VoteLoop::Finish() { ledger_.FinishParts(options_.run); }

}  // namespace sfumato::fed
