#include "app/privacy_answer.h"

#include "base/progress.h"
#include "fmt/format.h"
#include "report/number_text.h"

namespace sfumato::app {
namespace {

std::vector<plan::Fact> Facts(const dp::Event& round,
                              const PrivacyOptions& options) {
  const double noise = std::get<dp::Gaussian>(round.mechanism).noise_multiplier;
  std::vector<plan::Fact> facts = {
      {"noise",
       fmt::format("{} times the clip norm", report::SmallText(noise))},
      {"rounds", base::HumanCount(round.count)},
      {"sampling", plan::SamplingText(round)}};
  if (!options.delta) {
    facts.push_back(
        {"delta", fmt::format("{}: the usual one for the "
                              "population, as --delta was not "
                              "given",
                              report::SmallText(DeltaOf(options)))});
  }
  return facts;
}

}  // namespace

plan::Spent SpentBy(const dp::Event& round, const PrivacyOptions& options) {
  plan::Spent spent =
      plan::AccountFor({&round, 1}, DeltaOf(options), options.accountant);
  for (const std::string& warning : OptionWarnings(options)) {
    spent.guarantee.warnings.push_back(warning);
  }
  return spent;
}

Answer RoundAnswer(const std::string& headline, const plan::Spent& spent,
                   const dp::Event& round, const PrivacyOptions& options) {
  Answer answer{.text = headline + "\n\n" +
                        plan::GuaranteeText(spent, Facts(round, options)),
                .json = plan::GuaranteeJson(spent)};
  answer.json["noise"] =
      std::get<dp::Gaussian>(round.mechanism).noise_multiplier;
  answer.json["rounds"] = round.count;
  answer.json["rate"] = dp::Rate(round.sampling);
  if (options.cohort) answer.json["cohort"] = *options.cohort;
  if (options.population) answer.json["population"] = *options.population;
  return answer;
}

}  // namespace sfumato::app
