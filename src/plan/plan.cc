#include "plan/plan.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "dp/accounting/calibration.h"
#include "dp/accounting/partition.h"
#include "dp/accounting/pld.h"
#include "plan/guarantee_text.h"

namespace sfumato::plan {

std::vector<dp::Event> Plan::Events() const {
  std::vector<dp::Event> events;
  for (const PlannedRun& run : runs) {
    events.insert(events.end(), run.events.begin(), run.events.end());
  }
  return events;
}

std::vector<dp::Event> Plan::AllEvents() const {
  std::vector<dp::Event> events = Events();
  events.insert(events.end(), before.begin(), before.end());
  return events;
}

bool Plan::Has(const std::string& run) const {
  return std::ranges::find(runs, run, &PlannedRun::name) != runs.end();
}

const PlannedRun& Plan::RunNamed(const std::string& name) const {
  const auto found = std::ranges::find(runs, name, &PlannedRun::name);
  if (found == runs.end()) {
    throw Error(ErrorKind::kBug, "a run that is not in the plan", name);
  }
  return *found;
}

double EpsilonOf(std::span<const dp::Event> events, double delta) {
  if (events.empty()) return 0;
  base::CheckInterrupted();  // a search asks often
  return dp::PldEpsilon(dp::WithoutPartitions(events), delta);
}

Spent PriceOf(const Plan& plan, std::span<const dp::Event> more) {
  std::vector<dp::Event> events = plan.AllEvents();
  events.insert(events.end(), more.begin(), more.end());
  return AccountFor(dp::WithoutPartitions(events), plan.delta,
                    dp::Accountant::kPld);
}

void SetNoise(Plan& plan, double noise) {
  plan.noise_multiplier = noise;
  for (PlannedRun& run : plan.runs) {
    if (!run.trains) continue;
    for (dp::Event& event : run.events) {
      event.mechanism = dp::Gaussian{.noise_multiplier = noise};
    }
  }
}

void SetPrice(Plan& plan) {
  const Spent spent = PriceOf(plan);
  plan.epsilon = spent.guarantee.epsilon;
  plan.guessed_right = spent.guessed_right;
  plan.proof = spent.guarantee.proof;
  plan.against = GuaranteeJson(spent)["holds_against"].get<std::string>();
}

double NoiseWithin(Plan plan, double low, double epsilon) {
  return dp::LeastNoise(
      [&](double noise) {
        SetNoise(plan, noise);
        return EpsilonOf(plan.AllEvents(), plan.delta);
      },
      low, epsilon);
}

bool IsWithin(const Plan& plan, double epsilon) {
  return !(epsilon > 0) || plan.epsilon <= epsilon * (1 + 1e-9);
}

}  // namespace sfumato::plan
