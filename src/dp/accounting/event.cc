#include "dp/accounting/event.h"

#include <cmath>
#include <set>

#include "base/error.h"
#include "dp/accounting/overloaded.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

template <typename T>
constexpr std::string_view kWord = "";
template <>
constexpr std::string_view kWord<Gaussian> = "gaussian";
template <>
constexpr std::string_view kWord<Laplace> = "laplace";
template <>
constexpr std::string_view kWord<DiscreteGaussian> = "discrete-gaussian";
template <>
constexpr std::string_view kWord<Skellam> = "skellam";
template <>
constexpr std::string_view kWord<Pure> = "pure";
template <>
constexpr std::string_view kWord<ThresholdedHistogram> =
    "thresholded-histogram";
template <>
constexpr std::string_view kWord<Approximate> = "approximate";
template <>
constexpr std::string_view kWord<Vote> = "vote";
template <>
constexpr std::string_view kWord<Unprotected> = "unprotected";
template <>
constexpr std::string_view kWord<All> = "all";
template <>
constexpr std::string_view kWord<Poisson> = "poisson";
template <>
constexpr std::string_view kWord<FixedSize> = "fixed";
template <>
constexpr std::string_view kWord<Revealed> = "revealed";

// Every comparison is written so that NaN fails it.
void RequireNoise(double value, const char* name) {
  if (!(value > 0 && std::isfinite(value))) {
    throw BadInput(fmt::format("{} is {}", name, value), "event",
                   "give a finite number above 0");
  }
}
void RequireEpsilon(double value) {
  if (!(value >= 0 && value <= 1e6)) {
    throw BadInput(fmt::format("epsilon is {}", value), "event",
                   "give a number from 0 to 1e6");
  }
}
void RequireOwnDelta(double value) {
  if (!(value >= 0 && value < 1)) {
    throw BadInput(fmt::format("the event's own delta is {}", value), "event",
                   "give a number from 0 up to, not including, 1");
  }
}
void RequireRate(double value) {
  if (!(value > 0 && value <= 1)) {
    throw BadInput(fmt::format("sampling rate {}", value), "event",
                   "give a number above 0 and at most 1");
  }
}
void RequireCount(std::int64_t value, std::int64_t least, const char* name) {
  if (value < least) {
    throw BadInput(fmt::format("{} is {}", name, value), "event",
                   fmt::format("give {} or more", least));
  }
}

void CheckMechanism(const Mechanism& mechanism) {
  std::visit(Overloaded{
                 [](const Gaussian& m) {
                   RequireNoise(m.noise_multiplier, "noise_multiplier");
                 },
                 [](const Laplace& m) {
                   RequireNoise(m.noise_multiplier, "noise_multiplier");
                 },
                 [](const DiscreteGaussian& m) {
                   RequireNoise(m.noise_multiplier, "noise_multiplier");
                   RequireCount(m.sensitivity, 1, "sensitivity");
                   RequireCount(m.dimension, 1, "dimension");
                 },
                 [](const Skellam& m) {
                   RequireNoise(m.noise_multiplier, "noise_multiplier");
                   RequireCount(m.sensitivity, 1, "sensitivity");
                   // |x|_2 <= |x|_1 <= |x|_2^2 for whole numbers.
                   RequireCount(m.l1_sensitivity, m.sensitivity,
                                "l1_sensitivity");
                 },
                 [](const Pure& m) { RequireEpsilon(m.epsilon); },
                 [](const ThresholdedHistogram& m) {
                   RequireNoise(m.noise_multiplier, "noise_multiplier");
                   RequireOwnDelta(m.delta);
                 },
                 [](const Approximate& m) {
                   RequireEpsilon(m.epsilon);
                   RequireOwnDelta(m.delta);
                 },
                 [](const Vote& m) {
                   RequireNoise(m.sigma, "sigma");
                   RequireCount(m.neighbours, 0, "neighbours");
                 },
                 [](const Unprotected&) {},
             },
             mechanism);
}

void CheckSampling(const Sampling& sampling) {
  std::visit(Overloaded{
                 [](const All&) {},
                 [](const Poisson& s) { RequireRate(s.rate); },
                 [](const Revealed& s) { RequireRate(s.rate); },
                 [](const FixedSize& s) {
                   RequireCount(s.cohort, 1, "cohort");
                   if (s.cohort > s.population) {
                     throw BadInput(fmt::format("a cohort of {} from a "
                                                "population of {}",
                                                s.cohort, s.population),
                                    "event", "draw no more than there are");
                   }
                 },
             },
             sampling);
}

