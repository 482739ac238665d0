#include "report/at_scale.h"

#include <cmath>

#include "dp/accounting/pld.h"

namespace sfumato::report {

AtScale ProjectToScale(const ScaleOptions& options) {
  const double cohort = options.cohort / options.noise_multiplier;
  if (!(options.noise_multiplier > 0) || !(options.cohort > 0) ||
      !(cohort < 1e12) || options.rounds < 1 || options.models < 1) {
    return {};
  }
  AtScale scale{.cohort = std::llround(std::ceil(cohort - 1e-9))};
  for (const std::int64_t population :
       {100'000, 300'000, 1'000'000, 3'000'000, 10'000'000}) {
    if (scale.cohort > population) continue;
    const dp::Event event{
        .mechanism = dp::Gaussian{.noise_multiplier = 1},
        .sampling = dp::Poisson{.rate = static_cast<double>(scale.cohort) /
                                        static_cast<double>(population)},
        .count = options.rounds * options.models};
    const double delta = 0.01 / static_cast<double>(population);
    scale.rows.push_back({.population = population,
                          .delta = delta,
                          .epsilon = dp::PldEpsilon({&event, 1}, delta)});
  }
  return scale;
}

}  // namespace sfumato::report
