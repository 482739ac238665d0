#include "fed/release/survey.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/random.h"
#include "fmt/format.h"

namespace sfumato::fed {

Survey::Survey(dp::Ledger& ledger, SurveyOptions options)
    : ledger_(ledger),
      options_(std::move(options)),
      nonce_(NonceFor(options_.randomness)) {
  std::set<std::string_view> names;
  for (const dp::Question& question : options_.questions) {
    if (question.name.empty() || !names.insert(question.name).second) {
      throw BadInput(fmt::format("two questions named '{}'", question.name),
                     "survey", "give each a name of its own");
    }
  }
  ReserveAll();
}

void Survey::ReserveAll() {
  if (options_.questions.empty() || ledger_.FindRun(options_.run)) return;
  std::vector<dp::Event> events;
  events.reserve(options_.questions.size());
  for (const dp::Question& question : options_.questions) {
    events.push_back(dp::EventOf(question, {.name = options_.population}));
  }
  ledger_.Reserve(options_.run, options_.population, events);
}

SurveyAnswer Survey::Ask(std::string_view name, const Numbers& numbers) {
  const std::size_t place = Find(name);
  const dp::Question& question = options_.questions[place];
  const dp::Event event = dp::EventOf(question, {.name = options_.population},
                                      CohortOf(question.name));

  // The cost is on disk before anyone is asked. A crash from here on asks again
  // and pays again.
  Entered entered = Enter(place, event);

  const dp::Released<std::vector<double>> answer =
      dp::Ask(question, numbers(), event, entered.noise());
  return {.name = question.name,
          .values = answer.value(),
          .deviation = dp::DeviationOf(question),
          .event = answer.event(),
          .simulated = answer.simulated(),
          .ledger_head = entered.ledger_head()};
}

Entered Survey::Enter(std::size_t question, const dp::Event& event) {
  const Randomness& randomness = options_.randomness;
  dp::Round round{.run = options_.run,
                  .round = static_cast<std::int64_t>(question)};
  if (!randomness.simulation) {
    round.run = PartFor(event);
    // What was released before, whatever it was, so that every release of a
    // part has an attempt of its own.
    round.attempt = CountOf(ledger_.FindRun(round.run)->released);
  }
  return Entered(
      ledger_, round, event, randomness,
      {base::Key("survey"), base::Key(options_.questions[question].name)});
}

// The part that still has an event like this one reserved.
std::string Survey::PartFor(const dp::Event& event) {
  for (const dp::RunPart& part : ledger_.PartsOf(options_.run)) {
    const bool left =
        std::ranges::any_of(part.run.reserved, [&](const dp::Event& e) {
          return e.mechanism == event.mechanism &&
                 e.sampling == event.sampling &&
                 e.adjacency == event.adjacency && e.unit == event.unit;
        });
    if (left) return part.name;
  }
  dp::Event once = event;
  once.cohort.clear();
  if (options_.before_more) options_.before_more(once);
  return ledger_.ReserveMore(options_.run, options_.population, {&once, 1});
}

void Survey::Finish() { ledger_.FinishParts(options_.run); }

std::size_t Survey::Find(std::string_view name) const {
  for (std::size_t i = 0; i < options_.questions.size(); ++i) {
    if (options_.questions[i].name == name) return i;
  }
  throw BadInput(fmt::format("no question '{}'", name), "survey",
                 "ask what the plan has");
}

std::string Survey::CohortOf(const std::string& question) const {
  return CohortId(options_.run + "/" + question, options_.randomness, nonce_);
}

NoisyShare ShareOfSecondBar(const SurveyAnswer& answer) {
  if (answer.values.size() != 2) {
    throw BadInput(
        fmt::format("{} bars, where a share has two", answer.values.size()),
        answer.name, "ask with one level");
  }
  const double often = answer.values[1];
  const double all = answer.values[0] + often;
  if (!(all > 0)) return {.value = 0, .deviation = 1};
  const double share = std::clamp(often / all, 0.0, 1.0);
  // d(often / all) = ((1 - share) d often - share d other) / all.
  return {.value = share,
          .deviation = std::min(
              1.0, answer.deviation / all * std::hypot(1 - share, share))};
}

}  // namespace sfumato::fed
