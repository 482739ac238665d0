// An inspection's plan as lines for people, and as part of its record.
//
//   base::Note(PriceLines(plan));              // Plan, Costs, Means

#pragma once

#include <string>
#include <vector>

#include "plan/inspect_plan.h"
#include "plan/plan_ledger.h"
#include "runs/inspection.h"

namespace sfumato::plan {

// "   population "phones": 12 % used, ε 8 granted", behind a price.
std::string GrantedText(const std::string& root, const LedgerPrice& price);

// "8 models · 60 and 100 rounds".
std::string WorkText(const InspectPlan& plan);

// The lines Plan, Census, Asks, Costs, Means and Power; without `price` nothing
// about the ledger.
std::string PriceLines(const InspectPlan& plan,
                       const LedgerPrice* price = nullptr);

// "Will see in simulation, …\n"; empty where there was none.
std::string WillSeeLine(const std::vector<runs::PowerRow>& power);

void FillPrivacy(const InspectPlan& plan, runs::PrivacyRecord& record);

}  // namespace sfumato::plan
