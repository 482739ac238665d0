#include "app/training_commands.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/torch_part.h"
#include "app/version.h"
#include "base/error.h"
#include "base/progress.h"
#include "dp/accounting/accountant.h"
#include "dp/ledger/ledger.h"
#include "fmt/format.h"
#include "plan/consent.h"
#include "plan/dataset_ledger.h"
#include "plan/guarantee_text.h"
#include "plan/plan_file.h"
#include "plan/vocabulary_source.h"
#include "report/number_text.h"

namespace sfumato::app {
namespace {

std::string CohortText(const config::TrainConfig& config,
                       const plan::TrainPlan& plan) {
  if (config.cohort.sampling == config::Sampling::kEveryone)
    return "everyone in each round";
  return fmt::format(
      "{}{:g} of {} users per round",
      config.cohort.sampling == config::Sampling::kPoisson ? "about " : "",
      config.cohort.size,
      base::HumanCount(static_cast<std::uint64_t>(plan.population)));
}

std::string CostText(const plan::TrainPlan& plan, double epsilon) {
  if (!plan.protects) {
    return "no privacy at all: the data are not private, and fedavg protects "
           "nobody";
  }
  return fmt::format("ε {} at δ {} ({}, {}, {})", report::BoundText(epsilon),
                     report::SmallText(plan.delta),
                     plan.simulation ? "would cost: a simulation spends nothing"
                     : epsilon > plan.epsilon + 1e-9 ? plan::kIfRepeated
                                                     : "proven",
                     dp::Name(plan.participants.unit),
                     dp::Name(plan.participants.adjacency));
}

// The missing part of a run's reservation, as one event.
dp::Event Times(dp::Event rounds, std::int64_t count) {
  rounds.count = count;
  return rounds;
}

}  // namespace

void AddTrainingOptions(CLI::App& app, TrainingGiven& given) {
  AddKeyFile(app, given.ledger);
  app.add_flag("--yes,-y", given.yes, "Spend without asking.");
  app.add_flag("--tensorboard", given.tensorboard,
               "Write event files for TensorBoard too.");
}

plan::TrainPlan PlanOf(const config::TrainConfig& config,
                       const plan::DataFacts& data, const TrainingGiven& given,
                       const base::Path& run_folder) {
  config::TrainConfig with_delta = config;
  if (data.origin == data::Origin::kPrivate && !(config.privacy.delta > 0)) {
    const base::Path path = plan::LedgerPath(config, /*simulation=*/false, "");
    if (!std::filesystem::exists(path)) {
      throw plan::NoLedger(path, plan::PopulationName(config, data));
    }
    plan::UseLedgersDelta(with_delta, data, given.ledger.Key());
  }
  const auto make = [&](const config::TrainConfig& fixed) {
    return plan::PlanTraining(fixed, data, run_folder);
  };
  return run_folder.empty() ? make(with_delta)
                            : plan::PlanAsKept(run_folder, with_delta, make);
}

dp::Ledger OpenLedger(const config::TrainConfig& config,
                      const TrainingGiven& given) {
  return dp::Ledger::Open(plan::LedgerPath(config, /*simulation=*/false, ""),
                          given.ledger.Key());
}

std::string PriceText(const config::TrainConfig& config,
                      const plan::TrainPlan& plan, const TrainingGiven& given) {
  const base::Path path = plan::LedgerPath(config, /*simulation=*/false, "");
  if (!std::filesystem::exists(path)) {
    throw plan::NoLedger(path, plan.participants.population.name);
  }
  dp::Ledger ledger = dp::Ledger::Open(path, given.ledger.Key());
  const std::string& name = plan.participants.population.name;
  plan::RequireOwnLedger(config.data, ledger);
  ledger.CheckBound(name, plan.dataset_ids);
  plan::RequireGrantedDelta(plan.delta, ledger.TotalsOf(name));
  if (const auto vocabulary = plan::ReleasedVocabulary(config)) {
    plan::CheckInLedger(ledger, *vocabulary,
                        plan.participants.population.Root());
  }
  const dp::Price price = ledger.PriceOf(name, {&plan.rounds(), 1});
  const dp::Totals totals = ledger.TotalsOf(name);
  if (!price.fits) {
    throw Error(
        ErrorKind::kBudgetSpent,
        fmt::format("no room for {} in what is left of '{}'",
                    base::HumanCount(static_cast<std::uint64_t>(config.rounds),
                                     "round"),
                    totals.population.Root()),
        path.string(),
        price.fitting > 0
            ? fmt::format("--set rounds={} would fit", price.fitting)
            : plan::HintFor(
                  price,
                  "a larger cohort.population, more noise or fewer rounds "
                  "cost less"));
  }
  return plan::BudgetLine(totals, price);
}

void RequireYesToMore(dp::Ledger& ledger, const config::TrainConfig& config,
                      const plan::TrainPlan& plan, const plan::RunState& run,
                      bool yes) {
  const plan::MissingRounds more =
      plan::FindMissingRounds(ledger, run, config.rounds);
  if (more.rounds == 0) return;
  const std::string& name = plan.participants.population.name;
  const dp::Event missing = Times(plan.rounds(), more.rounds);
  const dp::Price price = ledger.PriceOf(name, {&missing, 1});
  if (!price.fits) return;  // refused with what would fit, by fed::RunLedger
  const std::string budget = plan::BudgetLine(ledger.TotalsOf(name), price);
  if (!more.begun) {  // it was stopped before anything was reserved
    plan::RequireYes(PlanText(config, plan) + budget, yes);
    return;
  }
  std::vector<dp::Event> all = plan.before;
  all.push_back(
      Times(plan.rounds(), more.released + config.rounds - run.rounds_done));
  const plan::Spent spent =
      plan::AccountFor(all, plan.delta, dp::Accountant::kPld);
  const std::string text =
      more.why + "Costs    " +
      CostText(plan, std::max(plan.epsilon, spent.guarantee.epsilon)) + "\n" +
      plan::LinesBelow(
          "with what is repeated, which was not in the plan: what holds "
          "whatever led to it is the budget") +
      budget +
      plan::MeansLine(spent.guessed_right, plan.participants.adjacency);
  plan::RequireYes(text, yes);
}

void RequireYesToPlan(const config::TrainConfig& config,
                      const plan::TrainPlan& plan, const TrainingGiven& given) {
  std::string text = PlanText(config, plan);
  if (!plan.simulation) text += PriceText(config, plan, given);
  plan::RequireYes(text, plan.simulation || given.yes);
  for (const std::string& remark : plan.remarks) base::Warning(remark);
}

std::string PlanText(const config::TrainConfig& config,
                     const plan::TrainPlan& plan) {
  std::string text = fmt::format(
      "Plan     {} · {} · {} · {}{}\n", config::Word(config.algorithm),
      config.model.name,
      base::HumanCount(static_cast<std::uint64_t>(config.rounds), "round"),
      CohortText(config, plan),
      plan.protects
          ? fmt::format(" · noise {} on clip norm {}{}",
                        report::SmallText(plan.noise_multiplier),
                        report::SmallText(config.privacy.clip_norm),
                        config.privacy.clipping == config::Clipping::kAdaptive
                            ? " (adaptive)"
                            : "")
          : "");
  text += "Costs    " + CostText(plan, plan.epsilon) + "\n";
  if (!plan.protects) return text;
  std::vector<dp::Event> events = plan.before;
  events.push_back(plan.rounds());
  const auto alone = [&](std::span<const dp::Event> some) {
    return plan::EpsilonText(
        plan::AccountFor(some, plan.delta, dp::Accountant::kPld).guarantee);
  };
  if (!plan.before.empty()) {
    text += plan::LinesBelow(fmt::format(
        "vocabulary {}, released before · rounds {}; one plan only if noise "
        "and rounds were settled before its words were looked at",
        alone(plan.before), alone({&plan.rounds(), 1})));
  } else if (config::ModelsLanguage(config) && config.text.vocabulary.empty()) {
    text += plan::LinesBelow(
        "not in it: the vocabulary, which is counted exactly, as only a "
        "simulation may");
  }
  text += plan::MeansLine(
      plan::AccountFor(events, plan.delta, dp::Accountant::kPld).guessed_right,
      plan.participants.adjacency);
  return text;
}

nlohmann::json PlanJson(const config::TrainConfig& config,
                        const plan::TrainPlan& plan) {
  return {{"algorithm", config::Word(config.algorithm)},
          {"model", config.model.name},
          {"rounds", config.rounds},
          {"population", plan.population},
          {"cohort", config.cohort.size},
          {"sampling", config.cohort.sampling},
          {"noise_multiplier", plan.noise_multiplier},
          {"epsilon", report::Finite(plan.epsilon)},
          {"delta", plan.delta},
          {"unit", dp::Name(plan.participants.unit)},
          {"adjacency", dp::Name(plan.participants.adjacency)},
          {"simulation", plan.simulation},
          {"protects", plan.protects}};
}

Answer TrainToTheEnd(runs::Run& run, const plan::TrainPlan& plan,
                     const TrainingGiven& given) {
  const train::TrainJob job{.folder = run.path(),
                            .run = &run,
                            .plan = plan,
                            .version = kVersion,
                            .ledger_key = given.ledger.Key(),
                            .tensorboard = given.tensorboard};
  base::Note(fmt::format("Run      {}", run.path().string()));
  train::TrainOutcome outcome;
  TorchFunction<decltype(train::SfumatoTrain)>("SfumatoTrain")(&job, &outcome);
  Answer answer;
  answer.json = PlanJson(run.config(), plan);
  answer.json["run"] = run.path().string();
  answer.json["status"] = "finished";
  answer.json["rounds_done"] = outcome.rounds;
  answer.json["epsilon_spent"] = report::Finite(outcome.epsilon);
  if (plan.simulation) answer.json["seconds"] = outcome.seconds;
  answer.json["device"] = outcome.device;
  answer.text = fmt::format(
      "Trained  {} on {}{}\n",
      base::HumanCount(static_cast<std::uint64_t>(outcome.rounds), "round"),
      outcome.device,
      plan.simulation
          ? fmt::format(", {} here", base::HumanDuration(outcome.seconds))
          : "");
  if (outcome.accuracy) {
    answer.json["test_accuracy"] = *outcome.accuracy;
    answer.text += fmt::format("Test     accuracy {:.4f} (simulation only)\n",
                               *outcome.accuracy);
  }
  answer.text += "Costs    " + CostText(plan, outcome.epsilon) + "\n";
  answer.text += fmt::format("Run      {}", run.path().string());
  return answer;
}

Answer HelpTraining(const base::Path& folder) {
  const train::TrainJob job{.folder = folder, .version = kVersion};
  train::TrainOutcome outcome;
  TorchFunction<decltype(train::SfumatoTrain)>("SfumatoTrain")(&job, &outcome);
  return {};
}

}  // namespace sfumato::app
