// A guarantee as people read it and as programs do.
//
//   const Spent spent = AccountFor(events, 1e-6, dp::Accountant::kPld);
//   std::string text = GuaranteeText(spent, {{"noise", "1"}});
//   nlohmann::json json = GuaranteeJson(spent);
//
// Bounds are rounded up wherever they are shortened, so that what is printed
// holds too.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "nlohmann/json.hpp"
#include "plan/account.h"

namespace sfumato::plan {

// The guarantee's epsilon; a published one is not a bound, and is rounded.
std::string EpsilonText(const dp::Guarantee& guarantee);

// "Someone who guesses whether you took part … is right at most 65 times in
// 100."
std::string OddsSentence(const Spent& spent);

// "Means    a guess whether somebody took part, …": a line of a price.
std::string MeansLine(double guessed_right,
                      dp::Adjacency adjacency = dp::Adjacency::kAddRemove);

// Wrapped below a line such as "Costs    ε …".
std::string LinesBelow(const std::string& text);
// "         holds against …": one of them.
std::string HoldsAgainstLine(const std::string& against);

using Fact = std::pair<std::string, std::string>;  // name and value

// The drawing of a round in words: "poisson, rate 0.004 (1,000 of 250,000)".
std::string SamplingText(const dp::Event& event);

// What the number means, the odds, the facts (the command's own first), the
// proof and the warnings; lines of at most 80 letters.
std::string GuaranteeText(const Spent& spent, std::vector<Fact> facts);

// "name      value" with long values continued below.
std::string FactsText(const std::vector<Fact>& facts);
std::string Wrapped(const std::string& text, std::size_t indent = 0);

// epsilon (null when unbounded), delta, accountant, adjacency, unit, sampling,
// proof, warnings, holds_against, guessed_right, meaning.
nlohmann::json GuaranteeJson(const Spent& spent);

}  // namespace sfumato::plan
