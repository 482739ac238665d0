// `sfumato privacy epsilon`: what rounds of training, or a file of events,
// cost.

#include <memory>

#include "app/command.h"
#include "app/privacy_answer.h"
#include "base/error.h"
#include "base/progress.h"
#include "fmt/format.h"
#include "report/number_text.h"

namespace sfumato::app {
namespace {

struct EpsilonOptions {
  PrivacyOptions privacy;
  std::string events;
};

// Options that describe rounds have no say where a file does.
void RefuseMixing(const CLI::App& app) {
  for (const char* name : {"--noise", "--rounds", "--cohort", "--population",
                           "--rate", "--sampling", "--adjacency", "--unit"}) {
    if (app.get_option(name)->count() == 0) continue;
    throw BadInput("given together with --events", name,
                   "the file says it: give --events, --delta and "
                   "--accountant only");
  }
}

std::string HeadLine(const plan::Spent& spent) {
  return fmt::format("ε {} at δ {}", plan::EpsilonText(spent.guarantee),
                     report::SmallText(spent.guarantee.delta));
}

Answer OfEvents(const EpsilonOptions& options) {
  if (!options.privacy.delta) {
    throw BadInput("missing", "--delta",
                   "events need a delta, well below one over the population");
  }
  const std::vector<dp::Event> events = dp::ReadEvents(options.events);
  const plan::Spent spent = plan::AccountFor(events, *options.privacy.delta,
                                             options.privacy.accountant);
  const std::vector<plan::Fact> facts = {
      {"events", fmt::format("{} in {}", base::HumanCount(events.size()),
                             options.events)},
      {"sampling", spent.guarantee.sampling}};
  Answer answer{
      .text = HeadLine(spent) + "\n\n" + plan::GuaranteeText(spent, facts),
      .json = plan::GuaranteeJson(spent)};
  answer.json["events"] = events.size();
  return answer;
}

Answer OfRounds(const PrivacyOptions& options) {
  if (!options.noise) {
    throw BadInput("missing", "--noise",
                   "give the noise multiplier, or --events FILE");
  }
  const dp::Event round = RoundOf(options);
  const plan::Spent spent = SpentBy(round, options);
  return RoundAnswer(HeadLine(spent), spent, round, options);
}

const Registration kEpsilon(
    {.path = "privacy epsilon",
     .summary = "Show what rounds of training cost, and what that means.",
     .example = "sfumato privacy epsilon --noise 1 --rounds 1000 --delta 4e-8 "
                "--cohort 1000 --population 250000",
     .define = [](CLI::App& app, const Common&) -> Action {
       auto options = std::make_shared<EpsilonOptions>();
       AddNoise(app, options->privacy);
       AddRounds(app, options->privacy);
       AddSampling(app, options->privacy);
       AddDelta(app, options->privacy);
       AddAccountant(app, options->privacy);
       app.add_option("--events", options->events,
                      "A file of events, one JSON object per line "
                      "(docs/event_format.md), instead of one kind of round.");
       return [options, &app] {
         if (options->events.empty()) return OfRounds(options->privacy);
         RefuseMixing(app);
         return OfEvents(*options);
       };
     }});

}  // namespace
}  // namespace sfumato::app
