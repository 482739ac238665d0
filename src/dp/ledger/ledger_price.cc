// Whether a reservation fits a budget, and what would.

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "dp/ledger/ledger.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

std::string Percent(double share) {
  return std::isfinite(share) ? ShareText(share)
                              : "more than any order of the filter holds";
}

}  // namespace

Standing Ledger::With(Standing standing, const Request& request,
                      std::int64_t first) {
  Kinds& kinds = tables_.KindsOf(request.population.root);
  for (const Event& event : request.events) {
    const std::int64_t count = std::min(first, event.count);
    if (count > 0) standing.Reserve(kinds.Of(event), count);
    first -= count;
  }
  return standing;
}

Verdict Ledger::Judge(const Standing& standing, bool may_compose) {
  const Verdict verdict = standing.Judge();
  if (verdict != Verdict::kAskPlan) return verdict;
  std::string plan = fmt::format("{}\n", standing.filter->budget().delta);
  for (const Tally& tally : standing.tallies) {
    plan += fmt::format("{} {}\n", tally.reserved, tally.kind->key);
  }
  auto found = plan_epsilons_.find(plan);
  if (found == plan_epsilons_.end()) {
    if (!may_compose) return Verdict::kAskPlan;
    if (plan_epsilons_.size() > 100) plan_epsilons_.clear();
    found = plan_epsilons_.emplace(plan, standing.PlanEpsilon()).first;
  }
  return found->second <= standing.filter->budget().epsilon ? Verdict::kFitsPlan
                                                            : Verdict::kRefused;
}

Price Ledger::PriceOf(const std::string& population,
                      std::span<const Event> events) {
  Request request;
  Standing before;
  {
    Transaction transaction(tables_.db(), Transaction::Kind::kRead);
    request = RequestFor("price", population, events);
    before = tables_.StandingOf(request.population.root);
  }
  return PriceOf(request, before);
}

Price Ledger::PriceOf(const Request& request, const Standing& before) {
  const Standing after = With(before, request, request.asked);
  const Verdict verdict = Judge(after, true);
  Price price{.fits = verdict != Verdict::kRefused,
              .by_plan = verdict == Verdict::kFitsPlan,
              .used_before = before.Used(),
              .used_after = after.Used(),
              .stage = before.settlement.stage,
              .fitting = request.asked,
              .asked = request.asked};
  if (price.fits) return price;
  // The most occurrences that fit: more never fit where fewer do not.
  std::int64_t low = 0;
  std::int64_t high = request.asked;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    const bool fits =
        Judge(With(before, request, middle), true) != Verdict::kRefused;
    (fits ? low : high) = middle;
  }
  price.fitting = low;
  return price;
}

Error Ledger::Refusal(const Request& request, const Price& price) {
  const Budget& budget = tables_.KindsOf(request.population.root).budget();
  const std::string& root = request.population.entry.Root();
  for (const Event& event : request.events) {
    const Kind& kind = tables_.KindsOf(request.population.root).Of(event);
    if (!kind.cost && price.stage != Stage::kPlan) {
      return Unsupported(kind.unproven, fmt::format("population '{}'", root),
                         "use a mechanism that the filter has a proof for");
    }
  }
  const std::string fitting =
      price.fitting == 0
          ? std::string("nothing of it fits")
          : fmt::format("the first {} of its {} events would fit",
                        price.fitting, price.asked);
  if (price.stage == Stage::kPlan) {
    return {ErrorKind::kBudgetSpent,
            fmt::format("the budget of '{}' (ε {:g} at δ {:g}) was planned to "
                        "its end before the first release, and this is not in "
                        "the plan",
                        root, budget.epsilon, budget.delta),
            fmt::format("population '{}'", root),
            fitting +
                "; only planned events that were given back can be "
                "reserved again"};
  }
  return {ErrorKind::kBudgetSpent,
          fmt::format("the budget of '{}' (ε {:g} at δ {:g}) would be passed: "
                      "{} of it is taken, with this {}",
                      root, budget.epsilon, budget.delta,
                      Percent(price.used_before), Percent(price.used_after)),
          fmt::format("population '{}'", root),
          fitting + "; more noise or a lower sampling rate costs less"};
}

}  // namespace sfumato::dp
