#include "plan/account.h"

#include <cmath>
#include <limits>

#include "dp/accounting/pld.h"

namespace sfumato::plan {
namespace {

constexpr double kSharpOddsUpTo = 12;

}  // namespace

Spent AccountFor(std::span<const dp::Event> events, double delta,
                 dp::Accountant accountant) {
  Spent spent{.guarantee = dp::Account(events, delta, accountant)};
  const dp::Guarantee& guarantee = spent.guarantee;
  spent.guessed_right = std::numeric_limits<double>::quiet_NaN();
  if (accountant == dp::Accountant::kPublished) return spent;
  if (std::isfinite(guarantee.epsilon)) {
    spent.guessed_right = dp::GuessedRight(guarantee.epsilon, guarantee.delta);
  }
  // The sharper odds take a second where epsilon is large, and say little.
  if (accountant == dp::Accountant::kPld &&
      guarantee.epsilon <= kSharpOddsUpTo) {
    spent.guessed_right =
        std::fmin(dp::GuessedRight(events), spent.guessed_right);
  }
  return spent;
}

}  // namespace sfumato::plan
