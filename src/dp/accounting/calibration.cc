#include "dp/accounting/calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/interrupt.h"
#include "dp/accounting/gaussian.h"
#include "dp/accounting/privacy_loss.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

void CheckLimit(const Limit& limit) {
  if (!(limit.epsilon > 0 && std::isfinite(limit.epsilon))) {
    throw BadInput(fmt::format("epsilon is {}", limit.epsilon), "epsilon",
                   "give a finite number above 0");
  }
  CheckDelta(limit.delta);
}

double Epsilon(const Event& event, const Limit& limit) {
  base::CheckInterrupted();  // a search asks often
  return Account({&event, 1}, limit.delta, limit.accountant).epsilon;
}

// The largest x in [low, high], as a logarithm, at which the rising function
// f stays at or below `wanted`. REQUIRES: f(low) <= wanted < f(high).
//
// Regula falsi on the logarithms of x and f, which are nearly proportional,
// with a bisection whenever that is too slow. Ends when x or f is known to
// four digits, and returns an x at which f was seen to keep what is wanted.
template <typename F>
double LargestWithin(const F& f, double wanted, double low, double at_low,
                     double high, double at_high) {
  constexpr double kClose = 2e-5;
  const auto height = [&](double y) {
    return std::log(std::max(y, 1e-300) / wanted);
  };
  for (int step = 0; step < 200 && high - low > 1e-6; ++step) {
    if (at_low > wanted * (1 - kClose)) break;
    double middle = 0.5 * (low + high);
    if (step % 3 != 2 && std::isfinite(at_high) && at_low > 0) {
      // Aim a little below what is wanted, so as to end from below.
      const double share = (std::log1p(-0.5 * kClose) - height(at_low)) /
                           (height(at_high) - height(at_low));
      middle = low + std::clamp(share, 1e-3, 1 - 1e-3) * (high - low);
    }
    const double here = f(std::exp(middle));
    if (here <= wanted) {
      low = middle;
      at_low = here;
    } else {
      high = middle;
      at_high = here;
    }
  }
  return std::exp(low);
}

// The largest whole number in 1 … most with f at most `wanted`; 0 when there
// is none.
template <typename F>
std::int64_t LargestCount(const F& f, double wanted, std::int64_t most) {
  double at_low = f(1);
  if (!(at_low <= wanted)) return 0;
  std::int64_t low = 1;
  std::int64_t high = 1;
  double at_high = at_low;
  while (at_high <= wanted) {
    low = high;
    at_low = at_high;
    if (high == most) return most;
    // As if the cost grew with the square root.
    const double guess = static_cast<double>(high) *
                         std::clamp(std::pow(wanted / at_high, 2), 2.0, 1e3);
    high = static_cast<std::int64_t>(
        std::min(static_cast<double>(most), std::ceil(guess)));
    at_high = f(high);
  }
  // The same search as above, on whole numbers, to the last one.
  for (int step = 0; high - low > 1; ++step) {
    double share = 0.5;
    if (step % 3 != 2 && std::isfinite(at_high) && at_low > 0) {
      share = std::log(wanted / at_low) / std::log(at_high / at_low);
    }
    const double guess =
        static_cast<double>(low) *
        std::pow(static_cast<double>(high) / static_cast<double>(low), share);
    const std::int64_t middle =
        std::clamp(static_cast<std::int64_t>(guess), low + 1, high - 1);
    const double here = f(middle);
    if (here <= wanted) {
      low = middle;
      at_low = here;
    } else {
      high = middle;
      at_high = here;
    }
  }
  return low;
}

Sampling WithCohort(const Sampling& kind, std::int64_t cohort,
                    std::int64_t population) {
  if (std::holds_alternative<FixedSize>(kind)) {
    return FixedSize{.cohort = cohort, .population = population};
  }
  const double rate =
      static_cast<double>(cohort) / static_cast<double>(population);
  if (std::holds_alternative<Revealed>(kind)) return Revealed{.rate = rate};
  if (std::holds_alternative<Poisson>(kind)) return Poisson{.rate = rate};
  throw BadInput("a cohort where everyone takes part", "sampling",
                 "give poisson, fixed or revealed");
}

constexpr double kMost = 1e6;  // noise

Error NoNoise(const Limit& limit) {
  return BadInput(
      fmt::format("no noise multiplier up to {:g} keeps epsilon {:g}", kMost,
                  limit.epsilon),
      "epsilon", "grant more, ask for fewer rounds or a smaller cohort");
}

void CheckPopulation(std::int64_t population) {
  if (population < 1 || population > (std::int64_t{1} << 53)) {
    throw BadInput(fmt::format("a population of {}", population), "population",
                   "give a number of users");
  }
}

// The largest count, up to `most`, at which the event that `set` makes of
// `round` keeps the limit. Throws BadInput when not even one does.
template <typename F>
std::int64_t LargestWithinLimit(const Event& round, const Limit& limit,
                                std::int64_t most, const char* one,
                                const F& set) {
  CheckLimit(limit);
  Event event = round;
  event.cohort.clear();
  const std::int64_t largest = LargestCount(
      [&](std::int64_t count) {
        set(event, count);
        return Epsilon(event, limit);
      },
      limit.epsilon, most);
  if (largest == 0) {
    throw BadInput(
        fmt::format("not even one {} keeps epsilon {:g} at delta {:g}", one,
                    limit.epsilon, limit.delta),
        "epsilon", "grant more, add more noise, or ask for less");
  }
  return largest;
}

// Rényi's answer costs little and is near; 1 where it has none.
double FirstGuess(const Event& round, Limit limit) {
  if (limit.accountant != Accountant::kPld) return 1;
  limit.accountant = Accountant::kRdp;
  try {
    return NoiseFor(round, limit);
  } catch (const Error&) {
    return 1;
  }
}

}  // namespace

