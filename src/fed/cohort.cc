#include "fed/cohort.h"

namespace sfumato::fed {
namespace {

double MeanOf(double a, std::int64_t of_a, double b, std::int64_t of_b) {
  if (of_a + of_b == 0) return 0;
  return (a * static_cast<double>(of_a) + b * static_cast<double>(of_b)) /
         static_cast<double>(of_a + of_b);
}

}  // namespace

CohortFacts Together(const CohortFacts& a, const CohortFacts& b) {
  return {.users = a.users + b.users,
          .trained = a.trained + b.trained,
          .clipped = a.clipped + b.clipped,
          .not_finite = a.not_finite + b.not_finite,
          .mean_norm = MeanOf(a.mean_norm, a.users - a.not_finite, b.mean_norm,
                              b.users - b.not_finite),
          .mean_loss = MeanOf(a.mean_loss, a.trained, b.mean_loss, b.trained)};
}

}  // namespace sfumato::fed
