// Events as JSON (docs/event_format.md).

#include <set>

#include "base/error.h"
#include "base/json_lines.h"
#include "base/suggest.h"
#include "dp/accounting/event.h"
#include "dp/accounting/overloaded.h"
#include "fmt/format.h"

namespace sfumato::dp {
namespace {

using nlohmann::json;

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
                    {"vote", Vote{}},
                    {"unprotected", Unprotected{}}});
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
                 },
                 [](Unprotected m) -> Mechanism { return m; }},
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
                 [](const Unprotected&) {},
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
                   "write one JSON object per line (docs/event_format.md)");
  }
  return events;
}

}  // namespace sfumato::dp
