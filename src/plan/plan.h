// Releases that are fixed in advance: which, who pays, and what they cost
// together. A training, an inspection and a monitor are each a Plan, with
// details of their own on top (train_plan.h, inspect_plan.h, monitor_plan.h).
//
//   Plan plan{.root = "phones", .delta = 1e-6};
//   plan.runs.push_back({.name = "first/a1", .trains = true,
//                        .population = {.name = "phones"},
//                        .events = {rounds}});
//   SetNoise(plan, NoiseWithin(plan, 0.1, 2));  // the least for ε 2
//   SetPrice(plan);
//   plan.epsilon;                               // of everything, at plan.delta
//
// plan_ledger.h reserves a plan, plan_file.h keeps it in a file.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "dp/accounting/event.h"
#include "dp/mechanisms/question.h"
#include "plan/account.h"

namespace sfumato::plan {

// What the ledger has under one name.
struct PlannedRun {
  std::string name = "";  // unique in the ledger
  bool trains = false;    // its noise is the plan's noise multiplier
  dp::Population population = {};
  std::vector<dp::Event> events = {};

  bool operator==(const PlannedRun&) const = default;
};

// One of the questions that everybody is asked (fed/release/survey.h).
struct QuestionPlan {
  dp::Question question = {};
  std::string words = "";
  double epsilon = 0;  // by itself
};

struct Plan {
  bool simulation = false;  // generated or public data: spends nothing
  std::string root = "";    // the population that pays
  std::vector<std::string> dataset_ids = {};  // bound to it
  // Chosen from these users and paid before: in ε, not entered again.
  std::vector<dp::Event> before = {};
  std::vector<PlannedRun> runs = {};  // in the order in which they are reserved
  double noise_multiplier = 0;        // of the runs that train
  double delta = 0;
  double epsilon = 0;  // of everything; +infinity without protection
  double guessed_right = 0;
  std::string proof = "";
  std::string against = "";

  std::vector<dp::Event> Events() const;     // to be entered
  std::vector<dp::Event> AllEvents() const;  // what ε is of
  bool Has(const std::string& run) const;
  const PlannedRun& RunNamed(const std::string& name) const;

  bool operator==(const Plan&) const = default;
};

// What the events cost together; a part of a partition pays once. 0 for none.
double EpsilonOf(std::span<const dp::Event> events, double delta);

// What a plan and further events cost.
Spent PriceOf(const Plan& plan, std::span<const dp::Event> more = {});

void SetNoise(Plan& plan, double noise);
// ε, odds, proof and adversary, from the events.
void SetPrice(Plan& plan);

// The smallest noise, not below `low`, with which everything costs `epsilon` at
// most; +infinity when none is enough.
double NoiseWithin(Plan plan, double low, double epsilon);

// Whether a budget of `epsilon` pays for it; 0: no budget.
bool IsWithin(const Plan& plan, double epsilon);

}  // namespace sfumato::plan
