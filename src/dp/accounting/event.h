// What a release cost, as plain data.
//
//   const Event round{.mechanism = Gaussian{.noise_multiplier = 1.0},
//                     .sampling = Poisson{.rate = 0.01},
//                     .count = 1000};
//
// An event holds everything that an accountant may use: replaying recorded
// events gives the same answer years later. On disk an event is one line of
// JSON (docs/event_format.md):
//
//   {"mechanism":"gaussian","noise_multiplier":1.0,
//    "sampling":{"kind":"poisson","rate":0.01},
//    "adjacency":"add-remove","unit":"user","count":1}
//
// Everything released from one cohort is one event (rule 1 of
// docs/privacy_proofs.md): JointNoiseMultiplier gives its noise.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/file.h"
#include "nlohmann/json.hpp"

namespace sfumato::dp {

// Mechanisms. S is the norm to which a contribution was clipped; the accountant
// itself applies the sensitivity that the adjacency implies, S or 2S.

struct Gaussian {
  double noise_multiplier =
      0;  // deviation of the noise on the sum, over S (L2)
  bool operator==(const Gaussian&) const = default;
};
struct Laplace {
  double noise_multiplier = 0;  // scale of the noise on the sum, over S (L1)
  bool operator==(const Laplace&) const = default;
};
// Noise of whole numbers on a sum of whole numbers.
struct DiscreteGaussian {
  double noise_multiplier = 0;   // sigma over S (L2)
  std::int64_t sensitivity = 1;  // S, in the unit of the grid
  std::int64_t dimension = 1;    // numbers that one unit can move
  bool operator==(const DiscreteGaussian&) const = default;
};
struct Skellam {
  double noise_multiplier = 0;      // deviation over S (L2)
  std::int64_t sensitivity = 1;     // S, in the unit of the grid
  std::int64_t l1_sensitivity = 1;  // the same contribution's L1 norm
  bool operator==(const Skellam&) const = default;
};
// epsilon-DP for the event's own adjacency: the exponential mechanism,
// randomised response.
struct Pure {
  double epsilon = 0;
  bool operator==(const Pure&) const = default;
};
// A histogram with Gaussian noise of which only bins above a threshold are
// shown; `delta` bounds the chance that a bin of one unit alone is shown.
struct ThresholdedHistogram {
  double noise_multiplier = 0;
  double delta = 0;
  bool operator==(const ThresholdedHistogram&) const = default;
};
// Anything that is (epsilon, delta)-DP for the event's own adjacency.
struct Approximate {
  double epsilon = 0;
  double delta = 0;
  bool operator==(const Approximate&) const = default;
};
// Gaussian noise on the votes of agents (Zhu et al. 2020). sigma is absolute.
// With `neighbours` = k > 0 an agent's vote is the mean of k one-hot votes.
struct Vote {
  enum class Level { kAgent, kInstance };
  double sigma = 0;
  Level level = Level::kAgent;
  std::int64_t neighbours = 0;
  bool operator==(const Vote&) const = default;
};
// No noise at all: training without privacy. It can be written down; every
// accountant refuses it, and so does the ledger.
struct Unprotected {
  bool operator==(const Unprotected&) const = default;
};

using Mechanism =
    std::variant<Gaussian, Laplace, DiscreteGaussian, Skellam, Pure,
                 ThresholdedHistogram, Approximate, Vote, Unprotected>;

// How the units that took part were drawn.

struct All {  // everyone takes part
  bool operator==(const All&) const = default;
};
struct Poisson {  // a private coin for each unit
  double rate = 0;
  bool operator==(const Poisson&) const = default;
};
struct FixedSize {  // exactly `cohort` of `population`, without replacement
  std::int64_t cohort = 0;
  std::int64_t population = 0;
  bool operator==(const FixedSize&) const = default;
};
struct Revealed {  // a coin whose outcome the outsider learns
  double rate = 0;
  bool operator==(const Revealed&) const = default;
};

using Sampling = std::variant<All, Poisson, FixedSize, Revealed>;

// Which datasets are neighbours: one unit more or less, or one unit's data
// exchanged.
enum class Adjacency { kAddRemove, kReplaceOne };

// Whose data a unit is: all that a user has, or one example.
enum class Unit { kUser, kExample };

// Whose records were asked. All fields may be empty in a what-if.
struct Population {
  std::string name = "";
  std::string root = "";  // the population it was taken from; empty: itself
  std::string partition = "";  // populations of one partition share no user
  bool selected = false;       // chosen by the users' own data

  const std::string& Root() const { return root.empty() ? name : root; }
  bool operator==(const Population&) const = default;
};

struct Event {
  Mechanism mechanism;
  Sampling sampling = All{};
  Adjacency adjacency = Adjacency::kAddRemove;
  Unit unit = Unit::kUser;
  Population population = {};
  std::string cohort = "";  // id of the draw; empty in a what-if
  std::int64_t count = 1;   // of independent events like this

  bool operator==(const Event&) const = default;
};

// The words of the JSON: "gaussian", "poisson", "add-remove", "user", …
std::string_view Name(const Mechanism& mechanism);
std::string_view Name(const Sampling& sampling);
std::string_view Name(Adjacency adjacency);
std::string_view Name(Unit unit);
std::string_view Name(Vote::Level level);

// One short line for people: "gaussian z 1 · poisson 0.01 · add-remove · user ·
// 1000 times".
std::string Describe(const Event& event);

// The share of units that take part: rate, cohort over population, or 1.
double Rate(const Sampling& sampling);

// All that one occurrence's cost depends on, as numbers: events with equal keys
// cost the same.
using CostKey = std::array<double, 7>;
CostKey CostKeyOf(const Event& event);

// The noise of everything released from one cohort together:
// (sum of z_i^-2)^(-1/2). Throws BadInput for none, or one that is not a finite
// number above 0.
double JointNoiseMultiplier(std::span<const double> noise_multipliers);

// Throws BadInput when a number cannot be (NaN, negative noise, a rate above
// one), Unsupported when the event's parts have no proof together.
void CheckEvent(const Event& event);

// Throws Unsupported for an unprotected event, about which nothing is proven.
void RequireProtection(const Event& event);

// CheckEvent and RequireProtection for each; and Unsupported for what no
// accountant may add up: different adjacencies, units or root populations, two
// sampled events of one cohort.
void CheckEvents(std::span<const Event> events);

// Throws BadInput unless kLeastDelta <= delta < 1: below, doubles run out.
inline constexpr double kLeastDelta = 1e-300;
void CheckDelta(double delta);

// With a larger delta the bound fails too often to protect: no ledger grants
// and no plan takes one.
inline constexpr double kLargestDelta = 0.01;

// JSON. EventFromJson throws BadInput naming `where` for an unknown or missing
// key, a wrong type or an impossible value; it ends with CheckEvent.
nlohmann::json ToJson(const Event& event);
Event EventFromJson(const nlohmann::json& json, const std::string& where);

// The events of a file, one JSON object per line. BadInput when there are none.
std::vector<Event> ReadEvents(const base::Path& path);

}  // namespace sfumato::dp
