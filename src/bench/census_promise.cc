#include "bench/census_promise.h"

#include <cmath>
#include <cstdint>

namespace sfumato::bench {
namespace {

// P(at most `count` of n), each with probability p.
double LowerTail(std::int64_t count, std::int64_t n, double p) {
  if (count >= n || p <= 0) return 1;
  if (p >= 1) return 0;
  double sum = 0;
  for (std::int64_t k = 0; k <= count; ++k) {
    const auto x = static_cast<double>(k);
    const auto y = static_cast<double>(n - k);
    sum += std::exp(std::lgamma(x + y + 1) - std::lgamma(x + 1) -
                    std::lgamma(y + 1) + x * std::log(p) + y * std::log1p(-p));
  }
  return sum;
}

}  // namespace

bool IsKept(const Promise& promise, const CensusTally& tally, bool one_damage) {
  const std::int64_t n = tally.censuses;
  const auto reaches = [&](std::int64_t count, double share) {
    return one_damage
               ? LowerTail(count, n, share) >= 0.05
               : static_cast<double>(count) >= share * static_cast<double>(n);
  };
  return reaches(n - tally.differs, 1 - promise.differs) &&
         reaches(n - tally.wrong, 1 - promise.wrong) &&
         reaches(tally.named, promise.named) &&
         reaches(tally.covered, promise.covered) &&
         reaches(tally.open, promise.open);
}

}  // namespace sfumato::bench
