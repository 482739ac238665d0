// What a population's budget says to people: shares, what fits, what it means.

#pragma once

#include <string>

#include "dp/ledger/ledger.h"
#include "nlohmann/json.hpp"

namespace sfumato::plan {

// "12.3 %", "12 times the budget"; "–" when not finite.
std::string Share(double share);

// "someone who guesses whether you took part, …, is right at most 74 times in
// 100": rounded up, in the words of the budget's unit and adjacency (rule 8).
std::string OddsSentence(const dp::Budget& budget, double right);

// The line Budget of a question about the price: what was taken before and with
// this, or that it fits only as a plan after which nothing else can be asked.
std::string BudgetLine(const dp::Totals& totals, const dp::Price& price);

// Throws BadInput for a delta above the one that was granted: what is proven of
// a run must hold by the ledger's terms.
void RequireGrantedDelta(double delta, const dp::Totals& totals);

// What to do about a price that does not fit: `otherwise`, except where the
// budget was planned to its end and nothing of any size fits.
std::string HintFor(const dp::Price& price, std::string otherwise);

nlohmann::json ToJson(const dp::Budget& budget);

// What the number of an optimal accountant supposes (rule 3).
inline constexpr char kIfFixed[] = "valid if the plan was fixed in advance";
// The same, where a crash or a person had parts of the plan done again.
inline constexpr char kIfRepeated[] =
    "valid if what was released did not decide what was repeated";

}  // namespace sfumato::plan
