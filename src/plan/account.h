// What a list of releases costs: a guarantee with its odds.
//
//   const Spent spent = AccountFor(events, 1e-6, dp::Accountant::kPld);

#pragma once

#include <span>

#include "dp/accounting/accountant.h"

namespace sfumato::plan {

// A guarantee with the odds that follow from it.
struct Spent {
  dp::Guarantee guarantee;
  // How often a guess is right at most, from even odds; NaN when nothing is
  // proven.
  double guessed_right = 0;
};

Spent AccountFor(std::span<const dp::Event> events, double delta,
                 dp::Accountant accountant);

}  // namespace sfumato::plan
