// A guarantee as people read it and as programs do.
//
//   const Spent spent = AccountFor(events, 1e-6, dp::Accountant::kPld);
//   answer.text = GuaranteeText(spent, {{"noise", "1"}});
//   answer.json = GuaranteeJson(spent);
//
// Bounds are rounded up wherever they are shortened, so that what is printed
// holds too.

#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dp/accounting/accountant.h"
#include "nlohmann/json.hpp"
#include "report/number_text.h"

namespace sfumato::app {

// A guarantee with the odds that follow from it.
struct Spent {
  dp::Guarantee guarantee;
  // How often a guess is right at most, from even odds; NaN when nothing is
  // proven.
  double guessed_right = 0;
};

Spent AccountFor(std::span<const dp::Event> events, double delta,
                 dp::Accountant accountant);

using report::BoundText;
using report::Finite;
using report::NumberText;
using report::SmallText;

// The guarantee's epsilon; a published one is no bound, and is rounded.
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

}  // namespace sfumato::app
