// `sfumato privacy plan`: from a simulation with a few users to a population.

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/command.h"
#include "app/options.h"
#include "app/privacy_answer.h"
#include "base/error.h"
#include "base/progress.h"
#include "dp/accounting/calibration.h"
#include "fmt/format.h"
#include "report/number_text.h"
#include "report/text_table.h"

namespace sfumato::app {
namespace {

using nlohmann::json;

struct PlanOptions {
  PrivacyOptions privacy;
  std::optional<double> wanted = 1;
};

// A wanted noise and what it takes.
struct Step {
  double noise = 0;
  double users = 0;                      // a round
  std::optional<dp::Guarantee> reached;  // nothing: the population is too small
};

// The same settings with the noise and the cohort of `step`.
PrivacyOptions AtScale(PrivacyOptions options, const Step& step) {
  options.noise = step.noise;
  options.cohort = static_cast<std::int64_t>(step.users);
  return options;
}

Step StepTo(const PrivacyOptions& options, double wanted) {
  Step step{
      .noise = wanted,
      .users = std::ceil(wanted / *options.noise *
                         static_cast<double>(*options.cohort) * (1 - 1e-12)),
      .reached = {}};
  if (!(step.users < 1e15)) {
    throw BadInput("far more users than there are people", "--wanted-noise",
                   "want less noise, or find a model that bears more");
  }
  if (step.users <= static_cast<double>(*options.population)) {
    const dp::Event round = RoundOf(AtScale(options, step));
    step.reached =
        dp::Account({&round, 1}, DeltaOf(options), options.accountant);
  }
  return step;
}

// The wanted noise among round numbers.
std::vector<Step> Ladder(const PrivacyOptions& options, double wanted) {
  std::vector<double> noises = {0.5, 0.7, 1, 2, 4, wanted};
  std::sort(noises.begin(), noises.end());
  noises.erase(std::unique(noises.begin(), noises.end()), noises.end());
  std::vector<Step> steps;
  for (const double noise : noises) steps.push_back(StepTo(options, noise));
  return steps;
}

std::string UsersText(double users) {
  return base::HumanCount(static_cast<std::uint64_t>(users));
}

std::string LadderText(const std::vector<Step>& steps, double population) {
  report::TextTable table({"noise", "users per round", "share", "epsilon"});
  for (const Step& step : steps) {
    table.Add({report::SmallText(step.noise), UsersText(step.users),
               step.reached
                   ? fmt::format("{:.3g} %", 100 * step.users / population)
                   : "too many",
               step.reached ? plan::EpsilonText(*step.reached) : "-"});
  }
  return table.Text();
}

json LadderJson(const std::vector<Step>& steps) {
  json rows = json::array();
  for (const Step& step : steps) {
    rows.push_back(
        {{"noise", step.noise},
         {"cohort", static_cast<std::int64_t>(step.users)},
         {"epsilon", step.reached ? report::Finite(step.reached->epsilon)
                                  : json(nullptr)}});
  }
  return rows;
}

std::string Story(const PrivacyOptions& options, const Step& step) {
  return plan::Wrapped(fmt::format(
      "In simulation the model learned at noise {} with {} users per round. "
      "The "
      "noise on the mean stays the same if both grow {} times: noise {} takes "
      "{} "
      "users per round, of {}.",
      report::SmallText(*options.noise), base::HumanCount(*options.cohort),
      report::SmallText(step.noise / *options.noise),
      report::SmallText(step.noise), UsersText(step.users),
      base::HumanCount(*options.population)));
}

// The answer at the population, and what the simulation's own setting would
// cost there.
Answer Reached(const PrivacyOptions& options, const Step& step) {
  const dp::Scale scale =
      dp::PrivacyAtScale({.cohort = static_cast<double>(*options.cohort),
                          .noise_multiplier = *options.noise,
                          .wanted_noise = step.noise,
                          .population = *options.population,
                          .rounds = options.rounds.value_or(1),
                          .delta = DeltaOf(options),
                          .accountant = options.accountant,
                          .sampling = options.sampling});
  const PrivacyOptions scaled = AtScale(options, step);
  const dp::Event round = RoundOf(scaled);
  Answer answer = RoundAnswer(
      fmt::format("ε {} at δ {} with {} of {} users per round\n\n{}",
                  plan::EpsilonText(scale.guarantee),
                  report::SmallText(scale.guarantee.delta),
                  base::HumanCount(scale.cohort),
                  base::HumanCount(*options.population), Story(options, step)),
      SpentBy(round, scaled), round, scaled);
  answer.text += fmt::format(
      "\nWithout growing (noise {}, {} users per round) it would be ε {}.\n",
      report::SmallText(*options.noise), base::HumanCount(*options.cohort),
      plan::EpsilonText(scale.unscaled));
  answer.json["unscaled_epsilon"] = report::Finite(scale.unscaled.epsilon);
  return answer;
}

// That the population is too small is an answer too.
Answer OutOfReach(const PrivacyOptions& options, const Step& step) {
  const double most = *options.noise *
                      static_cast<double>(*options.population) /
                      static_cast<double>(*options.cohort);
  const std::string warning = fmt::format(
      "noise {} takes {} users per round and the population has {}; with "
      "everyone in every round it would be {:.3g}",
      report::SmallText(step.noise), UsersText(step.users),
      base::HumanCount(*options.population), most);
  return {.text = fmt::format("out of reach: the population is too small\n\n"
                              "{}\n\n{}",
                              Story(options, step),
                              plan::FactsText({{"warning", warning}})),
          .json = {{"reachable", false},
                   {"epsilon", nullptr},
                   {"delta", DeltaOf(options)},
                   {"noise", step.noise},
                   {"cohort", static_cast<std::int64_t>(step.users)},
                   {"population", *options.population},
                   {"warnings", {warning}}}};
}

Answer Plan(const PlanOptions& plan) {
  const PrivacyOptions& options = plan.privacy;
  RoundOf(options);  // refuses what cannot be
  const Step step = StepTo(options, *plan.wanted);
  const std::vector<Step> ladder = Ladder(options, *plan.wanted);
  Answer answer =
      step.reached ? Reached(options, step) : OutOfReach(options, step);
  answer.text +=
      "\n" + LadderText(ladder, static_cast<double>(*options.population));
  answer.json["factor"] = step.noise / *options.noise;
  answer.json["simulation"] = {{"noise", *options.noise},
                               {"cohort", *options.cohort}};
  answer.json["ladder"] = LadderJson(ladder);
  return answer;
}

const Registration kPlan(
    {.path = "privacy plan",
     .summary =
         "Show what a model that learned in simulation, from a few users "
         "with little noise, would cost at the size of a population.",
     .example = "sfumato privacy plan --cohort 10 --noise 0.01 --rounds 1000 "
                "--population 2000000",
     .define = [](CLI::App& app, const Common&) -> Action {
       auto options = std::make_shared<PlanOptions>();
       PrivacyOptions& privacy = options->privacy;
       AddCount(app, "--cohort", privacy.cohort,
                "Users per round in the simulation.")
           ->required();
       AddPositive(
           app, "--noise", privacy.noise,
           "Noise multiplier at which the model still learned in simulation.")
           ->required();
       AddCount(app, "--population", privacy.population,
                "Users that a cohort is drawn from.")
           ->required();
       AddRounds(app, privacy);
       AddPositive(app, "--wanted-noise", options->wanted,
                   "Noise multiplier to reach.")
           ->option_text("NUMBER=1");
       AddChoice<dp::Sampling>(
           app, "--sampling", privacy.sampling,
           {{"poisson", dp::Poisson{}},
            {"fixed", dp::FixedSize{}},
            {"revealed", dp::Revealed{}}},
           "How the cohort is drawn; fixed is accounted for replace-one.");
       AddDelta(app, privacy);
       AddAccountant(app, privacy);
       return [options] { return Plan(*options); };
     }});

}  // namespace
}  // namespace sfumato::app
