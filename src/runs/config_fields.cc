#include "runs/config_fields.h"

#include <cmath>
#include <cstdint>
#include <utility>

#include "base/suggest.h"
#include "fmt/format.h"

namespace sfumato::runs {
namespace {

Range AtLeast(double low) { return {.low = low}; }
Range Above(double low) { return {.low = low, .open_low = true}; }
Range Between(double low, double high) { return {.low = low, .high = high}; }
Range FromToBelow(double low, double high) {
  return {.low = low, .high = high, .open_high = true};
}
Range AboveTo(double low, double high) {
  return {.low = low, .high = high, .open_low = true};
}
Range AboveToBelow(double low, double high) {
  return {.low = low, .high = high, .open_low = true, .open_high = true};
}

// One line of a section's table.
template <typename Struct>
struct Row {
  using Member = std::variant<std::string Struct::*, std::int64_t Struct::*,
                              double Struct::*, bool Struct::*>;

  Row(const char* row_key, Member row_member, const char* row_comment,
      Rule row_rule = Rule())
      : key(row_key),
        member(row_member),
        comment(row_comment),
        rule(std::move(row_rule)) {}

  std::string key;
  Member member;
  std::string comment;
  Rule rule;
};

template <typename Struct, typename Get>
void Add(std::vector<Field>& fields, const std::string& section, Get get,
         std::vector<Row<Struct>> rows) {
  for (Row<Struct>& row : rows) {
    fields.push_back({section, row.key, row.comment, row.rule,
                      [get, member = row.member](TrainConfig& config) {
                        return std::visit(
                            [&](auto m) -> Slot { return &(get(config).*m); },
                            member);
                      }});
  }
}

template <typename Struct>
void Section(std::vector<Field>& fields, const std::string& name,
             Struct TrainConfig::* part, std::vector<Row<Struct>> rows) {
  Add(
      fields, name,
      [part](TrainConfig& config) -> Struct& { return config.*part; },
      std::move(rows));
}

// Names of checkpoints have room for six digits.
constexpr double kMostRounds = 999'999;

std::vector<Field> MakeFields() {
  std::vector<Field> f;
  Add<TrainConfig>(
      f, "", [](TrainConfig& config) -> TrainConfig& { return config; },
      {{"name", &TrainConfig::name, "for people; part of the run's folder"},
       {"algorithm", &TrainConfig::algorithm,
        "dp_fedavg, or fedavg without any privacy",
        OneOf{{"fedavg", "dp_fedavg"}}},
       {"rounds", &TrainConfig::rounds, "how many", Between(1, kMostRounds)},
       {"seed", &TrainConfig::seed,
        "of everything random in a simulation; never of noise that protects",
        AtLeast(0)}});
  Section<DataConfig>(
      f, "data", &TrainConfig::data,
      {{"path", &DataConfig::path,
        "a dataset's folder (relative: to where the program is started), or"},
       {"generate", &DataConfig::generate, "generated people: handwriting",
        OneOf{{"", "handwriting"}}},
       {"users", &DataConfig::users, "of a generated set", AtLeast(1)},
       {"examples", &DataConfig::examples, "of a generated user, on average",
        AtLeast(1)},
       {"seed", &DataConfig::seed, "of a generated set", AtLeast(0)},
       {"test_path", &DataConfig::test_path,
        "examples that are evaluated on and never trained, or"},
       {"test_share", &DataConfig::test_share,
        "this share of the users is kept for that", FromToBelow(0, 1)}});
  Section<ModelConfig>(f, "model", &TrainConfig::model,
                       {{"name", &ModelConfig::name, "what is trained"}});
  Section<CohortConfig>(
      f, "cohort", &TrainConfig::cohort,
      {{"sampling", &CohortConfig::sampling,
        "poisson (a private coin for each user), fixed, everyone",
        OneOf{{"poisson", "fixed", "everyone"}}},
       {"size", &CohortConfig::size,
        "expected users a round; sums are divided by it (of everyone, by the "
        "population)",
        Above(0)},
       {"population", &CohortConfig::population,
        "users that the rate refers to; 0: those of the data", AtLeast(0)},
       {"weights", &CohortConfig::weights,
        "uniform, or by a user's examples up to weight_cap",
        OneOf{{"uniform", "examples"}}},
       {"weight_cap", &CohortConfig::weight_cap,
        "examples beyond this add no weight", Above(0)},
       {"expected_weight", &CohortConfig::expected_weight,
        "mean of min(examples, cap) / cap; divides too", AboveTo(0, 1)}});
  Section<LocalConfig>(
      f, "local", &TrainConfig::local,
      {{"epochs", &LocalConfig::epochs, "over a user's examples", AtLeast(1)},
       {"max_steps", &LocalConfig::max_steps, "0: as many as the epochs take",
        AtLeast(0)},
       {"batch_size", &LocalConfig::batch_size,
        "examples a step; the last batch may be smaller", AtLeast(1)},
       {"learning_rate", &LocalConfig::learning_rate, "of the user's SGD",
        Above(0)},
       {"momentum", &LocalConfig::momentum, "of the user's SGD",
        FromToBelow(0, 1)}});
  Section<ServerConfig>(
      f, "server", &TrainConfig::server,
      {{"optimizer", &ServerConfig::optimizer,
        "what moves the model by the released mean: sgd, momentum, nesterov, "
        "adam, yogi",
        OneOf{{"sgd", "momentum", "nesterov", "adam", "yogi"}}},
       {"learning_rate", &ServerConfig::learning_rate, "of that", Above(0)},
       {"momentum", &ServerConfig::momentum,
        "of momentum and nesterov; beta1 of adam and yogi", FromToBelow(0, 1)},
       {"beta2", &ServerConfig::beta2, "of adam and yogi", FromToBelow(0, 1)},
       {"epsilon", &ServerConfig::epsilon,
        "of adam and yogi; nothing to do with privacy", Above(0)}});
  Section<PrivacyConfig>(
      f, "privacy", &TrainConfig::privacy,
      {{"noise_multiplier", &PrivacyConfig::noise_multiplier,
        "z: deviation of the noise on the sum, over the clip norm; 0: found "
        "from epsilon",
        AtLeast(0)},
       {"epsilon", &PrivacyConfig::epsilon,
        "the budget; 0: none, the noise alone decides", AtLeast(0)},
       {"delta", &PrivacyConfig::delta,
        "0: of private data the ledger's, else 1 / population^1.1, at most "
        "1e-3",
        FromToBelow(0, 1)},
       {"clipping", &PrivacyConfig::clipping,
        "of every update's norm: fixed, or adaptive to a private quantile",
        OneOf{{"fixed", "adaptive"}}},
       {"clip_norm", &PrivacyConfig::clip_norm,
        "S; where adaptive clipping starts", Above(0)},
       {"target_quantile", &PrivacyConfig::target_quantile,
        "of the updates' norms; adaptive clipping", AboveToBelow(0, 1)},
       {"clip_learning_rate", &PrivacyConfig::clip_learning_rate,
        "adaptive clipping", Above(0)},
       {"spare_rounds", &PrivacyConfig::spare_rounds,
        "private data: paid in advance, for rounds that a crash repeats",
        AtLeast(0)},
       {"population", &PrivacyConfig::population,
        "its name in the ledger; empty: the data's name"},
       {"ledger", &PrivacyConfig::ledger,
        "empty: beside the data; of a simulation: in the run"}});
  Section<EvaluationConfig>(
      f, "evaluation", &TrainConfig::evaluation,
      {{"every", &EvaluationConfig::every, "rounds; 0: only at the end",
        AtLeast(0)},
       {"users", &EvaluationConfig::users,
        "judge so many of the test users; 0: all", AtLeast(0)}});
  Section<CheckpointConfig>(
      f, "checkpoint", &TrainConfig::checkpoint,
      {{"every", &CheckpointConfig::every, "rounds", AtLeast(1)},
       {"keep_every", &CheckpointConfig::keep_every,
        "keep first, last and each so many-th round's; 0: only those",
        AtLeast(0)}});
  Section<DeviceConfig>(
      f, "device", &TrainConfig::device,
      {{"name", &DeviceConfig::name, "auto, cpu, cuda",
        OneOf{{"auto", "cpu", "cuda"}}},
       {"threads", &DeviceConfig::threads,
        "clients at a time on CPUs; 0: all cores", AtLeast(0)},
       {"lanes", &DeviceConfig::lanes,
        "clients at a time on a GPU; 0: by memory", AtLeast(0)},
       {"tf32", &DeviceConfig::tf32,
        "GPU matrix products with 10-bit mantissas"}});
  return f;
}

std::vector<std::string> KeysOf(std::string_view section) {
  std::vector<std::string> keys;
  for (const Field& field : Fields()) {
    if (field.section == section) keys.push_back(field.key);
  }
  return keys;
}

// The same key in other sections: "did you mean 'local.momentum' or …?"
std::string SameKeyElsewhere(std::string_view key) {
  std::string found;
  for (const Field& field : Fields()) {
    if (field.key != key) continue;
    found += fmt::format("{}'{}'", found.empty() ? "did you mean " : " or ",
                         field.FullKey());
  }
  return found.empty() ? found : found + "?";
}

std::string Joined(std::string_view section, std::string_view key) {
  return section.empty() ? std::string(key)
                         : fmt::format("{}.{}", section, key);
}

}  // namespace

bool Range::Holds(double value) const {
  return (open_low ? value > low : value >= low) &&
         (open_high ? value < high : value <= high);
}

std::string Range::Text() const {
  const std::string_view from = open_low ? "above" : "at least";
  if (std::isinf(high)) return fmt::format("{} {}", from, low);
  return fmt::format("{} {} {} {}", open_low ? "above" : "from", low,
                     open_high ? "to below" : "to", high);
}

std::string Field::FullKey() const { return Joined(section, key); }

const std::vector<Field>& Fields() {
  static const std::vector<Field> fields = MakeFields();
  return fields;
}

const Field* FindField(std::string_view section, std::string_view key) {
  for (const Field& field : Fields()) {
    if (field.section == section && field.key == key) return &field;
  }
  return nullptr;
}

std::vector<std::string> Sections() {
  std::vector<std::string> names;
  for (const Field& field : Fields()) {
    if (field.section.empty()) continue;
    if (names.empty() || names.back() != field.section) {
      names.push_back(field.section);
    }
  }
  return names;
}

bool IsSection(std::string_view name) {
  return !name.empty() && !KeysOf(name).empty();
}

std::string SuggestKey(std::string_view section, std::string_view key) {
  const std::vector<std::string> here = KeysOf(section);
  const std::string nearest = base::Nearest(key, here);
  if (!nearest.empty()) {
    return fmt::format("did you mean '{}'?", Joined(section, nearest));
  }
  std::vector<std::string> all;
  for (const Field& field : Fields()) all.push_back(field.FullKey());
  const std::string full = Joined(section, key);
  if (!base::Nearest(full, all).empty()) return base::DidYouMean(full, all);
  const std::string elsewhere = SameKeyElsewhere(key);
  if (!elsewhere.empty()) return elsewhere;
  if (!section.empty() && here.empty()) return SuggestSection(section);
  return base::DidYouMean(key, here);  // near to none: all that there are
}

std::string SuggestSection(std::string_view name) {
  return base::DidYouMean(name, Sections());
}

}  // namespace sfumato::runs
