#include "fed/release/word_choice.h"

#include <utility>

#include "dp/accounting/event.h"
#include "fmt/format.h"

namespace sfumato::fed {

WordChoice::WordChoice(WordChoiceOptions options)
    : options_(std::move(options)),
      histogram_({.noise_multiplier = options_.noise_multiplier,
                  .delta = options_.show_delta,
                  .most_keys = options_.words_per_user,
                  .participants = dp::ParticipantsOf(
                      dp::All{}, {.name = options_.population})}) {}

WordCounts WordChoice::Choose(dp::Ledger* ledger,
                              const Words& words_of_users) const {
  const Randomness& randomness = options_.randomness;
  const std::string nonce = NonceFor(randomness);
  const std::string cohort = CohortId("vocabulary", randomness, nonce);
  if (randomness.simulation || ledger == nullptr) {
    Entered nothing(randomness, {});
    return {.words =
                histogram_.Release(words_of_users(), cohort, nothing.noise())};
  }
  // Another choice is another release, so it has another name.
  const std::string run = fmt::format("{}-{}", options_.run, nonce);

  // The cost is on disk before any word is collected. A crash from here on
  // chooses again and pays again.
  Entered entered(*ledger, run, options_.population, histogram_.Event(cohort),
                  randomness, {});
  return {
      .words = histogram_.Release(words_of_users(), cohort, entered.noise()),
      .ledger_run = run,
      .ledger_head = entered.ledger_head()};
}

}  // namespace sfumato::fed
