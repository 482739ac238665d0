#include "app/train_plan.h"

#include <cmath>
#include <limits>

#include "base/error.h"
#include "dp/accounting/accountant.h"
#include "dp/accounting/calibration.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

std::int64_t PopulationOf(const runs::TrainConfig& config,
                          const DataFacts& data, bool simulation) {
  const std::int64_t given = config.cohort.population;
  if (config.cohort.sampling == "fixed") {
    // Under replace-one adjacency the number of users is public.
    if (given != 0 && given != data.users) {
      throw BadInput(
          fmt::format("a fixed cohort from {} users, where there are {}", given,
                      data.users),
          "cohort.population",
          "leave it out: sampling of a fixed size is from the users there are");
    }
    return data.users;
  }
  if (given != 0) return given;
  if (!simulation) {
    throw BadInput("private data, and no number of users to plan with",
                   "cohort.population",
                   "say about how many users there are; the exact number is "
                   "itself private");
  }
  return data.users;
}

dp::Participants ParticipantsOf(const runs::TrainConfig& config,
                                const DataFacts& data,
                                std::int64_t population) {
  const double size = config.cohort.size;
  if (config.cohort.sampling != "everyone" &&
      !(size <= static_cast<double>(population))) {
    throw BadInput(
        fmt::format("a cohort of {:g} from {} users", size, population),
        "cohort.size", "give at most the population");
  }
  dp::Participants participants;
  participants.population.name =
      config.privacy.population.empty() ? data.name : config.privacy.population;
  if (config.cohort.sampling == "poisson") {
    participants.sampling =
        dp::Poisson{.rate = size / static_cast<double>(population)};
  } else if (config.cohort.sampling == "fixed") {
    if (size != std::floor(size) || size < 1) {
      throw BadInput(fmt::format("a fixed cohort of {:g} users", size),
                     "cohort.size", "give a whole number");
    }
    participants.sampling = dp::FixedSize{
        .cohort = static_cast<std::int64_t>(size), .population = population};
    participants.adjacency = dp::Adjacency::kReplaceOne;
  }
  return participants;
}

}  // namespace

TrainPlan PlanTraining(const runs::TrainConfig& config, const DataFacts& data) {
  TrainPlan plan;
  plan.simulation = data.origin != data::Origin::kPrivate;
  plan.protects = config.algorithm != "fedavg";
  if (!plan.protects && !plan.simulation) {
    throw Unsupported("fedavg on private data: it protects nobody", "algorithm",
                      "use dp_fedavg; or declare the data generated or public, "
                      "if they are");
  }
  if (data.users < 1) {
    throw BadInput("nobody to train on", "data",
                   "give data with users, or a smaller data.test_share");
  }
  plan.population = PopulationOf(config, data, plan.simulation);
  plan.participants = ParticipantsOf(config, data, plan.population);
  const double delta = config.privacy.delta;
  plan.delta =
      delta > 0 ? delta
                : std::min(1e-3, std::pow(static_cast<double>(plan.population),
                                          -1.1));
  if (!plan.protects) {
    plan.epsilon = std::numeric_limits<double>::infinity();
    return plan;
  }
  dp::Event round{.mechanism = dp::Gaussian{},
                  .sampling = plan.participants.sampling,
                  .adjacency = plan.participants.adjacency,
                  .population = plan.participants.population,
                  .count = config.rounds +
                           (plan.simulation ? 0 : config.privacy.spare_rounds)};
  plan.noise_multiplier = config.privacy.noise_multiplier;
  if (plan.noise_multiplier == 0) {
    plan.noise_multiplier = dp::NoiseFor(
        round, {.epsilon = config.privacy.epsilon, .delta = plan.delta});
  }
  round.mechanism = dp::Gaussian{.noise_multiplier = plan.noise_multiplier};
  plan.rounds = round;
  plan.epsilon =
      dp::Account({&round, 1}, plan.delta, dp::Accountant::kPld).epsilon;
  return plan;
}

base::Path LedgerPath(const runs::TrainConfig& config, const TrainPlan& plan,
                      const base::Path& run_folder) {
  if (plan.simulation) return run_folder / "ledger.sqlite";
  if (!config.privacy.ledger.empty()) return config.privacy.ledger;
  return base::Path(config.data.path).parent_path() / "ledger.sqlite";
}

}  // namespace sfumato::app
