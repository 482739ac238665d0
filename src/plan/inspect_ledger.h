// An inspection's plan in its population's ledger: what Reserve (plan_ledger.h)
// does not do, and what goes into the inspection's record.
//
//   dp::Ledger ledger = InspectionLedger(config, plan, folder, key);
//   const LedgerPrice price = GrantedIn(ledger, plan);  // or throws
//   ReserveInspection(ledger, plan);  // all of it, or nothing
//   // After the questions and the models:
//   FillSpent(ledger, plan, record.privacy);

#pragma once

#include <string>
#include <vector>

#include "base/file.h"
#include "config/train_config.h"
#include "dp/ledger/ledger.h"
#include "dp/ledger/standing.h"
#include "plan/inspect_plan_text.h"
#include "plan/plan_ledger.h"
#include "runs/inspection.h"

namespace sfumato::plan {

// The population's ledger. A simulation has its own in `folder`, with a budget
// that the plan fits into; it is created if missing. Throws BadInput if private
// data has none.
dp::Ledger InspectionLedger(const config::TrainConfig& config,
                            const InspectPlan& plan, const base::Path& folder,
                            const std::string& key = "");

// Throws budget_spent, with what would fit, if the ledger cannot pay. Call it
// before ReserveInspection, which takes the price.
LedgerPrice GrantedIn(dp::Ledger& ledger, const InspectPlan& plan);

// Throws Unsupported unless a model declared `released` has a run whose
// releases are in this ledger, on this population, and for a model declared
// `public` whose run says that it was trained on private data.
void CheckProvenance(dp::Ledger& ledger, const InspectPlan& plan);

// CheckProvenance, and Reserve; budget_spent says what would fit.
void ReserveInspection(dp::Ledger& ledger, const InspectPlan& plan);

// Before something is reserved again, for the reason in the lines `why`: shows
// the price of the whole inspection with it and asks, unless `yes`. Throws
// BadInput on any other answer than yes.
void RequireYesForMore(dp::Ledger& ledger, const InspectPlan& plan,
                       const dp::Event& more, const std::string& why, bool yes);

// Fills what the judging model itself cost, if it is declared released (rule 5
// of docs/privacy_proofs.md): its run from the ledger, in a simulation from the
// run's own ledger. Fills nothing if that ledger has no such run.
void FillJudge(dp::Ledger& ledger, const InspectPlan& plan,
               runs::PrivacyRecord& record);

// After ReserveInspection on private data: fills where the ledger stands, what
// it set aside, and its entries. `before`: where it stood before that.
void FillReserved(dp::Ledger& ledger, const Plan& plan,
                  const dp::Shares& before, runs::PrivacyRecord& record);

// After the last release: fills where the ledger stands, its entries and head
// and, if something was repeated after a stop and paid again, the cost of the
// plan with that.
void FillSpent(dp::Ledger& ledger, const Plan& plan,
               runs::PrivacyRecord& record);

// Whether GiveBack came before a model released anything.
bool WasGivenBack(dp::Ledger& ledger, const InspectPlan& plan);

}  // namespace sfumato::plan
