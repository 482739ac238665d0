// A plan in its population's ledger: whether it is granted, all of it set aside
// before the first release, what was repeated after a stop.
//
//   const LedgerPrice price = PriceIn(ledger, plan);
//   Reserve(ledger, plan);                           // all of it, or nothing

#pragma once

#include <string>
#include <vector>

#include "dp/ledger/ledger.h"
#include "plan/plan.h"

namespace sfumato::plan {

// Where a plan stands in its population's ledger, as shares of the budget.
struct LedgerPrice {
  double granted_epsilon = 0;
  double granted_delta = 0;
  double used_before = 0;  // with what others set aside
  dp::Price price = {};

  bool fits() const { return price.fits; }
  bool by_plan() const { return price.by_plan; }  // nothing else can follow
};

// Throws BadInput if the data is bound to another population, or the plan's
// delta is above the one that was granted.
LedgerPrice PriceIn(dp::Ledger& ledger, const Plan& plan);

// Binds the data to the population at their first use, adds the populations of
// the runs and sets everything aside before the first release. The same call
// again changes nothing. Throws budget_spent (then what was set aside is given
// back, and another name is needed).
void Reserve(dp::Ledger& ledger, const Plan& plan);

// Whether all of it was reserved, also if it was given back since.
bool IsReserved(dp::Ledger& ledger, const Plan& plan);

// What was reserved beyond the plan, because it was lost in a stop and
// repeated: released or not yet.
std::vector<dp::Event> Repeated(dp::Ledger& ledger, const Plan& plan);

// All that a run released, whatever it belongs to; none if it is not there.
std::vector<dp::Event> ReleasedBy(dp::Ledger& ledger, const std::string& run);

// Gives back what was set aside and not yet released. The price of the whole
// plan still holds: the decision to stop used only what was released.
void GiveBack(dp::Ledger& ledger, const Plan& plan);

}  // namespace sfumato::plan
