#include "base/percent.h"

#include <cmath>

#include "fmt/format.h"

namespace sfumato::base {
namespace {

bool IsLittle(double share) { return share > 0 && share < 0.005; }

}  // namespace

std::string PercentNumber(double share) {
  if (!std::isfinite(share)) return "–";
  const double whole = std::round(100 * share);
  return fmt::format("{}{:.0f}", whole < 0 ? "−" : "", std::abs(whole));
}

std::string Percent(double share) {
  if (!std::isfinite(share)) return "–";
  return IsLittle(share) ? "less than 1 %" : PercentNumber(share) + " %";
}

std::string AboutPercent(double share) {
  return (IsLittle(share) ? "" : "about ") + Percent(share);
}

std::string AtMostPercent(double share) {
  return (IsLittle(share) ? "" : "at most ") + Percent(share);
}

}  // namespace sfumato::base
