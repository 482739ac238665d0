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
std::vector<dp::Event> EventsOf(const std::vector<InspectPlan>& inspections) {
  std::vector<dp::Event> events;
  for (const InspectPlan& plan : inspections) {
    const std::vector<dp::Event> own = plan.Events();
    events.insert(events.end(), own.begin(), own.end());
  }
  return events;
}

// What ε is of: the vocabulary of all of them as well, once.
std::vector<dp::Event> AllEventsOf(
    const std::vector<InspectPlan>& inspections) {
  std::vector<dp::Event> events = EventsOf(inspections);
  const auto& vocabulary = inspections.front().vocabulary;
  if (vocabulary) events.push_back(*vocabulary->event);
  return events;
}

double EpsilonWithNoise(std::vector<InspectPlan> inspections, double noise) {
  base::CheckInterrupted();  // a search asks often
  for (InspectPlan& plan : inspections) plan = WithNoise(plan, noise);
  return dp::PldEpsilon(dp::WithoutPartitions(AllEventsOf(inspections)),
                        inspections.front().delta);
}

Error TooDear(const std::vector<InspectPlan>& inspections, double epsilon) {
  return Error(
      ErrorKind::kBudgetSpent,
      fmt::format("{}the questions of {} alone cost more than ε {:g}",
                  inspections.front().vocabulary ? "the vocabulary and " : "",
                  base::HumanCount(inspections.size(), "inspection"), epsilon),
      "privacy.epsilon",
      "monitor fewer, or give survey more noise, or 0 for what need "
      "not be asked");
}

// The smallest noise from `low` on with which all cost at most `epsilon`.
double NoiseWithin(const std::vector<InspectPlan>& inspections, double low,
                   double epsilon) {
  const double noise = dp::LeastNoise(
      [&](double z) { return EpsilonWithNoise(inspections, z); }, low, epsilon);
  if (std::isinf(noise)) throw TooDear(inspections, epsilon);
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
  if (!(epsilon > 0) || plan.epsilon <= epsilon * (1 + 1e-9)) return;
  throw Error(
      ErrorKind::kBudgetSpent,
      fmt::format("the cost of {} is ε {}, and privacy.epsilon allows {:g}",
                  base::HumanCount(plan.inspections.size(), "inspection"),
                  report::BoundText(plan.epsilon), epsilon),
      "privacy.epsilon",
      fmt::format(
          "--set privacy.noise_multiplier={} would fit, and so may "
          "fewer inspections",
          report::SmallText(
              std::ceil(1e4 * NoiseWithin(plan.inspections,
                                          plan.noise_multiplier, epsilon)) /
              1e4)));
}

}  // namespace

std::vector<dp::Event> MonitorPlan::Events() const {
  return EventsOf(inspections);
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
  MonitorPlan plan{.simulation = one.simulation,
                   .noise_multiplier = one.noise_multiplier,
                   .delta = one.delta,
                   .against = one.against};
  plan.inspections = PlansOf(config, data, options, plan);
  if (!(config.privacy.noise_multiplier > 0)) {
    plan.noise_multiplier = NoiseWithin(plan.inspections, plan.noise_multiplier,
                                        config.privacy.epsilon);
    plan.inspections = PlansOf(config, data, options, plan);
  }
  const Spent spent =
      AccountFor(dp::WithoutPartitions(AllEventsOf(plan.inspections)),
                 plan.delta, dp::Accountant::kPld);
  plan.epsilon = spent.guarantee.epsilon;
  plan.guessed_right = spent.guessed_right;
  CheckBudget(plan, config.privacy.epsilon);
  return plan;
}

LedgerPrice PriceIn(dp::Ledger& ledger, const MonitorPlan& plan) {
  const std::string& root = plan.inspections.front().root;
  ledger.CheckBound(root, plan.inspections.front().dataset_ids);
  RequireGrantedDelta(plan.delta, ledger.TotalsOf(root));
  const auto price = [&](std::size_t count) {
    return ledger.PriceOf(
        root,
        dp::WithoutPartitions(EventsOf(
            {plan.inspections.begin(),
             plan.inspections.begin() + static_cast<std::ptrdiff_t>(count)})));
  };
  const dp::Price all = price(plan.inspections.size());
  if (!all.fits) {
    std::size_t low = 0;
    std::size_t high = plan.inspections.size();
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      (price(middle).fits ? low : high) = middle;
    }
    throw Error(
        ErrorKind::kBudgetSpent,
        fmt::format("no room for {} (ε {}) in what is left of '{}'",
                    base::HumanCount(plan.inspections.size(), "inspection"),
                    report::BoundText(plan.epsilon), root),
        "ledger",
        low > 0 ? fmt::format("--monitor {} would fit; so may more noise", low)
                : HintFor(all,
                          "not even one fits: more noise, fewer rounds or a "
                          "smaller cohort cost less"));
  }
  const dp::Totals totals = ledger.TotalsOf(root);
  return {.granted_epsilon = totals.budget.epsilon,
          .granted_delta = totals.budget.delta,
          .used_before = dp::SharesOf(totals).taken,
          .by_plan = all.by_plan};
}

void ReserveMonitor(dp::Ledger& ledger, const MonitorPlan& plan,
                    std::size_t over) {
  for (std::size_t i = over; i < plan.inspections.size(); ++i) {
    try {
      ReserveInspection(ledger, plan.inspections[i]);
    } catch (const Error&) {
      for (std::size_t j = over; j < i; ++j) {
        GiveBack(ledger, plan.inspections[j]);
      }
      throw;
    }
  }
}

bool IsReserved(dp::Ledger& ledger, const MonitorPlan& plan, std::size_t over) {
  return std::all_of(
      plan.inspections.begin() + static_cast<std::ptrdiff_t>(over),
      plan.inspections.end(),
      [&](const InspectPlan& one) { return IsReserved(ledger, one); });
}

std::optional<double> EpsilonWithRepeated(dp::Ledger& ledger,
                                          const MonitorPlan& plan) {
  std::vector<dp::Event> all = AllEventsOf(plan.inspections);
  const std::size_t planned = all.size();
  for (const InspectPlan& one : plan.inspections) {
    const std::vector<dp::Event> repeated = Repeated(ledger, one);
    all.insert(all.end(), repeated.begin(), repeated.end());
  }
  if (all.size() == planned) return std::nullopt;
  return dp::PldEpsilon(dp::WithoutPartitions(all), plan.delta);
}

std::string PriceLines(const MonitorPlan& plan, const LedgerPrice* price) {
  const InspectPlan& first = plan.inspections.front();
  std::string text =
      fmt::format("Plan     {}{} of {} · noise {}\n",
                  base::HumanCount(plan.inspections.size(), "inspection"),
                  plan.inspections.size() == 1 ? "" : ", each", WorkText(first),
                  report::SmallText(plan.noise_multiplier));
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
  return text;
}

}  // namespace sfumato::plan
