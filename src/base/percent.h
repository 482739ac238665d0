// Shares as people read them, in whole percent; a little is never "0 %".
//
//   base::Percent(0.312);         // "31 %"
//   base::Percent(0.004);         // "less than 1 %"
//   base::AboutPercent(0.08);     // "about 8 %"
//   base::AtMostPercent(0.004);   // "less than 1 %", without "at most"
//   base::PercentNumber(-0.001);  // "0", for ranges and tables

#pragma once

#include <string>

namespace sfumato::base {

// What is not a number is "–".
std::string Percent(double share);
std::string AboutPercent(double share);
std::string AtMostPercent(double share);

// The number alone, rounded: "31", "−3", "0".
std::string PercentNumber(double share);

}  // namespace sfumato::base
