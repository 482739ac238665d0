#include "report/number_text.h"

#include <cmath>

#include "base/progress.h"
#include "dp/accounting/accountant.h"
#include "fmt/format.h"

namespace sfumato::report {
namespace {

// "4e-8" rather than "4e-08", "2e6" rather than "2e+06".
std::string ShortExponent(std::string text) {
  const auto e = text.find('e');
  if (e == std::string::npos || text.size() < e + 4) return text;
  if (text[e + 2] == '0') text.erase(e + 2, 1);
  if (text[e + 1] == '+') text.erase(e + 1, 1);
  return text;
}

}  // namespace

// In how many of 100 (or 1,000 …) guesses, rounded up.
std::string Times(double chance) {
  for (double of = 100; of < 1e7; of *= 10) {
    const double right = std::ceil(of * chance - 1e-9);
    if (right < of && (chance >= 0.51 || of > 100)) {
      return fmt::format("at most {} times in {}",
                         base::HumanCount(static_cast<std::uint64_t>(right)),
                         base::HumanCount(static_cast<std::uint64_t>(of)));
    }
  }
  return "perhaps always: this bound excludes nothing";
}

std::string SmallText(double value) {
  return ShortExponent(fmt::format("{:.6g}", value));
}

std::string NumberText(double value, int digits) {
  if (std::isnan(value)) return "unknown";
  if (std::isinf(value)) return "unbounded";
  if (std::abs(value) >= 1e4 && std::abs(value) < kLargestCount) {
    return (value < 0 ? "-" : "") + base::HumanCount(static_cast<std::uint64_t>(
                                        std::round(std::abs(value))));
  }
  return ShortExponent(fmt::format("{:.{}g}", value, digits));
}

std::string BoundText(double bound, int digits) {
  return NumberText(
      bound >= 1e4 ? std::ceil(bound) : dp::RoundedUp(bound, digits), digits);
}

nlohmann::json Finite(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

}  // namespace sfumato::report