bool Sampled(const Event& event) {
  return !std::holds_alternative<All>(event.sampling);
}

constexpr std::int64_t kMostEvents = 1'000'000'000'000;

Error TooMany() {
  return BadInput("more than 1e12 events", "count",
                  "count what was really released");
}

// Parts that are each right and have no theorem together.
void CheckProof(const Event& event) {
  const bool fixed = std::holds_alternative<FixedSize>(event.sampling);
  const bool replace = event.adjacency == Adjacency::kReplaceOne;
  const bool selected =
      event.population.selected || !event.population.partition.empty();
  if (fixed && selected) {
    throw Unsupported(
        "fixed-size sampling of a population selected by its users' own data",
        "event",
        "replacing a user's data may move them in or out of the selection; "
        "draw by Poisson sampling, with add-remove adjacency");
  }
  if (fixed && !replace) {
    throw Unsupported(
        "fixed-size sampling with add-remove adjacency", "event",
        "give adjacency replace-one, or draw by Poisson sampling");
  }
  if (replace && selected) {
    throw Unsupported(
        "replace-one adjacency for a population selected by its users' own "
        "data",
        "event",
        "replacing a user's data may move them in or out of the selection; "
        "use add-remove");
  }
  if (std::holds_alternative<Vote>(event.mechanism)) {
    if (Sampled(event)) {
      throw Unsupported(
          "a sampled vote", "event",
          "who listens to the agents knows who voted: use sampling all");
    }
    const bool agent =
        std::get<Vote>(event.mechanism).level == Vote::Level::kAgent;
    if (agent != (event.unit == Unit::kUser)) {
      throw BadInput(
          fmt::format("a vote at {} level with unit {}",
                      agent ? "agent" : "instance", Name(event.unit)),
          "event", "agent level is unit user, instance example");
    }
  }
  if (Sampled(event) && !event.cohort.empty() && event.count != 1) {
    throw Unsupported(
        fmt::format("{} events of the one cohort '{}'", event.count,
                    event.cohort),
        "event",
        "everything released from one cohort is one event with joint noise "
        "(sum of z^-2)^(-1/2)");
  }
}

}  // namespace

std::string_view Name(const Mechanism& mechanism) {
  return std::visit([]<typename T>(const T&) { return kWord<T>; }, mechanism);
}
std::string_view Name(const Sampling& sampling) {
  return std::visit([]<typename T>(const T&) { return kWord<T>; }, sampling);
}
std::string_view Name(Adjacency adjacency) {
  return adjacency == Adjacency::kAddRemove ? "add-remove" : "replace-one";
}
std::string_view Name(Unit unit) {
  return unit == Unit::kUser ? "user" : "example";
}
std::string_view Name(Vote::Level level) {
  return level == Vote::Level::kAgent ? "agent" : "instance";
}

std::string Describe(const Event& event) {
  const std::string noise = std::visit(
      Overloaded{
          [](const Pure& m) { return fmt::format("ε {:g}", m.epsilon); },
          [](const Approximate& m) {
            return fmt::format("ε {:g} δ {:g}", m.epsilon, m.delta);
          },
          [](const ThresholdedHistogram& m) {
            return fmt::format("z {:g} δ {:g}", m.noise_multiplier, m.delta);
          },
          [](const Vote& m) {
            return fmt::format("σ {:g} {} level", m.sigma, Name(m.level));
          },
          [](const Unprotected&) { return std::string("no noise"); },
          [](const auto& m) {
            return fmt::format("z {:g}", m.noise_multiplier);
          },
      },
      event.mechanism);
  const std::string drawn = std::visit(
      Overloaded{
          [](const All&) { return std::string("all"); },
          [](const FixedSize& s) {
            return fmt::format("fixed {} of {}", s.cohort, s.population);
          },
          [](const Poisson& s) { return fmt::format("poisson {:g}", s.rate); },
          [](const Revealed& s) {
            return fmt::format("revealed {:g}", s.rate);
          }},
      event.sampling);
  return fmt::format("{} {} · {} · {} · {} · {} {}", Name(event.mechanism),
                     noise, drawn, Name(event.adjacency), Name(event.unit),
                     event.count, event.count == 1 ? "time" : "times");
}

