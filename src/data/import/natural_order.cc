#include "data/import/natural_order.h"

#include <algorithm>
#include <cstddef>

#include "base/ascii.h"

namespace sfumato::data {
namespace {

// Takes the digits at the front of `text`, without leading zeros.
std::string_view TakeNumber(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), base::IsDigit);
  std::string_view number =
      text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(number.size());
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

// Negative, zero or positive, as strcmp.
int Compare(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (base::IsDigit(a.front()) && base::IsDigit(b.front())) {
      const std::string_view x = TakeNumber(a);
      const std::string_view y = TakeNumber(b);
      if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
      if (const int order = x.compare(y); order != 0) return order;
    } else {
      if (a.front() != b.front()) {
        return static_cast<unsigned char>(a.front()) <
                       static_cast<unsigned char>(b.front())
                   ? -1
                   : 1;
      }
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return static_cast<int>(!a.empty()) - static_cast<int>(!b.empty());
}

}  // namespace

bool NaturalLess::operator()(std::string_view a, std::string_view b) const {
  const int order = Compare(a, b);
  return order != 0 ? order < 0 : a < b;
}

}  // namespace sfumato::data
