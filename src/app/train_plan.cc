#include "app/train_plan.h"

#include <cmath>
#include <filesystem>
#include <limits>

#include "app/vocabulary_source.h"
#include "base/error.h"
#include "dp/accounting/accountant.h"
#include "dp/accounting/calibration.h"
#include "dp/ledger/ledger.h"
#include "dp/mechanisms/gaussian_mechanism.h"
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

dp::Sampling SamplingOf(const runs::CohortConfig& cohort,
                        std::int64_t population) {
  if (cohort.sampling == "everyone") return dp::All{};
  const double size = cohort.size;
  if (!(size <= static_cast<double>(population))) {
    throw BadInput(
        fmt::format("a cohort of {:g} from {} users", size, population),
        "cohort.size", "give at most the population");
  }
  if (cohort.sampling == "poisson") {
    return dp::Poisson{.rate = size / static_cast<double>(population)};
  }
  if (size != std::floor(size) || size < 1) {
    throw BadInput(fmt::format("a fixed cohort of {:g} users", size),
                   "cohort.size", "give a whole number");
  }
  return dp::FixedSize{.cohort = static_cast<std::int64_t>(size),
                       .population = population};
}

void CheckCanaries(const runs::TrainConfig& config, const DataFacts& data) {
  if (config.canary.users == 0) return;
  if (data.origin == data::Origin::kPrivate) {
    throw BadInput("canaries put into private data", "canary.users",
                   "they are sentences that nobody wrote: for generated or "
                   "public data; leave them out");
  }
  if (config.canary.users > data.users) {
    throw BadInput(fmt::format("canaries for {} users, where there are {}",
                               config.canary.users, data.users),
                   "canary.users", "give at most the users that train");
  }
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
  if (!plan.simulation && config.data.test_share > 0) {
    throw BadInput("test users of private data", "data.test_share",
                   "leave it out: nothing is evaluated there, since what it "
                   "finds would be private");
  }
  CheckCanaries(config, data);
  RequireVocabulary(config, plan.simulation, PopulationName(config, data));
  if (data.users < 1) {
    throw BadInput("nobody to train on", "data",
                   "give data with users, or a smaller data.test_share");
  }
  plan.population = PopulationOf(config, data, plan.simulation);
  plan.participants =
      dp::ParticipantsOf(SamplingOf(config.cohort, plan.population),
                         {.name = PopulationName(config, data)});
  plan.expected_cohort = config.cohort.sampling == "everyone"
                             ? static_cast<double>(plan.population)
                             : config.cohort.size;
  if (plan.simulation && plan.population != data.users &&
      !runs::Selects(config.select)) {
    plan.remarks.push_back(fmt::format(
        "cohort.population is {} and the data have {} users: about {:.3g} "
        "come a round, and sums are divided by {:g}",
        plan.population, data.users,
        plan.expected_cohort * static_cast<double>(data.users) /
            static_cast<double>(plan.population),
        plan.expected_cohort));
  }
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
  dp::GaussianMechanism({.noise_multiplier = plan.noise_multiplier,
                         .clip_norm = config.privacy.clip_norm,
                         .participants = plan.participants});  // or throws
  round.mechanism = dp::Gaussian{.noise_multiplier = plan.noise_multiplier};
  plan.rounds = round;
  plan.epsilon =
      dp::Account({&round, 1}, plan.delta, dp::Accountant::kPld).epsilon;
  const double budget = config.privacy.epsilon;
  if (budget > 0 && !(plan.epsilon <= budget * (1 + 1e-9))) {
    throw Error(
        ErrorKind::kBudgetSpent,
        fmt::format("noise {:g} over {} rounds costs ε {:.4g}, and "
                    "privacy.epsilon allows {:g}",
                    plan.noise_multiplier, config.rounds, plan.epsilon, budget),
        "privacy.noise_multiplier",
        "leave it out to have the noise found, or give fewer rounds");
  }
  return plan;
}

std::string PopulationName(const runs::TrainConfig& config,
                           const DataFacts& data) {
  return config.privacy.population.empty() ? data.name
                                           : config.privacy.population;
}

void UseLedgersDelta(runs::TrainConfig& config, const DataFacts& data,
                     const std::string& key) {
  const base::Path path = LedgerPath(config, /*simulation=*/false, "");
  if (config.privacy.delta > 0 || !std::filesystem::exists(path)) return;
  config.privacy.delta = dp::Ledger::Open(path, key, dp::Ledger::Mode::kRead)
                             .TotalsOf(PopulationName(config, data))
                             .budget.delta;
}

base::Path LedgerPath(const runs::TrainConfig& config, bool simulation,
                      const base::Path& run_folder) {
  if (!config.privacy.ledger.empty()) return config.privacy.ledger;
  if (simulation) return run_folder / "ledger.sqlite";
  return base::Path(config.data.path).parent_path() / "ledger.sqlite";
}

}  // namespace sfumato::app