double Rate(const Sampling& sampling) {
  return std::visit(Overloaded{[](const All&) { return 1.0; },
                               [](const FixedSize& s) {
                                 return static_cast<double>(s.cohort) /
                                        static_cast<double>(s.population);
                               },
                               [](const auto& s) { return s.rate; }},
                    sampling);
}

CostKey CostKeyOf(const Event& event) {
  struct Numbers {
    using Few = std::array<double, 3>;
    Few operator()(const Gaussian& m) const { return {m.noise_multiplier}; }
    Few operator()(const Laplace& m) const { return {m.noise_multiplier}; }
    Few operator()(const DiscreteGaussian& m) const {
      return {m.noise_multiplier, static_cast<double>(m.sensitivity),
              static_cast<double>(m.dimension)};
    }
    Few operator()(const Skellam& m) const {
      return {m.noise_multiplier, static_cast<double>(m.sensitivity),
              static_cast<double>(m.l1_sensitivity)};
    }
    Few operator()(const Pure& m) const { return {m.epsilon}; }
    Few operator()(const ThresholdedHistogram& m) const {
      return {m.noise_multiplier, m.delta};
    }
    Few operator()(const Approximate& m) const { return {m.epsilon, m.delta}; }
    Few operator()(const Vote& m) const {
      return {m.sigma, static_cast<double>(m.level),
              static_cast<double>(m.neighbours)};
    }
    Few operator()(const Unprotected&) const { return {}; }
  };
  const auto few = std::visit(Numbers{}, event.mechanism);
  return {static_cast<double>(event.mechanism.index()),
          few[0],
          few[1],
          few[2],
          static_cast<double>(event.sampling.index()),
          Rate(event.sampling),
          static_cast<double>(event.adjacency)};
}

double JointNoiseMultiplier(std::span<const double> noise_multipliers) {
  double precision = 0;
  for (const double z : noise_multipliers) {
    RequireNoise(z, "noise_multiplier");
    precision += 1 / (z * z);
  }
  if (noise_multipliers.empty())
    throw BadInput("no noise multipliers", "event");
  return 1 / std::sqrt(precision);
}

void CheckEvent(const Event& event) {
  CheckMechanism(event.mechanism);
  CheckSampling(event.sampling);
  RequireCount(event.count, 1, "count");
  if (event.count > kMostEvents) throw TooMany();
  CheckProof(event);
}

void RequireProtection(const Event& event) {
  if (std::holds_alternative<Unprotected>(event.mechanism)) {
    throw Unsupported("a release without noise has no privacy guarantee",
                      "event", "train with a noise multiplier above 0");
  }
}

void CheckEvents(std::span<const Event> events) {
  std::set<std::string> cohorts;
  std::int64_t all = 0;
  for (const Event& event : events) {
    CheckEvent(event);
    RequireProtection(event);
    all += event.count;
    if (all > kMostEvents) throw TooMany();
    const Event& first = events.front();
    if (event.adjacency != first.adjacency) {
      throw Unsupported("events of different adjacencies", "events",
                        "account add-remove and replace-one apart");
    }
    if (event.unit != first.unit) {
      throw Unsupported("events of different units", "events",
                        "account users and examples apart");
    }
    if (event.population.Root() != first.population.Root()) {
      throw Unsupported(
          fmt::format("events of the populations '{}' and '{}'",
                      first.population.Root(), event.population.Root()),
          "events", "account each root population apart");
    }
    if (Sampled(event) && !event.cohort.empty() &&
        !cohorts.insert(event.cohort).second) {
      throw Unsupported(
          fmt::format("two sampled events of the one cohort '{}'",
                      event.cohort),
          "events",
          "everything released from one cohort is one event with joint noise "
          "(sum of z^-2)^(-1/2)");
    }
  }
}

void CheckDelta(double delta) {
  if (!(delta >= kLeastDelta && delta < 1)) {
    throw BadInput(fmt::format("delta is {}", delta), "delta",
                   "give a number from 1e-300 to below 1, well below one over "
                   "the population");
  }
}

}  // namespace sfumato::dp
