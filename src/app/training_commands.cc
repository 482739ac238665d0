#include "app/training_commands.h"

#include <cmath>
#include <cstdlib>

#include "app/guarantee_text.h"
#include "app/torch_part.h"
#include "app/version.h"
#include "base/ascii.h"
#include "base/progress.h"
#include "dp/accounting/accountant.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

const char* RankText() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"}) {
    if (const char* value = std::getenv(name)) return value;
  }
  return nullptr;
}

std::string CohortText(const runs::TrainConfig& config, const TrainPlan& plan) {
  if (config.cohort.sampling == "everyone") return "everyone a round";
  return fmt::format(
      "{}{:g} of {} users a round",
      config.cohort.sampling == "poisson" ? "about " : "", config.cohort.size,
      base::HumanCount(static_cast<std::uint64_t>(plan.population)));
}

std::string CostText(const TrainPlan& plan, double epsilon) {
  if (!plan.protects) {
    return "no privacy at all: the data are not private, and fedavg protects "
           "nobody";
  }
  return fmt::format(
      "ε {} at δ {} ({}, {}, {})", BoundText(epsilon), SmallText(plan.delta),
      plan.simulation ? "would cost: a simulation spends nothing" : "proven",
      dp::Name(plan.participants.unit), dp::Name(plan.participants.adjacency));
}

}  // namespace

int LaunchedRank() {
  const char* rank = RankText();
  return rank == nullptr ? 0 : base::ParseNumber<int>(rank).value_or(0);
}

bool Launched() { return RankText() != nullptr; }

std::string PlanText(const runs::TrainConfig& config, const TrainPlan& plan) {
  std::string text = fmt::format(
      "Plan     {} · {} · {} rounds · {}{}\n", config.algorithm,
      config.model.name,
      base::HumanCount(static_cast<std::uint64_t>(config.rounds)),
      CohortText(config, plan),
      plan.protects
          ? fmt::format(
                " · noise {} on clip norm {}{}",
                SmallText(plan.noise_multiplier),
                SmallText(config.privacy.clip_norm),
                config.privacy.clipping == "adaptive" ? " (adaptive)" : "")
          : "");
  text += "Costs    " + CostText(plan, plan.epsilon) + "\n";
  if (plan.protects) {
    text += fmt::format(
        "Means    a guess whether somebody took part, from even odds, is right "
        "at most {} times in 100\n",
        std::ceil(100 * dp::GuessedRight(plan.epsilon, plan.delta)));
  }
  return text;
}

nlohmann::json PlanJson(const runs::TrainConfig& config,
                        const TrainPlan& plan) {
  return {{"algorithm", config.algorithm},
          {"model", config.model.name},
          {"rounds", config.rounds},
          {"population", plan.population},
          {"cohort", config.cohort.size},
          {"sampling", config.cohort.sampling},
          {"noise_multiplier", plan.noise_multiplier},
          {"epsilon", Finite(plan.epsilon)},
          {"delta", plan.delta},
          {"unit", dp::Name(plan.participants.unit)},
          {"adjacency", dp::Name(plan.participants.adjacency)},
          {"simulation", plan.simulation},
          {"protects", plan.protects}};
}

Answer TrainToTheEnd(runs::Run& run, const TrainPlan& plan, bool tensorboard) {
  const TrainJob job{.folder = run.path(),
                     .run = &run,
                     .plan = plan,
                     .version = kVersion,
                     .tensorboard = tensorboard};
  TrainOutcome outcome;
  TorchFunction<decltype(SfumatoTrain)>("SfumatoTrain")(&job, &outcome);
  Answer answer;
  answer.json = PlanJson(run.config(), plan);
  answer.json["run"] = run.path().string();
  answer.json["status"] = "finished";
  answer.json["rounds_done"] = outcome.rounds;
  answer.json["epsilon_spent"] = Finite(outcome.epsilon);
  if (plan.simulation) answer.json["seconds"] = outcome.seconds;
  answer.json["device"] = outcome.device;
  answer.text =
      fmt::format("Trained  {} rounds on {}, {} here\n",
                  base::HumanCount(static_cast<std::uint64_t>(outcome.rounds)),
                  outcome.device, base::HumanDuration(outcome.seconds));
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
  const TrainJob job{.folder = folder, .version = kVersion};
  TrainOutcome outcome;
  TorchFunction<decltype(SfumatoTrain)>("SfumatoTrain")(&job, &outcome);
  return {};
}

}  // namespace sfumato::app
