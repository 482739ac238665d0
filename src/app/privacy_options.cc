#include "app/privacy_options.h"

#include <cmath>

#include "app/options.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/progress.h"
#include "dp/accounting/calibration.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

constexpr double kMostCount = 1e15;

// Calls `take` with the number that was given for `name`; what is not a number
// arrives as NaN, which fails every comparison.
CLI::Option* AddNumber(CLI::App& app, const std::string& name,
                       const std::string& help,
                       std::function<bool(double)> take, const char* todo) {
  return app
      .add_option_function<std::string>(
          name,
          [name, take = std::move(take), todo](const std::string& given) {
            if (!take(base::ParseNumber<double>(given).value_or(NAN))) {
              throw BadInput(fmt::format("'{}' cannot be", given), name, todo);
            }
          },
          help)
      ->option_text("NUMBER");
}

[[noreturn]] void Missing(const char* what, const char* todo) {
  throw BadInput("missing", what, todo);
}

void CheckCohort(const PrivacyOptions& options) {
  if (options.cohort && options.population &&
      *options.cohort > *options.population) {
    throw BadInput(fmt::format("a cohort of {} from a population of {}",
                               base::HumanCount(*options.cohort),
                               base::HumanCount(*options.population)),
                   "--cohort", "draw no more than there are");
  }
}

double RateOf(const PrivacyOptions& options) {
  if (options.rate && options.cohort) {
    throw BadInput("given together with --cohort", "--rate",
                   "give --rate alone, or --cohort and --population");
  }
  if (options.rate) return *options.rate;
  if (!options.cohort) {
    Missing("--cohort",
            "say who takes part: --cohort and --population, or "
            "--rate, or --sampling all");
  }
  if (!options.population) {
    Missing("--population", "a cohort of how many? or give --rate instead");
  }
  return static_cast<double>(*options.cohort) /
         static_cast<double>(*options.population);
}

dp::FixedSize FixedOf(const PrivacyOptions& options) {
  if (options.rate) {
    throw BadInput("a rate for cohorts of fixed size", "--rate",
                   "give --cohort and --population");
  }
  if (!options.cohort || !options.population) {
    Missing(options.cohort ? "--population" : "--cohort",
            "cohorts of fixed size need --cohort and --population");
  }
  return {.cohort = *options.cohort, .population = *options.population};
}

dp::Sampling SamplingOf(const PrivacyOptions& options) {
  if (std::holds_alternative<dp::FixedSize>(options.sampling)) {
    return FixedOf(options);
  }
  if (std::holds_alternative<dp::Poisson>(options.sampling)) {
    return dp::Poisson{.rate = RateOf(options)};
  }
  if (std::holds_alternative<dp::Revealed>(options.sampling)) {
    return dp::Revealed{.rate = RateOf(options)};
  }
  if (options.rate) {
    throw BadInput("given where everyone takes part", "--rate",
                   "leave it out, or choose another --sampling");
  }
  return dp::All{};
}

}  // namespace

CLI::Option* AddPositive(CLI::App& app, const std::string& name,
                         std::optional<double>& value,
                         const std::string& help) {
  return AddNumber(
      app, name, help,
      [&value](double given) {
        value = given;
        return given > 0 && std::isfinite(given);
      },
      "give a finite number above 0");
}

CLI::Option* AddCount(CLI::App& app, const std::string& name,
                      std::optional<std::int64_t>& value,
                      const std::string& help) {
  return AddNumber(
      app, name, help,
      [&value](double given) {
        if (!(given >= 1 && given <= kMostCount)) return false;
        value = static_cast<std::int64_t>(given);
        return given == std::floor(given);
      },
      "give a whole number of 1 or more, such as 2000000 or 2e6");
}

CLI::Option* AddNoise(CLI::App& app, PrivacyOptions& options) {
  return AddPositive(app, "--noise", options.noise,
                     "Noise multiplier: deviation of the Gaussian noise on the "
                     "sum, over the norm to which a contribution is clipped.");
}

CLI::Option* AddRounds(CLI::App& app, PrivacyOptions& options) {
  return AddCount(app, "--rounds", options.rounds,
                  "How often a cohort is drawn and something released.")
      ->option_text("NUMBER=1");
}

