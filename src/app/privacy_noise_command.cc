// `sfumato privacy noise`: the least noise that keeps a budget.

#include <memory>

#include "app/command.h"
#include "app/privacy_answer.h"
#include "dp/accounting/calibration.h"
#include "fmt/format.h"
#include "report/number_text.h"

namespace sfumato::app {
namespace {

Answer Noise(const PrivacyOptions& options) {
  dp::Event round = RoundOf(options);
  const dp::Limit limit{.epsilon = *options.epsilon,
                        .delta = DeltaOf(options),
                        .accountant = options.accountant};
  const double noise = dp::NoiseFor(round, limit);
  round.mechanism = dp::Gaussian{.noise_multiplier = dp::RoundedUp(noise, 6)};
  plan::Spent spent = SpentBy(round, options);
  if (spent.guarantee.epsilon > limit.epsilon) {  // by a rounding of its own
    round.mechanism = dp::Gaussian{.noise_multiplier = noise};
    spent = SpentBy(round, options);
  }
  return RoundAnswer(
      fmt::format("noise {} costs ε {} at δ {}",
                  report::SmallText(
                      std::get<dp::Gaussian>(round.mechanism).noise_multiplier),
                  plan::EpsilonText(spent.guarantee),
                  report::SmallText(limit.delta)),
      spent, round, options);
}

const Registration kNoise(
    {.path = "privacy noise",
     .summary = "Find the least noise that keeps a budget.",
     .example = "sfumato privacy noise --epsilon 2 --rounds 1000 --cohort 1000 "
                "--population 250000",
     .define = [](CLI::App& app, const Common&) -> Action {
       auto options = std::make_shared<PrivacyOptions>();
       AddEpsilon(app, *options)->required();
       AddRounds(app, *options);
       AddSampling(app, *options);
       AddDelta(app, *options);
       AddAccountant(app, *options);
       return [options] { return Noise(*options); };
     }});

}  // namespace
}  // namespace sfumato::app
