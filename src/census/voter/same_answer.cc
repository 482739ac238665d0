#include "census/voter/same_answer.h"

#include <algorithm>
#include <numeric>

namespace sfumato::census {
namespace {

constexpr double kSameAnswer = 0.4;

}  // namespace

std::vector<std::size_t> FirstOfSame(const Shares& taken_for) {
  const std::size_t families = taken_for.size();
  std::vector<std::size_t> first_of(families);
  std::iota(first_of.begin(), first_of.end(), std::size_t{0});
  for (std::size_t k = 0; k < families; ++k) {
    for (std::size_t other = 0; other < k; ++other) {
      if (taken_for[k][other] + taken_for[other][k] < kSameAnswer) continue;
      const auto [to, from] = std::minmax(first_of[k], first_of[other]);
      std::ranges::replace(first_of, std::size_t{from}, std::size_t{to});
    }
  }
  return first_of;
}

}  // namespace sfumato::census
