// Shares of users as people read them, with enough digits for small ones.
//
//   ShareText(0.312);            // "31 %"
//   ShareText(0.0526);           // "5.3 %"
//   ShareText(0.0026);           // "0.26 %"
//   RangeText(0.0412, 0.0683);   // "4.1–6.8 %"
//   SentenceOf({"mirrored: 5 %", "turned: 3 %"});   // one sentence of both

#pragma once

#include <string>
#include <vector>

namespace sfumato::census {

std::string ShareText(double share);
std::string RangeText(double low, double high);
// "Mirrored: 5 %; turned: 3 %."
std::string SentenceOf(const std::vector<std::string>& parts);

}  // namespace sfumato::census
