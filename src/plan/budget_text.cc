#include "plan/budget_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::plan {

std::string Share(double share) {
  return std::isfinite(share) ? dp::ShareText(share) : "–";
}

std::string OddsSentence(const dp::Budget& budget, double right) {
  const bool user = budget.unit == dp::Unit::kUser;
  const char* guess =
      budget.adjacency == dp::Adjacency::kAddRemove
          ? (user ? "whether you took part" : "whether one example was there")
          : (user ? "which of two versions of your data was used"
                  : "which of two versions of an example was "
                    "used");
  const double times = std::min(100.0, std::ceil(100 * right - 1e-9));
  return fmt::format(
      "someone who guesses {}, from even odds and knowing everything else, is "
      "right at most {} times in 100",
      guess, times);
}

std::string BudgetLine(const dp::Totals& totals, const dp::Price& price) {
  const std::string start = fmt::format(
      "Budget   '{}': ε {:g} granted at δ {:g}", totals.population.Root(),
      totals.budget.epsilon, totals.budget.delta);
  if (!price.by_plan) {
    return fmt::format("{}, {} taken before, {} with this\n", start,
                       Share(price.used_before), Share(price.used_after));
  }
  if (price.stage == dp::Stage::kPlan) {
    return start + "; this is part of the plan that it was spent on\n";
  }
  return fmt::format("{}; this fits only as a plan fixed in advance:\n",
                     start) +
         "         once it has begun, nothing else can be asked of them\n";
}

void RequireGrantedDelta(double delta, const dp::Totals& totals) {
  const double granted = totals.budget.delta;
  if (delta <= granted) return;
  throw BadInput(fmt::format("delta {:g}, where '{}' was granted {:g}", delta,
                             totals.population.Root(), granted),
                 "privacy.delta", "leave it out: the ledger's is taken");
}

std::string HintFor(const dp::Price& price, std::string otherwise) {
  return price.stage == dp::Stage::kPlan
             ? "the budget was planned to its end before the first release, "
               "and only that plan can be carried out"
             : std::move(otherwise);
}

nlohmann::json ToJson(const dp::Budget& budget) {
  return {{"epsilon", budget.epsilon},
          {"delta", budget.delta},
          {"adjacency", dp::Name(budget.adjacency)},
          {"unit", dp::Name(budget.unit)},
          {"filter", dp::Name(budget.filter)}};
}

}  // namespace sfumato::plan
