// What a list of events cost, with everything that has to be said beside the
// number.
//
//   const Guarantee spent = Account(events, 1e-6, Accountant::kPld);
//   fmt::print("{}\n", Meaning(spent));
//
// An epsilon without adjacency, unit, sampling and source is not a statement;
// this is where they are put together.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dp/accounting/event.h"

namespace sfumato::dp {

enum class Accountant {
  kPld,        // privacy loss distributions: the tightest
  kRdp,        // Rényi divergences
  kPublished,  // the papers' recipe, for comparison; proves nothing
};

std::string_view Name(Accountant accountant);

struct Guarantee {
  double epsilon = 0;  // +infinity when nothing is proven at this delta
  double delta = 0;
  Accountant accountant = Accountant::kPld;
  Adjacency adjacency = Adjacency::kAddRemove;
  Unit unit = Unit::kUser;
  std::string sampling = "";  // in words: "poisson", or "all and poisson"
  std::string proof = "";     // one line with the source; kPublishedProof: none
  std::vector<std::string> warnings = {};
};

// Throws as CheckEvents, CheckDelta and the accountant; BadInput when there
// are no events. The published recipe knows one kind of sampled Gaussian event
// only.
Guarantee Account(std::span<const Event> events, double delta,
                  Accountant accountant);

// One sentence on what the number means, for people.
std::string Meaning(const Guarantee& guarantee);

// Against whom it holds, and on what condition: the end of "it holds against".
struct Trust {
  bool secret_draw = false;  // it counts on nobody's knowing who was drawn
  bool planned = false;      // and on a plan that was fixed in advance
};
std::string HoldsAgainst(const Trust& trust);

// `value` with `digits` digits, never below it: 1.032445 → 1.0325. A number
// that has no more digits stays as it is.
double RoundedUp(double value, int digits);

// How often a guess whether somebody took part is right at most, from even
// odds: (e^epsilon + delta) / (1 + e^epsilon).
double GuessedRight(double epsilon, double delta);

}  // namespace sfumato::dp