CLI::Option* AddEpsilon(CLI::App& app, PrivacyOptions& options) {
  return AddPositive(app, "--epsilon", options.epsilon, "The budget to keep.");
}

CLI::Option* AddDelta(CLI::App& app, PrivacyOptions& options) {
  return AddNumber(
             app, "--delta",
             "Chance with which the bound may fail (default: population^-1.1, "
             "at most 0.001, where the population is given).",
             [&options](double given) {
               options.delta = given;
               return given >= dp::kLeastDelta && given <= dp::kLargestDelta;
             },
             "give a number from 1e-300 to 0.01, well below one over the "
             "population")
      ->option_text("NUMBER");
}

CLI::Option* AddAccountant(CLI::App& app, PrivacyOptions& options) {
  return AddChoice<dp::Accountant>(
      app, "--accountant", options.accountant,
      {{"pld", dp::Accountant::kPld},
       {"rdp", dp::Accountant::kRdp},
       {"published", dp::Accountant::kPublished}},
      "Privacy loss distributions, Rényi divergences, or the papers' own "
      "recipe, which proves nothing.");
}

void AddSampling(CLI::App& app, PrivacyOptions& options,
                 bool cohort_is_wanted) {
  std::vector<std::pair<std::string, dp::Sampling>> kinds = {
      {"poisson", dp::Poisson{}}, {"fixed", dp::FixedSize{}}};
  if (!cohort_is_wanted) kinds.push_back({"all", dp::All{}});
  kinds.push_back({"revealed", dp::Revealed{}});
  AddChoice<dp::Sampling>(
      app, "--sampling", options.sampling, kinds,
      fmt::format(
          "A private coin for each user; a cohort of fixed size; {}or a "
          "coin whose outcome the outsider learns.",
          cohort_is_wanted ? "" : "everyone; "));
  if (!cohort_is_wanted) {
    AddCount(app, "--cohort", options.cohort, "Users drawn in a round.");
    AddNumber(
        app, "--rate", "Share of users drawn, instead of --cohort.",
        [&options](double given) {
          options.rate = given;
          return given > 0 && given <= 1;
        },
        "give a number above 0 and at most 1");
  }
  AddCount(app, "--population", options.population, "Users to draw from.");
  AddChoice<std::optional<dp::Adjacency>>(
      app, "--adjacency", options.adjacency,
      {{"add-remove", dp::Adjacency::kAddRemove},
       {"replace-one", dp::Adjacency::kReplaceOne}},
      "What must not be noticed: that somebody took part, or that their data "
      "were exchanged (default: add-remove; replace-one with --sampling "
      "fixed).")
      ->option_text("add-remove|replace-one");
  AddChoice<dp::Unit>(
      app, "--unit", options.unit,
      {{"user", dp::Unit::kUser}, {"example", dp::Unit::kExample}},
      "Whose contribution was clipped: all that a user has, "
      "or one example.");
}

dp::Event RoundOf(const PrivacyOptions& options) {
  CheckCohort(options);
  dp::Event event{
      .mechanism = dp::Gaussian{.noise_multiplier = options.noise.value_or(1)},
      .sampling = SamplingOf(options)};
  const bool fixed = std::holds_alternative<dp::FixedSize>(event.sampling);
  event.adjacency = options.adjacency.value_or(
      fixed ? dp::Adjacency::kReplaceOne : dp::Adjacency::kAddRemove);
  event.unit = options.unit;
  event.count = options.rounds.value_or(1);
  dp::CheckEvent(event);
  return event;
}

double DeltaOf(const PrivacyOptions& options) {
  if (options.delta && options.population) {
    dp::CheckDeltaFor(*options.delta, static_cast<double>(*options.population),
                      "--delta");
  }
  if (options.delta) return *options.delta;
  if (!options.population) {
    Missing("--delta",
            "give a number well below one over the population, or "
            "--population");
  }
  return dp::UsualDelta(static_cast<double>(*options.population));
}

std::vector<std::string> OptionWarnings(const PrivacyOptions& options) {
  std::vector<std::string> warnings;
  if (std::holds_alternative<dp::All>(options.sampling) && options.cohort) {
    warnings.push_back(
        "everyone takes part with --sampling all: the cohort was not used");
  }
  return warnings;
}

}  // namespace sfumato::app
