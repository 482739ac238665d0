#include "census/answer/share_text.h"

#include <algorithm>
#include <cmath>

#include "fmt/format.h"

namespace sfumato::census {
namespace {

int DigitsOf(double share) {
  const double size = std::abs(share);
  return size >= 0.0995 || size == 0 ? 0 : size >= 0.00995 ? 1 : 2;
}

std::string Number(double share, int digits) {
  const std::string text =
      fmt::format("{:.{}f}", 100 * std::abs(share), digits);
  if (text.find_first_not_of("0.") == std::string::npos) return "0";
  return share < 0 ? "−" + text : text;
}

}  // namespace

std::string ShareText(double share) {
  if (!std::isfinite(share)) return "–";
  return Number(share, DigitsOf(share)) + " %";
}

std::string RangeText(double low, double high) {
  if (!std::isfinite(low) || !std::isfinite(high)) return "–";
  const int digits = DigitsOf(std::max(std::abs(low), std::abs(high)));
  return fmt::format("{}{}{} %", Number(low, digits), low < 0 ? " to " : "–",
                     Number(high, digits));
}

std::string SentenceOf(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() ? "" : "; ") + part;
  }
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text + ".";
}

}  // namespace sfumato::census
