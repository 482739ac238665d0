// Plans of an inspection, for tests.

#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <regex>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/error_testing.h"
#include "dp/accounting/accountant.h"
#include "plan/inspect_plan.h"

namespace sfumato::plan {

inline const DataFacts kPublic{
    .name = "people", .origin = data::Origin::kPublic, .users = 4000};
inline const DataFacts kPrivate{
    .name = "phones", .origin = data::Origin::kPrivate, .users = 4000};

// Sides of 1,000 users, halves of 500, cohorts of 25: rate 0.05.
inline config::TrainConfig Config() {
  config::TrainConfig config;
  config.algorithm = config::Algorithm::kDpFedAvgGan;
  config.rounds = 40;
  config.data.path = "people";
  config.select.by = config::By::kAccuracy;
  config.select.above = 0.9;
  config.select.below = 0.8;
  config.select.model = "classifier";
  config.select.model_is = config::Provenance::kPublic;
  config.select.users_a = 1000;
  config.select.users_b = 1000;
  config.cohort.size = 25;
  config.privacy.noise_multiplier = 1;
  config.privacy.delta = 1e-5;
  return config;
}

inline config::TrainConfig Unasked() {
  config::TrainConfig config = Config();
  config.survey = {.quantile_epsilon = 0.1,
                   .count_noise = 0,
                   .histogram_noise = 0,
                   .correction_noise = 0};
  return config;
}

inline InspectPlan PlanOf(const config::TrainConfig& config,
                          const DataFacts& data = kPublic) {
  return PlanInspection(config, data, {.name = "first"});
}

inline dp::Event Rounds(double rate, std::int64_t count) {
  return {.mechanism = dp::Gaussian{.noise_multiplier = 1},
          .sampling = dp::Poisson{.rate = rate},
          .count = count};
}
// A histogram or a count: a user moves one bar.
inline const dp::Event kBars{.mechanism =
                                 dp::DiscreteGaussian{.noise_multiplier = 20}};
inline double Epsilon(const std::vector<dp::Event>& events) {
  return dp::Account(events, 1e-5, dp::Accountant::kPld).epsilon;
}

// The noise, rounds and cohort that would fit, behind the whole of it.
inline std::vector<std::string> WaysIn(const std::string& todo) {
  std::smatch found;
  std::regex_search(
      todo, found,
      std::regex("noise_multiplier=([0-9.]+), --set rounds=([0-9]+) or --set "
                 "cohort.size=([0-9]+) would fit"));
  return {found.begin(), found.end()};
}

}  // namespace sfumato::plan
