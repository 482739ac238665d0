#include "plan/plan_fits.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/interrupt.h"
#include "dp/accounting/calibration.h"
#include "fmt/format.h"
#include "plan/guarantee_text.h"
#include "report/number_text.h"

namespace sfumato::plan {
namespace {

using Fits = std::function<bool(const InspectPlan&)>;

// Spare rounds stay as they are: they are paid too. Character models have
// rounds of their own (KindConfig), which `--set rounds` does not change.
InspectPlan WithRounds(InspectPlan plan, std::int64_t rounds) {
  for (const ModelPlan& model : plan.models) {
    if (model.kind == kOfCharacters) continue;
    plan.RoundsOf(model).count += rounds - plan.rounds;
  }
  plan.rounds = rounds;
  return plan;
}

InspectPlan WithCohort(InspectPlan plan, std::int64_t size) {
  plan.cohort = static_cast<double>(size);
  for (const ModelPlan& model : plan.models) {
    plan.RoundsOf(model).sampling =
        dp::Poisson{.rate = plan.cohort / model.users};
  }
  return plan;
}

// The most below `high` for which `fits` says yes; 0: none.
std::int64_t MostBelow(std::int64_t high,
                       const std::function<bool(std::int64_t)>& fits) {
  std::int64_t low = 0;
  while (high - low > 1) {
    base::CheckInterrupted();
    const std::int64_t middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

std::string WhatFits(const InspectPlan& plan, const Fits& fits) {
  std::vector<std::string> ways;
  const double noise = dp::LeastNoise(
      [&](double tried) {
        InspectPlan noisier = plan;
        SetNoise(noisier, tried);
        return fits(noisier) ? 0.0 : 1.0;
      },
      plan.noise_multiplier, 0.5);
  if (std::isfinite(noise)) {
    ways.push_back(fmt::format("--set privacy.noise_multiplier={}",
                               report::SmallText(dp::RoundedUp(noise, 4))));
  }
  if (const auto rounds = MostBelow(
          plan.rounds,
          [&](std::int64_t count) { return fits(WithRounds(plan, count)); });
      rounds > 0) {
    ways.push_back(fmt::format("--set rounds={}", rounds));
  }
  if (const auto size = MostBelow(
          static_cast<std::int64_t>(std::ceil(plan.cohort)),
          [&](std::int64_t count) { return fits(WithCohort(plan, count)); });
      size > 0) {
    ways.push_back(fmt::format("--set cohort.size={}", size));
  }
  std::string text;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (i > 0) text += i + 1 < ways.size() ? ", " : " or ";
    text += ways[i];
  }
  return text;
}

}  // namespace sfumato::plan
