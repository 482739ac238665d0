#include "dp/accounting/event.h"

#include <cmath>
#include <set>

#include "base/error.h"
#include "base/json_lines.h"
#include "base/suggest.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

using nlohmann::json;

template <typename... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <typename... F>
Overloaded(F...) -> Overloaded<F...>;

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

// Reading JSON: every key is asked for once; what was not asked for is unknown.
class Fields {
 public:
  Fields(const json& object, std::string where)
      : object_(object), where_(std::move(where)) {
    if (!object.is_object()) {
      throw BadInput("an event must be a JSON object", where_);
    }
  }

  bool Has(const std::string& key) {
    known_.insert(key);
    return object_.contains(key);
  }
  const json& Value(const std::string& key) {
    if (!Has(key)) throw BadInput(fmt::format("missing '{}'", key), where_);
    return object_[key];
  }
  double Number(const std::string& key) {
    const json& value = Value(key);
    if (!value.is_number()) throw WrongType(key, "a number");
    return value.get<double>();
  }
  std::int64_t Whole(const std::string& key) {
    const json& value = Value(key);
    if (!value.is_number_integer() ||
        (value.is_number_unsigned() &&
         value.get<std::uint64_t>() > std::uint64_t{INT64_MAX})) {
      throw WrongType(key, "a whole number");
    }
    return value.get<std::int64_t>();
  }
  std::string Text(const std::string& key) {
    const json& value = Value(key);
    if (!value.is_string()) throw WrongType(key, "a string");
    return value.get<std::string>();
  }
  bool Flag(const std::string& key) {
    const json& value = Value(key);
    if (!value.is_boolean()) throw WrongType(key, "true or false");
    return value.get<bool>();
  }
  // One of a few words.
  template <typename T>
  T Choice(const std::string& key,
           std::initializer_list<std::pair<std::string, T>> choices) {
    const std::string word = Text(key);
    std::vector<std::string> words;
    for (const auto& [name, value] : choices) {
      if (name == word) return value;
      words.push_back(name);
    }
    throw BadInput(fmt::format("unknown {} '{}'", key, word), where_,
                   base::DidYouMean(word, words));
  }
  void RefuseOthers() const {
    for (const auto& [key, value] : object_.items()) {
      if (known_.contains(key)) continue;
      const std::vector<std::string> words(known_.begin(), known_.end());
      throw BadInput(fmt::format("unknown key '{}'", key), where_,
                     base::DidYouMean(key, words));
    }
  }

 private:
  Error WrongType(const std::string& key, const char* wanted) const {
    return BadInput(fmt::format("'{}' must be {}", key, wanted), where_);
  }

  const json& object_;
  std::string where_;
  std::set<std::string> known_;
};

Mechanism MechanismFromJson(Fields& fields) {
  const Mechanism kind = fields.Choice<Mechanism>(
      "mechanism", {{"gaussian", Gaussian{}},
                    {"laplace", Laplace{}},
                    {"discrete-gaussian", DiscreteGaussian{}},
                    {"skellam", Skellam{}},
                    {"pure", Pure{}},
                    {"thresholded-histogram", ThresholdedHistogram{}},
                    {"approximate", Approximate{}},
                    {"vote", Vote{}}});
  return std::visit(
      Overloaded{[&](Gaussian m) -> Mechanism {
                   m.noise_multiplier = fields.Number("noise_multiplier");
                   return m;
                 },
                 [&](Laplace m) -> Mechanism {
                   m.noise_multiplier = fields.Number("noise_multiplier");
                   return m;
                 },
                 [&](DiscreteGaussian m) -> Mechanism {
                   m.noise_multiplier = fields.Number("noise_multiplier");
                   m.sensitivity = fields.Whole("sensitivity");
                   if (fields.Has("dimension")) {
                     m.dimension = fields.Whole("dimension");
                   }
                   return m;
                 },
                 [&](Skellam m) -> Mechanism {
                   m.noise_multiplier = fields.Number("noise_multiplier");
                   m.sensitivity = fields.Whole("sensitivity");
                   m.l1_sensitivity = fields.Whole("l1_sensitivity");
                   return m;
                 },
                 [&](Pure m) -> Mechanism {
                   m.epsilon = fields.Number("epsilon");
                   return m;
                 },
                 [&](ThresholdedHistogram m) -> Mechanism {
                   m.noise_multiplier = fields.Number("noise_multiplier");
                   m.delta = fields.Number("delta");
                   return m;
                 },
                 [&](Approximate m) -> Mechanism {
                   m.epsilon = fields.Number("epsilon");
                   m.delta = fields.Number("delta");
                   return m;
                 },
                 [&](Vote m) -> Mechanism {
                   m.sigma = fields.Number("sigma");
                   m.level = fields.Choice<Vote::Level>(
                       "level", {{"agent", Vote::Level::kAgent},
                                 {"instance", Vote::Level::kInstance}});
                   if (fields.Has("neighbours")) {
                     m.neighbours = fields.Whole("neighbours");
                   }
                   return m;
                 }},
      kind);
}