double LeastNoise(const std::function<double(double noise)>& epsilon_at,
                  double low, double epsilon) {
  if (epsilon_at(low) <= epsilon) return low;
  double high = low;
  do {
    high *= 1.1;
    if (high > kMost) return std::numeric_limits<double>::infinity();
  } while (!(epsilon_at(high) <= epsilon));
  low = std::max(low, high / 1.1);
  while (high / low > 1 + 1e-4) {
    const double middle = std::sqrt(low * high);
    (epsilon_at(middle) <= epsilon ? high : low) = middle;
  }
  return high;
}

double UsualDelta(double users) {
  return std::min(1e-3, std::pow(std::max(1.0, users), -1.1));
}

void CheckDeltaFor(double delta, double users, const std::string& where) {
  if (delta > kLargestDelta) {
    throw BadInput(fmt::format("delta {:g}", delta), where,
                   fmt::format("give at most {:g}, and less than one over the "
                               "users: it is the chance that the bound fails",
                               kLargestDelta));
  }
  if (delta * users < 1) return;
  throw BadInput(
      fmt::format("delta {:g} with {:g} users: publishing one user's data at "
                  "random would already keep it",
                  delta, users),
      where,
      fmt::format(
          "give, or have granted, less than one over the users: {:g} is "
          "usual",
          UsualDelta(users)));
}

double NoiseFor(const Event& round, const Limit& limit) {
  CheckLimit(limit);
  Event event = round;
  if (!std::holds_alternative<Gaussian>(event.mechanism)) {
    throw Unsupported(
        fmt::format("calibrating {} noise", Name(event.mechanism)), "mechanism",
        "calibrate Gaussian noise");
  }
  event.cohort.clear();
  event.mechanism = Gaussian{.noise_multiplier = 1};
  CheckEvent(event);
  const double mu = PlainGaussianMu(event);
  if (mu > 0 && limit.accountant == Accountant::kPld) {
    double noise = mu * std::sqrt(static_cast<double>(event.count)) /
                   GaussianMu(limit.epsilon, limit.delta);
    for (; noise <= kMost; noise *= 1 + 1e-13) {  // past its own rounding
      event.mechanism = Gaussian{.noise_multiplier = noise};
      if (Epsilon(event, limit) <= limit.epsilon) return noise;
    }
    throw NoNoise(limit);
  }
  // A rising function of 1/z, searched outward from a first guess.
  const auto cost = [&](double inverse) {
    event.mechanism = Gaussian{.noise_multiplier = 1 / inverse};
    return Epsilon(event, limit);
  };
  const double widen = std::log(1.25);
  double low = -std::log(FirstGuess(event, limit));
  double high = low;
  double at_low = cost(std::exp(low));
  double at_high = at_low;
  for (double step = widen; at_low > limit.epsilon; step *= 2) {
    high = low;
    at_high = at_low;
    if (low == -std::log(kMost)) throw NoNoise(limit);
    low = std::max(low - step, -std::log(kMost));
    at_low = cost(std::exp(low));
  }
  for (double step = widen; at_high <= limit.epsilon; step *= 2) {
    low = high;
    at_low = at_high;
    high += step;
    if (std::exp(high) > kMost) return std::exp(-low);
    at_high = cost(std::exp(high));
  }
  return 1 / LargestWithin(cost, limit.epsilon, low, at_low, high, at_high);
}

std::int64_t RoundsFor(const Event& round, const Limit& limit) {
  return LargestWithinLimit(
      round, limit, kMostRounds, "round",
      [](Event& event, std::int64_t count) { event.count = count; });
}

std::int64_t CohortFor(const Event& round, std::int64_t population,
                       const Limit& limit) {
  CheckPopulation(population);
  return LargestWithinLimit(round, limit, population, "user per round",
                            [population](Event& event, std::int64_t count) {
                              event.sampling =
                                  WithCohort(event.sampling, count, population);
                            });
}

Scale PrivacyAtScale(const ScaleOptions& options) {
  CheckPopulation(options.population);
  const auto positive = [](double value, const char* name) {
    if (!(value > 0 && std::isfinite(value))) {
      throw BadInput(fmt::format("{} is {}", name, value), name,
                     "give a finite number above 0");
    }
  };
  positive(options.cohort, "cohort");
  positive(options.noise_multiplier, "noise");
  positive(options.wanted_noise, "wanted noise");
  Scale scale;
  scale.factor = options.wanted_noise / options.noise_multiplier;
  const double cohort = std::ceil(scale.factor * options.cohort * (1 - 1e-12));
  if (!(cohort <= static_cast<double>(options.population))) {
    throw BadInput(
        fmt::format("the same noise on the mean needs {:.0f} users per round, "
                    "the population has {}",
                    cohort, options.population),
        "population", "a larger population, or a model that bears more noise");
  }
  scale.cohort = static_cast<std::int64_t>(cohort);
  const double delta = options.delta != 0
                           ? options.delta
                           : 0.01 / static_cast<double>(options.population);
  const auto account = [&](double noise, double users) {
    Event event{.mechanism = Gaussian{.noise_multiplier = noise}};
    event.sampling = WithCohort(
        options.sampling, static_cast<std::int64_t>(users), options.population);
    if (std::holds_alternative<FixedSize>(event.sampling)) {
      event.adjacency = Adjacency::kReplaceOne;
    }
    event.count = options.rounds;
    return Account({&event, 1}, delta, options.accountant);
  };
  scale.unscaled = account(options.noise_multiplier, std::ceil(options.cohort));
  scale.guarantee = account(options.wanted_noise, cohort);
  return scale;
}

}  // namespace sfumato::dp
