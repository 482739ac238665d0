#include "fed/epsilon_meter.h"

#include <limits>
#include <utility>
#include <variant>

#include "dp/accounting/pld.h"

namespace sfumato::fed {

EpsilonMeter::EpsilonMeter(dp::Event round, double delta,
                           std::vector<dp::Event> before)
    : round_(std::move(round)), before_(std::move(before)), delta_(delta) {
  round_.cohort.clear();
}

double EpsilonMeter::After(std::int64_t rounds) {
  if (rounds == 0) return 0;
  if (std::holds_alternative<dp::Unprotected>(round_.mechanism)) {
    return std::numeric_limits<double>::infinity();
  }
  const auto known = known_.find(rounds);
  if (known != known_.end()) return known->second;
  if (known_.size() >= 16) known_.erase(known_.begin());  // the longest ago
  round_.count = rounds;
  std::vector<dp::Event> all = before_;
  all.push_back(round_);
  return known_[rounds] = dp::PldEpsilon(all, delta_);
}

}  // namespace sfumato::fed
