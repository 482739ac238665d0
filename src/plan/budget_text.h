// A population's budget in words: shares, what fits, what it means.

#pragma once

#include <string>

#include "dp/ledger/ledger.h"
#include "nlohmann/json.hpp"

namespace sfumato::plan {

// "12.3 %", "12 times the budget"; "–" when not finite.
std::string Share(double share);

// "someone who guesses whether you took part, …, is right at most 74 times in
// 100": rounded up, in the words of the budget's unit and adjacency (rule 8 of
// docs/privacy_proofs.md).
std::string OddsSentence(const dp::Budget& budget, double right);

// The `Budget` line of a price prompt: used before and used with this plan, or
// that it fits only as a plan after which nothing else can be asked.
std::string BudgetLine(const dp::Totals& totals, const dp::Price& price);

// Throws BadInput for a delta above the granted one: what is proven for a run
// must hold at the ledger's delta.
void RequireGrantedDelta(double delta, const dp::Totals& totals);

// What to do about a price that does not fit: `otherwise`, unless the budget
// was planned to its end and nothing of any size fits.
std::string HintFor(const dp::Price& price, std::string otherwise);

nlohmann::json ToJson(const dp::Budget& budget);

// What the number of an optimal accountant assumes (rule 3).
inline constexpr char kIfFixed[] = "valid if the plan was fixed in advance";
// What it assumes if parts of the plan were repeated after a stop.
inline constexpr char kIfRepeated[] =
    "valid if what was released did not decide what was repeated";

}  // namespace sfumato::plan
