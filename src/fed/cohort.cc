#include "fed/cohort.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sfumato::fed {
namespace {

constexpr double kMost = 0x1p52;
constexpr double kStepsPerOne = 0x1p52;

}  // namespace

void OrderlessSum::Add(double number) {
  if (std::isnan(number)) {
    nan_ = true;
    return;
  }
  steps_ += static_cast<Wide>(
      std::nearbyint(std::clamp(number, -kMost, kMost) * kStepsPerOne));
}

void OrderlessSum::Add(const OrderlessSum& other) {
  steps_ += other.steps_;
  nan_ = nan_ || other.nan_;
}

double OrderlessSum::Over(std::int64_t count) const {
  if (nan_) return std::numeric_limits<double>::quiet_NaN();
  if (count == 0) return 0;
  return static_cast<double>(steps_) / kStepsPerOne /
         static_cast<double>(count);
}

CohortFacts Summary(std::span<const ClientFacts> clients) {
  CohortFacts facts{.users = static_cast<std::int64_t>(clients.size())};
  for (const ClientFacts& client : clients) {
    const bool trained = client.stepped && client.clip.finite;
    facts.trained += trained ? 1 : 0;
    facts.clipped += client.clip.clipped ? 1 : 0;
    facts.not_finite += client.clip.finite ? 0 : 1;
    facts.norms.Add(client.clip.norm);
    if (trained) facts.losses.Add(client.loss);
  }
  return facts;
}

CohortFacts Together(const CohortFacts& a, const CohortFacts& b) {
  CohortFacts facts = a;
  facts.users += b.users;
  facts.trained += b.trained;
  facts.clipped += b.clipped;
  facts.not_finite += b.not_finite;
  facts.norms.Add(b.norms);
  facts.losses.Add(b.losses);
  return facts;
}

}  // namespace sfumato::fed