Sampling SamplingFromJson(const json& object, const std::string& where) {
  Fields fields(object, where + ", sampling");
  const Sampling kind =
      fields.Choice<Sampling>("kind", {{"all", All{}},
                                       {"poisson", Poisson{}},
                                       {"fixed", FixedSize{}},
                                       {"revealed", Revealed{}}});
  const Sampling sampling =
      std::visit(Overloaded{[&](All s) -> Sampling { return s; },
                            [&](Poisson s) -> Sampling {
                              s.rate = fields.Number("rate");
                              return s;
                            },
                            [&](FixedSize s) -> Sampling {
                              s.cohort = fields.Whole("cohort");
                              s.population = fields.Whole("population");
                              return s;
                            },
                            [&](Revealed s) -> Sampling {
                              s.rate = fields.Number("rate");
                              return s;
                            }},
                 kind);
  fields.RefuseOthers();
  return sampling;
}

Population PopulationFromJson(const json& object, const std::string& where) {
  Fields fields(object, where + ", population");
  Population population{.name = fields.Text("name")};
  if (fields.Has("root")) population.root = fields.Text("root");
  if (fields.Has("partition")) population.partition = fields.Text("partition");
  if (fields.Has("selected")) population.selected = fields.Flag("selected");
  fields.RefuseOthers();
  return population;
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

void CheckEvents(std::span<const Event> events) {
  std::set<std::string> cohorts;
  std::int64_t all = 0;
  for (const Event& event : events) {
    CheckEvent(event);
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
  if (!(delta > 0 && delta < 1)) {
    throw BadInput(fmt::format("delta is {}", delta), "delta",
                   "give a number between 0 and 1, well below one over the "
                   "population");
  }
}

nlohmann::json ToJson(const Event& event) {
  json out = {{"mechanism", Name(event.mechanism)}};
  std::visit(Overloaded{
                 [&](const Gaussian& m) {
                   out["noise_multiplier"] = m.noise_multiplier;
                 },
                 [&](const Laplace& m) {
                   out["noise_multiplier"] = m.noise_multiplier;
                 },
                 [&](const DiscreteGaussian& m) {
                   out["noise_multiplier"] = m.noise_multiplier;
                   out["sensitivity"] = m.sensitivity;
                   out["dimension"] = m.dimension;
                 },
                 [&](const Skellam& m) {
                   out["noise_multiplier"] = m.noise_multiplier;
                   out["sensitivity"] = m.sensitivity;
                   out["l1_sensitivity"] = m.l1_sensitivity;
                 },
                 [&](const Pure& m) { out["epsilon"] = m.epsilon; },
                 [&](const ThresholdedHistogram& m) {
                   out["noise_multiplier"] = m.noise_multiplier;
                   out["delta"] = m.delta;
                 },
                 [&](const Approximate& m) {
                   out["epsilon"] = m.epsilon;
                   out["delta"] = m.delta;
                 },
                 [&](const Vote& m) {
                   out["sigma"] = m.sigma;
                   out["level"] = Name(m.level);
                   if (m.neighbours > 0) out["neighbours"] = m.neighbours;
                 },
             },
             event.mechanism);
  json& sampling = out["sampling"];
  sampling["kind"] = Name(event.sampling);
  std::visit(Overloaded{[](const All&) {},
                        [&](const FixedSize& s) {
                          sampling["cohort"] = s.cohort;
                          sampling["population"] = s.population;
                        },
                        [&](const auto& s) { sampling["rate"] = s.rate; }},
             event.sampling);
  out["adjacency"] = Name(event.adjacency);
  out["unit"] = Name(event.unit);
  if (event.population != Population{}) {
    json& population = out["population"];
    population["name"] = event.population.name;
    if (!event.population.root.empty()) {
      population["root"] = event.population.root;
    }
    if (!event.population.partition.empty()) {
      population["partition"] = event.population.partition;
    }
    if (event.population.selected) population["selected"] = true;
  }
  if (!event.cohort.empty()) out["cohort"] = event.cohort;
  out["count"] = event.count;
  return out;
}

Event EventFromJson(const nlohmann::json& json, const std::string& where) {
  Fields fields(json, where);
  Event event{.mechanism = MechanismFromJson(fields)};
  event.sampling = SamplingFromJson(fields.Value("sampling"), where);
  event.adjacency = fields.Choice<Adjacency>(
      "adjacency", {{"add-remove", Adjacency::kAddRemove},
                    {"replace-one", Adjacency::kReplaceOne}});
  event.unit = fields.Choice<Unit>(
      "unit", {{"user", Unit::kUser}, {"example", Unit::kExample}});
  if (fields.Has("population")) {
    event.population = PopulationFromJson(fields.Value("population"), where);
  }
  if (fields.Has("cohort")) event.cohort = fields.Text("cohort");
  if (fields.Has("count")) event.count = fields.Whole("count");
  fields.RefuseOthers();
  try {
    CheckEvent(event);
  } catch (const Error& error) {
    throw Error(error.kind(), error.what(), where, error.todo());
  }
  return event;
}

std::vector<Event> ReadEvents(const base::Path& path) {
  std::vector<Event> events;
  // Unlike a log's, a cut last line is an error: it is a cost.
  const std::string text = base::ReadFile(path) + '\n';
  base::ParseJsonLines(
      text, path.string(), [&](const nlohmann::json& line, int number) {
        events.push_back(
            EventFromJson(line, fmt::format("{}:{}", path.string(), number)));
      });
  if (events.empty()) {
    throw BadInput("no events", path.string(),
                   "write one JSON object a line (docs/event_format.md)");
  }
  return events;
}

}  // namespace sfumato::dp
