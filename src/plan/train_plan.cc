#include "plan/train_plan.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "dp/accounting/accountant.h"
#include "dp/accounting/calibration.h"
#include "dp/ledger/ledger.h"
#include "dp/mechanisms/gaussian_mechanism.h"
#include "fmt/format.h"
#include "plan/dataset_ledger.h"
#include "plan/guarantee_text.h"
#include "plan/vocabulary_source.h"
#include "report/number_text.h"

namespace sfumato::plan {
namespace {

std::int64_t PopulationOf(const config::TrainConfig& config,
                          const DataFacts& data, bool simulation) {
  const std::int64_t given = config.cohort.population;
  if (config.cohort.sampling == config::Sampling::kFixed && simulation) {
    if (given != 0 && given != data.users) {
      throw BadInput(
          fmt::format("a fixed cohort from a population of {}, where there are "
                      "{} users",
                      given, data.users),
          "cohort.population",
          "leave it out: sampling of a fixed size is from the users there are");
    }
    return data.users;
  }
  if (given != 0) return given;
  if (!simulation) {
    throw BadInput("private data, and no number of users to plan with",
                   "cohort.population",
                   config.cohort.sampling == config::Sampling::kFixed
                       ? "say how many users there are: under replace-one "
                         "that is public"
                       : "say about how many users there are; the exact number "
                         "is itself private");
  }
  return data.users;
}

dp::Sampling SamplingOf(const config::CohortConfig& cohort,
                        std::int64_t population) {
  if (cohort.sampling == config::Sampling::kEveryone) return dp::All{};
  const double size = cohort.size;
  if (!(size <= static_cast<double>(population))) {
    throw BadInput(fmt::format("a cohort of {:g} from a population of {}", size,
                               population),
                   "cohort.size", "give at most the population");
  }
  if (cohort.sampling == config::Sampling::kPoisson) {
    return dp::Poisson{.rate = size / static_cast<double>(population)};
  }
  if (size != std::floor(size) || size < 1) {
    throw BadInput(fmt::format("a fixed cohort of {:g} users", size),
                   "cohort.size", "give a whole number");
  }
  return dp::FixedSize{.cohort = static_cast<std::int64_t>(size),
                       .population = population};
}

// Rule 4: what a vote says may change with the user's data, and then the user
// comes or goes, where a fixed cohort replaces one.
void CheckSampling(const config::TrainConfig& config) {
  if (config.cohort.sampling != config::Sampling::kFixed ||
      config.select.by != config::By::kVote) {
    return;
  }
  throw Unsupported(
      "cohorts of a fixed size from users who are chosen by their own votes",
      "cohort.sampling", "use poisson: only add-remove has a proof");
}

void CheckCanaries(const config::TrainConfig& config, const DataFacts& data) {
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

// What was chosen from these users before.
std::vector<dp::Event> EventsBefore(const config::TrainConfig& config,
                                    const dp::Event& rounds,
                                    const base::Path& run_folder) {
  const auto vocabulary = ReleasedVocabulary(config, run_folder);
  if (!vocabulary) return {};
  dp::Event choice = *vocabulary->event;
  choice.population = rounds.population;  // simulated people have any name
  if (choice.adjacency != rounds.adjacency) {
    throw Unsupported(
        "cohorts of a fixed size, and a vocabulary chosen from the same users",
        "cohort.sampling",
        "use poisson: words are chosen under add-remove, fixed cohorts are "
        "accounted for replace-one, and no price is proven of both together");
  }
  return {choice};
}

// The smallest noise with which all costs `epsilon` at most.
double NoiseFor(const TrainPlan& plan, double epsilon) {
  const double alone =
      dp::NoiseFor(plan.rounds(), {.epsilon = epsilon, .delta = plan.delta});
  if (plan.before.empty()) return alone;
  const double noise = NoiseWithin(plan, alone, epsilon);
  if (std::isfinite(noise)) return noise;
  throw Error(ErrorKind::kBudgetSpent,
              fmt::format("the vocabulary, released before, leaves nothing of "
                          "ε {:g} for the rounds",
                          epsilon),
              "privacy.epsilon",
              "give more, or a vocabulary that was chosen with more noise");
}

}  // namespace

TrainPlan PlanTraining(const config::TrainConfig& config, const DataFacts& data,
                       const base::Path& run_folder) {
  TrainPlan plan;
  plan.simulation = data.origin != data::Origin::kPrivate;
  plan.root = PopulationName(config, data);
  plan.dataset_ids = data.dataset_ids;
  plan.protects = config::Protects(config.algorithm);
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
  CheckSampling(config);
  CheckCanaries(config, data);
  RequireVocabulary(config, plan.simulation, plan.root);
  // Rule 7: of private data that is an exact answer.
  if (plan.simulation && data.users < 1) {
    throw BadInput("nobody to train on", "data",
                   "give data with users, or a smaller data.test_share");
  }
  plan.population = PopulationOf(config, data, plan.simulation);
  plan.participants =
      dp::ParticipantsOf(SamplingOf(config.cohort, plan.population),
                         {.name = PopulationName(config, data)});
  plan.expected_cohort = config.cohort.sampling == config::Sampling::kEveryone
                             ? static_cast<double>(plan.population)
                             : config.cohort.size;
  if (plan.simulation && plan.population != data.users &&
      !config::Selects(config.select)) {
    plan.remarks.push_back(fmt::format(
        "cohort.population is {} and the data have {} users: about {:.3g} "
        "come per round, and sums are divided by {:g}",
        plan.population, data.users,
        plan.expected_cohort * static_cast<double>(data.users) /
            static_cast<double>(plan.population),
        plan.expected_cohort));
  }
  const double delta = config.privacy.delta;
  plan.delta =
      delta > 0 ? delta : dp::UsualDelta(static_cast<double>(plan.population));
  if (plan.protects) {
    dp::CheckDeltaFor(plan.delta, static_cast<double>(plan.population),
                      "privacy.delta");
  }
  if (!plan.protects) {
    plan.epsilon = std::numeric_limits<double>::infinity();
    return plan;
  }
  const dp::Event rounds{
      .mechanism = dp::Gaussian{},
      .sampling = plan.participants.sampling,
      .adjacency = plan.participants.adjacency,
      .population = plan.participants.population,
      .count =
          config.rounds + (plan.simulation ? 0 : config.privacy.spare_rounds)};
  plan.runs = {{.name = config.name,
                .trains = true,
                .population = rounds.population,
                .events = {rounds}}};
  plan.before = EventsBefore(config, rounds, run_folder);
  SetNoise(plan, config.privacy.noise_multiplier > 0
                     ? config.privacy.noise_multiplier
                     : NoiseFor(plan, config.privacy.epsilon));
  const dp::GaussianMechanism possible(
      {.noise_multiplier = plan.noise_multiplier,
       .clip_norm = config.privacy.clip_norm,
       .participants = plan.participants});  // or throws
  SetPrice(plan);
  const double budget = config.privacy.epsilon;
  if (!IsWithin(plan, budget)) {
    throw Error(
        ErrorKind::kBudgetSpent,
        fmt::format("noise {:g} over {} costs ε {}, and "
                    "privacy.epsilon allows {:g}",
                    plan.noise_multiplier,
                    base::HumanCount(static_cast<std::uint64_t>(config.rounds),
                                     "round"),
                    report::BoundText(plan.epsilon), budget),
        "privacy.noise_multiplier",
        "leave it out to have the noise found, or give fewer rounds");
  }
  return plan;
}

std::string PopulationName(const config::TrainConfig& config,
                           const DataFacts& data) {
  return config.privacy.population.empty() ? data.name
                                           : config.privacy.population;
}

void UseLedgersDelta(config::TrainConfig& config, const DataFacts& data,
                     const std::string& key) {
  const base::Path path = LedgerPath(config, /*simulation=*/false, "");
  if (config.privacy.delta > 0 || !std::filesystem::exists(path)) return;
  config.privacy.delta = dp::Ledger::Open(path, key, dp::Ledger::Mode::kRead)
                             .TotalsOf(PopulationName(config, data))
                             .budget.delta;
}

base::Path LedgerPath(const config::TrainConfig& config, bool simulation,
                      const base::Path& run_folder) {
  if (!config.privacy.ledger.empty()) return config.privacy.ledger;
  if (simulation) return run_folder / "ledger.sqlite";
  return LedgerBeside(config.data.path);
}

}  // namespace sfumato::plan
