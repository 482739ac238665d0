// The options that the commands of `sfumato privacy` share, and what they mean
// together.
//
//   auto given = std::make_shared<PrivacyOptions>();
//   AddNoise(app, *given);
//   AddSampling(app, *given);
//   AddDelta(app, *given);
//   return [given] { return Price(RoundOf(*given), DeltaOf(*given)); };
//
// An impossible number is refused while options are parsed, by its option's
// name; options that contradict one another, by RoundOf and DeltaOf.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "dp/accounting/accountant.h"
#include "dp/accounting/event.h"

namespace sfumato::app {

struct PrivacyOptions {
  std::optional<double> epsilon;
  std::optional<double> delta;
  std::optional<double> noise;
  std::optional<double> rate;
  std::optional<std::int64_t> rounds;
  std::optional<std::int64_t> cohort;
  std::optional<std::int64_t> population;
  dp::Sampling sampling = dp::Poisson{};  // its kind only
  std::optional<dp::Adjacency> adjacency;
  dp::Unit unit = dp::Unit::kUser;
  dp::Accountant accountant = dp::Accountant::kPld;
};

// A finite number above 0.
CLI::Option* AddPositive(CLI::App& app, const std::string& name,
                         std::optional<double>& value, const std::string& help);

// A whole number from 1 to 1e15, as 2000000 or as 2e6.
CLI::Option* AddCount(CLI::App& app, const std::string& name,
                      std::optional<std::int64_t>& value,
                      const std::string& help);

// --noise, --rounds; --epsilon; --delta and --accountant.
CLI::Option* AddNoise(CLI::App& app, PrivacyOptions& options);
CLI::Option* AddRounds(CLI::App& app, PrivacyOptions& options);
CLI::Option* AddEpsilon(CLI::App& app, PrivacyOptions& options);
CLI::Option* AddDelta(CLI::App& app, PrivacyOptions& options);
CLI::Option* AddAccountant(CLI::App& app, PrivacyOptions& options);

// Who takes part and whose privacy it is: --sampling, --cohort, --population,
// --rate (unless the command looks for the cohort), --adjacency, --unit.
void AddSampling(CLI::App& app, PrivacyOptions& options,
                 bool cohort_is_wanted = false);

// The rounds as one event, with noise multiplier 1 where none was given.
// Throws BadInput when it is not said who takes part, or twice; and what
// dp::CheckEvent throws.
dp::Event RoundOf(const PrivacyOptions& options);

// --delta, or dp::UsualDelta of the population. Throws BadInput without either,
// and for a delta that is not below one over the population.
double DeltaOf(const PrivacyOptions& options);

// Remarks that belong beside every answer.
std::vector<std::string> OptionWarnings(const PrivacyOptions& options);

}  // namespace sfumato::app
