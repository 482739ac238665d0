// `sfumato privacy cohort`: the largest cohort that a budget allows.

#include <memory>

#include "app/command.h"
#include "app/privacy_answer.h"
#include "base/progress.h"
#include "dp/accounting/calibration.h"
#include "fmt/format.h"
#include "report/number_text.h"

namespace sfumato::app {
namespace {

Answer Cohort(PrivacyOptions options) {
  options.cohort = 1;  // any: it is what is looked for
  const double delta = DeltaOf(options);
  options.cohort = dp::CohortFor(RoundOf(options), *options.population,
                                 {.epsilon = *options.epsilon,
                                  .delta = delta,
                                  .accountant = options.accountant});
  const dp::Event round = RoundOf(options);
  const plan::Spent spent = SpentBy(round, options);
  const bool user = options.unit == dp::Unit::kUser;
  return RoundAnswer(
      fmt::format("{} {}{} a round cost ε {} at δ {}",
                  base::HumanCount(*options.cohort), user ? "user" : "example",
                  *options.cohort == 1 ? "" : "s",
                  plan::EpsilonText(spent.guarantee), report::SmallText(delta)),
      spent, round, options);
}

const Registration kCohort(
    {.path = "privacy cohort",
     .summary = "Find the largest cohort that a budget allows.",
     .example = "sfumato privacy cohort --epsilon 2 --noise 1 --rounds 1000 "
                "--population 250000",
     .define = [](CLI::App& app, const Common&) -> Action {
       auto options = std::make_shared<PrivacyOptions>();
       AddEpsilon(app, *options)->required();
       AddNoise(app, *options)->required();
       AddRounds(app, *options);
       AddSampling(app, *options, /*cohort_is_wanted=*/true);
       app.get_option("--population")->required();
       AddDelta(app, *options);
       AddAccountant(app, *options);
       return [options] { return Cohort(*options); };
     }});

}  // namespace
}  // namespace sfumato::app
