// Numbers as people read them.
//
//   BoundText(1.032445);   // "1.0325": rounded up, so the bound still holds
//   NumberText(1.032445);  // "1.0324": to the nearest

#pragma once

#include <string>

#include "nlohmann/json.hpp"

namespace sfumato::report {

// Numbers below are written digit by digit, larger ones with an exponent.
constexpr double kLargestCount = 1e15;

// "1.0325", "9,989,043", "unbounded": to the nearest, or a bound rounded up.
std::string NumberText(double value, int digits = 5);
std::string BoundText(double bound, int digits = 5);

// A setting as it was given: "4e-8", "0.828459".
std::string SmallText(double value);

// "at most 65 times in 100": in how many of 100 (or 1,000 …) guesses, rounded
// up; another sentence where nothing is excluded.
std::string Times(double chance);

// A finite number, or null.
nlohmann::json Finite(double value);

}  // namespace sfumato::report
