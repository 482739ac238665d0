// `sfumato privacy rounds`: how many rounds a budget allows.

#include <memory>

#include "app/command.h"
#include "app/privacy_answer.h"
#include "base/progress.h"
#include "dp/accounting/calibration.h"
#include "fmt/format.h"
#include "report/number_text.h"

namespace sfumato::app {
namespace {

Answer Rounds(const PrivacyOptions& options) {
  dp::Event round = RoundOf(options);
  const double delta = DeltaOf(options);
  round.count = dp::RoundsFor(round, {.epsilon = *options.epsilon,
                                      .delta = delta,
                                      .accountant = options.accountant});
  plan::Spent spent = SpentBy(round, options);
  const bool more = round.count == dp::kMostRounds;
  if (more) {
    spent.guarantee.warnings.push_back(
        "more rounds would keep the budget; they were not looked for");
  }
  return RoundAnswer(
      fmt::format("{}{} {} cost ε {} at δ {}", more ? "at least " : "",
                  base::HumanCount(round.count),
                  round.count == 1 ? "round" : "rounds",
                  plan::EpsilonText(spent.guarantee), report::SmallText(delta)),
      spent, round, options);
}

const Registration kRounds(
    {.path = "privacy rounds",
     .summary = "Find how many rounds a budget allows.",
     .example = "sfumato privacy rounds --epsilon 2 --noise 1 --cohort 1000 "
                "--population 250000",
     .define = [](CLI::App& app, const Common&) -> Action {
       auto options = std::make_shared<PrivacyOptions>();
       AddEpsilon(app, *options)->required();
       AddNoise(app, *options)->required();
       AddSampling(app, *options);
       AddDelta(app, *options);
       AddAccountant(app, *options);
       return [options] { return Rounds(*options); };
     }});

}  // namespace
}  // namespace sfumato::app
