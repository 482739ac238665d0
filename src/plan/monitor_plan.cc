#include "plan/monitor_plan.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "dp/accounting/calibration.h"
#include "dp/accounting/partition.h"
#include "dp/accounting/pld.h"
#include "fmt/format.h"
#include "plan/budget_text.h"
#include "plan/guarantee_text.h"
#include "plan/inspect_ledger.h"
#include "report/number_text.h"

namespace sfumato::plan {
namespace {

constexpr std::int64_t kMostRepetitions = 1000;

// The runs of the inspections from `first` on, and what was paid before, once.
void Join(const std::vector<InspectPlan>& inspections, std::size_t first,
          Plan& plan) {
  plan.runs.clear();
  for (std::size_t i = first; i < inspections.size(); ++i) {
    plan.runs.insert(plan.runs.end(), inspections[i].runs.begin(),
                     inspections[i].runs.end());
  }
  plan.before = inspections.front().before;
}

Error TooDear(const std::vector<InspectPlan>& inspections, double epsilon) {
  return Error(
      ErrorKind::kBudgetSpent,
      fmt::format("{}{}the questions of {} alone cost more than ε {:g}",
                  inspections.front().vocabulary ? "the vocabulary and " : "",
                  inspections.front().census ? "the censuses and " : "",
                  base::HumanCount(inspections.size(), "inspection"), epsilon),
      "privacy.epsilon",
      "monitor fewer, or give survey more noise, or 0 for what need "
      "not be asked");
}

// The smallest noise from the plan's own on with which all cost at most
// `epsilon`.
double NoiseFor(const MonitorPlan& plan, double epsilon) {
  const double noise = NoiseWithin(plan, plan.noise_multiplier, epsilon);
  if (std::isinf(noise)) throw TooDear(plan.inspections, epsilon);
  return noise;
}

std::vector<InspectPlan> PlansOf(const config::TrainConfig& config,
                                 const DataFacts& data,
                                 const MonitorOptions& options,
                                 const MonitorPlan& plan) {
  std::vector<InspectPlan> plans;
  for (std::int64_t i = 1; i <= options.repeat; ++i) {
    plans.push_back(PlanInspection(
        ConfigOfRepetition(config, plan, i), data,
        {.name = fmt::format("{}/{}", options.name, NumberName(i)),
         .above_released = i > 1 && config.select.above_quantile > 0,
         .below_released = i > 1 && config.select.below_quantile > 0}));
  }
  return plans;
}

void CheckBudget(const MonitorPlan& plan, double epsilon) {
  if (IsWithin(plan, epsilon)) return;
  throw Error(
      ErrorKind::kBudgetSpent,
      fmt::format("the cost of {} is ε {}, and privacy.epsilon allows {:g}",
                  base::HumanCount(plan.inspections.size(), "inspection"),
                  report::BoundText(plan.epsilon), epsilon),
      "privacy.epsilon",
      fmt::format(
          "--set privacy.noise_multiplier={} would fit, and so may "
          "fewer inspections",
          report::SmallText(std::ceil(1e4 * NoiseFor(plan, epsilon)) / 1e4)));
}

}  // namespace

Plan MonitorPlan::Remaining(std::size_t done) const {
  Plan rest = *this;
  Join(inspections, done, rest);
  return rest;
}

std::string NumberName(std::int64_t number) {
  return fmt::format("{:02}", number);
}

config::TrainConfig ConfigOfRepetition(const config::TrainConfig& config,
                                       const MonitorPlan& plan,
                                       std::int64_t number) {
  config::TrainConfig own = config;
  own.seed += number - 1;
  if (plan.noise_multiplier > 0) {
    own.privacy.noise_multiplier = plan.noise_multiplier;
    own.privacy.epsilon = 0;  // it is for all of them
  }
  if (plan.delta > 0) own.privacy.delta = plan.delta;
  if (number > 1) {
    own.select.above_quantile = own.select.below_quantile = 0;
  }
  return own;
}

MonitorPlan PlanMonitor(const config::TrainConfig& config,
                        const DataFacts& data, const MonitorOptions& options) {
  if (!(options.repeat >= 1 && options.repeat <= kMostRepetitions)) {
    throw BadInput(fmt::format("{} inspections", options.repeat), "--monitor",
                   fmt::format("give 1 to {}", kMostRepetitions));
  }
  const InspectPlan one = PlanInspection(config, data, {});
  MonitorPlan plan;
  plan.simulation = one.simulation;
  plan.root = one.root;
  plan.dataset_ids = one.dataset_ids;
  plan.noise_multiplier = one.noise_multiplier;
  plan.delta = one.delta;
  const auto join = [&] {
    plan.inspections = PlansOf(config, data, options, plan);
    Join(plan.inspections, 0, plan);
  };
  join();
  if (!(config.privacy.noise_multiplier > 0)) {
    plan.noise_multiplier = NoiseFor(plan, config.privacy.epsilon);
    join();
  }
  SetPrice(plan);
  plan.against = one.against;
  CheckBudget(plan, config.privacy.epsilon);
  return plan;
}

LedgerPrice GrantedIn(dp::Ledger& ledger, const MonitorPlan& plan) {
  const LedgerPrice price = PriceIn(ledger, plan);
  if (price.fits()) return price;
  const auto fits = [&](std::size_t count) {
    MonitorPlan fewer = plan;
    fewer.inspections.resize(count);
    Join(fewer.inspections, 0, fewer);
    return PriceIn(ledger, fewer).fits();
  };
  std::size_t low = 0;
  std::size_t high = plan.inspections.size();
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  throw Error(
      ErrorKind::kBudgetSpent,
      fmt::format("no room for {} (ε {}) in what is left of '{}'",
                  base::HumanCount(plan.inspections.size(), "inspection"),
                  report::BoundText(plan.epsilon), plan.root),
      "ledger",
      low > 0 ? fmt::format("--monitor {} would fit; so may more noise", low)
              : HintFor(price.price,
                        "not even one fits: more noise, fewer rounds or a "
                        "smaller cohort cost less"));
}

std::optional<double> EpsilonWithRepeated(dp::Ledger& ledger,
                                          const MonitorPlan& plan) {
  const std::vector<dp::Event> repeated = Repeated(ledger, plan);
  if (repeated.empty()) return std::nullopt;
  return PriceOf(plan, repeated).guarantee.epsilon;
}

std::string PriceLines(const MonitorPlan& plan, const LedgerPrice* price) {
  const InspectPlan& first = plan.inspections.front();
  std::string text =
      fmt::format("Plan     {}{} of {} · noise {}\n",
                  base::HumanCount(plan.inspections.size(), "inspection"),
                  plan.inspections.size() == 1 ? "" : ", each", WorkText(first),
                  report::SmallText(plan.noise_multiplier));
  if (first.census) {
    text +=
        fmt::format("Census   each begins with {}\n", VoteText(*first.census));
  }
  text += fmt::format(
      "Costs    ε {} at δ {} for all of them together ({}, user, add-remove){}"
      "\n",
      report::BoundText(plan.epsilon), report::SmallText(plan.delta),
      plan.simulation ? "would cost: a simulation spends nothing" : "proven",
      price == nullptr ? "" : GrantedText(first.root, *price));
  text += fmt::format(
      "         the first by itself {}; people may change sides between two, "
      "so each is paid in full\n",
      report::BoundText(first.epsilon));
  text += HoldsAgainstLine(plan.against);
  text += MeansLine(plan.guessed_right);
  if (first.census) text += PowerLine(*first.census);
  return text;
}

}  // namespace sfumato::plan
