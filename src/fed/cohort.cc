#include "fed/cohort.h"

#include <algorithm>

namespace sfumato::fed {
namespace {

double MeanOf(double a, std::int64_t of_a, double b, std::int64_t of_b) {
  if (of_a + of_b == 0) return 0;
  return (a * static_cast<double>(of_a) + b * static_cast<double>(of_b)) /
         static_cast<double>(of_a + of_b);
}

}  // namespace

CohortFacts Summary(std::span<const ClientFacts> clients) {
  CohortFacts facts{.users = static_cast<std::int64_t>(clients.size())};
  for (const ClientFacts& client : clients) {
    const bool trained = client.stepped && client.clip.finite;
    facts.trained += trained ? 1 : 0;
    facts.clipped += client.clip.clipped ? 1 : 0;
    facts.not_finite += client.clip.finite ? 0 : 1;
    facts.mean_norm += client.clip.norm;
    if (trained) facts.mean_loss += client.loss;
  }
  facts.mean_norm /= static_cast<double>(
      std::max<std::int64_t>(1, facts.users - facts.not_finite));
  facts.mean_loss /=
      static_cast<double>(std::max<std::int64_t>(1, facts.trained));
  return facts;
}

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
