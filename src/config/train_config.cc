#include "config/train_config.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "base/error.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "config/config_fields.h"
#include "config/presets.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

// toml++ asserts that some bad files do not exist ("[%]" is one). Here they are
// an error like any other; without assertions they would be undefined.
namespace sfumato::config {
struct TomlAssertion {};
[[noreturn]] static void FailTomlAssertion() { throw TomlAssertion(); }
}  // namespace sfumato::config
#undef NDEBUG
#define TOML_ASSERT(condition) \
  ((condition) ? void() : ::sfumato::config::FailTomlAssertion())
#define TOML_ENABLE_FORMATTERS 0
#include "toml++/toml.h"

namespace sfumato::config {
namespace {

// Nothing longer is a config.
constexpr std::uint64_t kMostBytes = 1 << 20;

// toml++ has undefined behaviour where it meets letters beyond ASCII between
// its tokens (its issues 190 and 295), so it is shown none: every byte of one
// goes in as a character of the private use area and comes out as that byte.
constexpr char32_t kPrivateArea = 0xE000;

std::string Disguised(std::string_view text) {
  std::string disguised;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    base::AppendUtf8(byte < 0x80 ? byte : kPrivateArea + byte, disguised);
  }
  return disguised;
}

std::string Undisguised(std::string_view text) {
  std::string plain;
  for (; !text.empty();) {
    const base::CodePoint c = base::DecodeUtf8(text);
    if (c.value >= kPrivateArea + 0x80 && c.value <= kPrivateArea + 0xFF) {
      plain += static_cast<char>(c.value - kPrivateArea);
    } else {
      plain.append(text.substr(0, c.size));
    }
    text.remove_prefix(c.size);
  }
  return plain;
}

toml::table ParseToml(std::string_view text) {
  return toml::parse(Disguised(text));
}

bool FailsAssertion(std::string_view text) {
  try {
    ParseToml(text);
  } catch (const toml::parse_error&) {
  } catch (const TomlAssertion&) {
    return true;
  }
  return false;
}

// The first line up to which `text` fails. REQUIRES: it does.
int LineOfAssertion(std::string_view text) {
  std::vector<std::size_t> ends;  // of each line
  for (std::size_t at = text.find('\n'); at != std::string_view::npos;
       at = text.find('\n', at + 1)) {
    ends.push_back(at + 1);
  }
  const auto first = std::partition_point(
      ends.begin(), ends.end(),
      [&](std::size_t end) { return !FailsAssertion(text.substr(0, end)); });
  return static_cast<int>(first - ends.begin()) + 1;
}

// A value as a message may show it.
std::string Shown(const toml::node& node) {
  if (const auto* text = node.as_string()) {
    return fmt::format("'{}'", Undisguised(text->get()).substr(0, 100));
  }
  if (const auto* number = node.as_integer()) {
    return fmt::format("{}", number->get());
  }
  if (const auto* number = node.as_floating_point()) {
    return fmt::format("{}", number->get());
  }
  if (const auto* truth = node.as_boolean()) {
    return truth->get() ? "true" : "false";
  }
  if (node.is_table()) return "a section";
  return node.is_array() ? "a list" : "a date or time";
}

// Puts one TOML value where its field keeps it. Throws BadInput when it is of
// another type, out of range, or no word that is known.
struct Setter {
  const Field& field;
  const toml::node& node;
  const std::string& where;

  Error Expected(const char* what) const {
    return BadInput(fmt::format("{} is {} where {} was expected",
                                field.FullKey(), Shown(node), what),
                    where, fmt::format("{}: {}", field.key, field.comment));
  }

  void CheckRange(double value) const {
    const auto* range = std::get_if<Range>(&field.rule);
    if (range == nullptr || range->Holds(value)) return;
    throw BadInput(
        fmt::format("{} is {}, out of range", field.FullKey(), Shown(node)),
        where, fmt::format("give a value {}", range->Text()));
  }

  void operator()(double* slot) const {
    double value = 0;
    if (const auto* whole = node.as_integer()) {
      value = static_cast<double>(whole->get());
    } else if (const auto* number = node.as_floating_point()) {
      value = number->get();
    } else {
      throw Expected("a number");
    }
    if (!std::isfinite(value)) throw Expected("a finite number");
    CheckRange(value);
    *slot = value + 0.0;  // -0 becomes 0
  }

  void operator()(std::optional<double>* slot) const {
    double value = 0;
    (*this)(&value);
    *slot = value;
  }

  void operator()(std::int64_t* slot) const {
    std::int64_t value = 0;
    if (const auto* whole = node.as_integer()) {
      value = whole->get();
    } else if (const auto* number = node.as_floating_point();
               number != nullptr && IsWhole(number->get())) {
      value = static_cast<std::int64_t>(number->get());  // 1e3
    } else {
      throw Expected("a whole number");
    }
    CheckRange(static_cast<double>(value));
    *slot = value;
  }

  void operator()(bool* slot) const {
    const auto* truth = node.as_boolean();
    if (truth == nullptr) throw Expected("true or false");
    *slot = truth->get();
  }

  void operator()(std::string* slot) const { *slot = Text(); }

  void operator()(const Choice& slot) const {
    const auto word = std::ranges::find(slot.words, Text());
    slot.set(static_cast<std::size_t>(word - slot.words.begin()));
  }

  // Of those that the field knows.
  std::string Text() const {
    const auto* text = node.as_string();
    if (text == nullptr) throw Expected("text in quotes");
    std::string value = Undisguised(text->get());
    if (!base::IsUtf8(value)) throw Expected("text in UTF-8");
    CheckWord(value);
    return value;
  }

  void CheckWord(const std::string& word) const {
    const auto* known = std::get_if<OneOf>(&field.rule);
    if (known == nullptr ||
        std::count(known->words.begin(), known->words.end(), word) > 0) {
      return;
    }
    std::vector<std::string> words = known->words;
    std::erase(words, "");  // may be left out, but is no word to suggest
    std::string todo = base::DidYouMean(word, words);
    if (!base::Nearest(word, words).empty()) {
      todo += fmt::format(" known: {}", fmt::join(words, ", "));
    }
    throw BadInput(fmt::format("{} cannot be {}", field.FullKey(), Shown(node)),
                   where, todo);
  }

  static bool IsWhole(double value) {
    return std::abs(value) <= 0x1p53 && value == std::floor(value);
  }
};

// Rules that tie several keys together.

struct BrokenRule {
  std::string what;
  std::string todo;
  std::vector<std::string> keys;  // that it is about
};

// A threshold is a share or, by a word model, a perplexity.
std::optional<BrokenRule> BrokenThreshold(const SelectConfig& select,
                                          const char* key,
                                          const std::optional<double>& value,
                                          double quantile) {
  if (!value) {
    if (quantile > 0 || !HasThresholds(select.by)) return std::nullopt;
    return BrokenRule{
        fmt::format("sides by {}, and select.{} is not given", Word(select.by),
                    key),
        "give select.above and select.below: only accuracy and perplexity of a "
        "user have private quantiles in their place",
        {"select.by"}};
  }
  const bool perplexity = NeedsWordModel(select.by);
  if (perplexity ? quantile > 0 || *value >= 1 : *value <= 1) {
    return std::nullopt;
  }
  return BrokenRule{
      fmt::format("select.{} is {}, out of range", key, *value),
      perplexity
          ? fmt::format("by {} it is a perplexity, at least 1: side a is below "
                        "select.below, side b above select.above",
                        Word(select.by))
          : "give a share from 0 to 1; of select.by = \"perplexity\" and "
            "\"likelihood\" it is at least 1",
      {fmt::format("select.{}", key), "select.by"}};
}

std::optional<BrokenRule> BrokenRuleOfCanaries(const TrainConfig& c) {
  if (c.canary.users == 0) return std::nullopt;
  if (!ModelsWords(c)) {
    return BrokenRule{"canaries for " + c.model.name,
                      "they are sentences: give model.name = \"word_lm\", or "
                      "canary.users = 0",
                      {"canary.users", "model.name"}};
  }
  if (c.canary.words > c.text.longest_sentence) {
    return BrokenRule{
        fmt::format("canaries of {} words, where sentences are cut after {}",
                    c.canary.words, c.text.longest_sentence),
        "give fewer words, or a longer text.longest_sentence",
        {"canary.words", "text.longest_sentence"}};
  }
  if (Selects(c.select)) {
    return BrokenRule{"canaries among selected users",
                      "give them to a model of everyone: select.by = "
                      "\"everyone\", select.half = 0",
                      {"canary.users", "select.by", "select.half"}};
  }
  return std::nullopt;
}

std::optional<BrokenRule> FirstBrokenRule(const TrainConfig& c) {
  if (c.data.path.empty() && c.data.generate.empty()) {
    return BrokenRule{"neither data.path nor data.generate is given",
                      "name a dataset's folder or a generator",
                      {"data.path", "data.generate"}};
  }
  if (!c.data.path.empty() && !c.data.generate.empty()) {
    return BrokenRule{"both data.path and data.generate are given",
                      "give one of them and leave the other empty",
                      {"data.generate", "data.path"}};
  }
  if (!c.data.test_path.empty() && c.data.test_share > 0) {
    return BrokenRule{"both data.test_path and data.test_share are given",
                      "give one of them",
                      {"data.test_share", "data.test_path"}};
  }
  if (!c.data.public_path.empty() && c.algorithm == Algorithm::kDpFedAvgGan) {
    return BrokenRule{
        "a generator between public data and the users' own",
        "leave data.public_path out; a discriminator is trained by "
        "algorithm = \"dp_fedavg\"",
        {"data.public_path", "algorithm"}};
  }
  if (!c.data.public_path.empty() && ModelsLanguage(c)) {
    return BrokenRule{
        "a language model between public data and the users' own",
        "leave data.public_path out; a model of public text judges by "
        "select.by = \"likelihood\"",
        {"data.public_path", "model.name"}};
  }
  if (ModelsLanguage(c) && c.algorithm == Algorithm::kDpFedAvgGan) {
    return BrokenRule{"a language model, trained as a GAN",
                      "give algorithm = \"dp_fedavg\"",
                      {"algorithm", "model.name"}};
  }
  if (ModelsLanguage(c) && c.lstm.tied &&
      c.lstm.projection != c.lstm.embedding) {
    return BrokenRule{
        fmt::format("tied weights, with an embedding of {} and a projection of "
                    "{}",
                    c.lstm.embedding, c.lstm.projection),
        "make them equal, or give lstm.tied = false",
        {"lstm.projection", "lstm.embedding", "lstm.tied"}};
  }
  if (auto broken = BrokenRuleOfCanaries(c)) return broken;
  // A census trains nothing: its noise follows from census.epsilon. Who trains
  // with this config needs noise all the same (plan/train_plan.h).
  if (Protects(c.algorithm) && c.census.reference.empty() &&
      c.census.voter.empty() && c.census.about == About::kDamage &&
      !(c.privacy.noise_multiplier > 0) && !(c.privacy.epsilon > 0)) {
    return BrokenRule{
        Word(c.algorithm) +
            " without noise: privacy.noise_multiplier and "
            "privacy.epsilon are both 0",
        "give a noise multiplier, or the epsilon to find one for; fedavg "
        "trains without privacy; a census needs census.reference or "
        "census.voter, or census.about = \"classes\", instead",
        {"privacy.noise_multiplier", "privacy.epsilon"}};
  }
  if (c.census.least_examples > c.census.most_examples) {
    return BrokenRule{
        fmt::format("voters with at least {} examples, of which a device looks "
                    "at {}",
                    c.census.least_examples, c.census.most_examples),
        "give census.most_examples at least as many",
        {"census.least_examples", "census.most_examples"}};
  }
  const SelectConfig& select = c.select;
  if (select.by == By::kVote && !select.value.empty()) {
    return BrokenRule{"select.value, where users are chosen by their vote",
                      "the answer they gave is select.answer",
                      {"select.value", "select.by"}};
  }
  if (auto broken = BrokenThreshold(select, "above", select.above,
                                    select.above_quantile)) {
    return broken;
  }
  if (auto broken = BrokenThreshold(select, "below", select.below,
                                    select.below_quantile)) {
    return broken;
  }
  if (!(c.cohort.size > 0 && std::isfinite(c.cohort.size))) {
    return BrokenRule{fmt::format("cohort.size is {}", c.cohort.size),
                      "give the expected number of users per round",
                      {"cohort.size"}};
  }
  if (c.cohort.sampling == Sampling::kFixed &&
      c.cohort.size != std::floor(c.cohort.size)) {
    return BrokenRule{fmt::format("a fixed cohort of {} users", c.cohort.size),
                      "give a whole number, or sampling = \"poisson\"",
                      {"cohort.size", "cohort.sampling"}};
  }
  if (c.cohort.population > 0 &&
      c.cohort.size > static_cast<double>(c.cohort.population)) {
    return BrokenRule{fmt::format("a cohort of {} users from a population of "
                                  "{}",
                                  c.cohort.size, c.cohort.population),
                      "give a smaller cohort.size",
                      {"cohort.size", "cohort.population"}};
  }
  return std::nullopt;
}

// Thresholds that nobody gave are asked for.
void UseUsualQuantiles(SelectConfig& select) {
  if (!HasQuantiles(select.by)) return;
  double& above = select.above_quantile;
  double& below = select.below_quantile;
  if (!select.above && above == 0) above = std::max(kUsualAboveQuantile, below);
  if (!select.below && below == 0) below = std::min(kUsualBelowQuantile, above);
}

class Reader {
 public:
  explicit Reader(std::string where) : where_(std::move(where)) {}

  void ReadToml(std::string_view text) {
    CheckUtf8(text);
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    const toml::table root = Parse(text);
    // A preset is what the rest of the file changes.
    if (const toml::node* preset = root.get("preset")) {
      if (!preset_)
        UsePreset(*preset,
                  fmt::format("{}:{}", where_, preset->source().begin.line));
    }
    for (const auto& [key, node] : root) {
      const std::string name = Undisguised(key.str());
      const toml::table* table = node.as_table();
      if (table == nullptr || FindField("", name) != nullptr) {
        Store("", name, node, At(key));
      } else if (!IsSection(name)) {
        throw BadInput(fmt::format("unknown section [{}]", name), At(key),
                       SuggestSection(name));
      } else {
        for (const auto& [inner, value] : *table) {
          Store(name, Undisguised(inner.str()), value, At(inner));
        }
      }
    }
  }

  // `--set preset=…` comes before the file, which changes it.
  void SetPreset(std::string_view name) {
    UsePreset(toml::value<std::string>(Disguised(name)), "--set preset");
  }

  void Set(std::string_view assignment) {
    const auto equals = assignment.find('=');
    const std::string_view full = assignment.substr(0, equals);
    if (equals == std::string_view::npos || full.empty()) {
      throw BadInput(fmt::format("'{}' is not of the form key=value",
                                 assignment.substr(0, 100)),
                     "--set", "for example --set cohort.size=50");
    }
    const auto dot = full.find('.');
    const bool top = dot == std::string_view::npos;
    const std::string_view section = top ? "" : full.substr(0, dot);
    const std::string_view key = top ? full : full.substr(dot + 1);
    const Field* field = FindField(section, key);
    if (field == nullptr) {
      throw BadInput(fmt::format("unknown key '{}'", full), "--set",
                     SuggestKey(section, key));
    }
    StoreText(*field, assignment.substr(equals + 1),
              fmt::format("--set {}", full));
  }

  TrainConfig Finish() {
    UseUsualQuantiles(config_.select);
    const auto broken = FirstBrokenRule(config_);
    if (!broken) return config_;
    throw BadInput(broken->what, PlaceOf(broken->keys), broken->todo);
  }

 private:
  void UsePreset(const toml::node& node, const std::string& where) {
    preset_ = true;
    StoreNode(*FindField("", "preset"), node, where);
    ReadToml(PresetToml(config_.preset));
  }

  std::string At(const toml::key& key) const {
    return fmt::format("{}:{}", where_, key.source().begin.line);
  }

  void CheckUtf8(std::string_view text) const {
    if (base::IsUtf8(text)) return;
    int line = 1;
    while (base::IsUtf8(text.substr(0, text.find('\n')))) {
      text.remove_prefix(text.find('\n') + 1);
      ++line;
    }
    throw BadInput("not UTF-8", fmt::format("{}:{}", where_, line),
                   "save the file in the encoding UTF-8");
  }

  toml::table Parse(std::string_view text) const {
    const auto refuse = [&](const std::string& why, auto line) {
      return BadInput(
          fmt::format("not valid TOML{}", why),
          fmt::format("{}:{}", where_, line),
          "a config has lines like rounds = 100 below headings like [cohort]");
    };
    try {
      return ParseToml(text);
    } catch (const toml::parse_error& error) {
      throw refuse(": " + Undisguised(error.description()),
                   error.source().begin.line);
    } catch (const TomlAssertion&) {
      throw refuse("", LineOfAssertion(text));
    }
  }

  void Store(const std::string& section, const std::string& key,
             const toml::node& node, const std::string& where) {
    if (const Field* field = FindField(section, key)) {
      return StoreNode(*field, node, where);
    }
    if (section.empty() && IsSection(key)) {
      throw BadInput(fmt::format("'{}' is {} where a section was expected", key,
                                 Shown(node)),
                     where, fmt::format("put its keys below [{}]", key));
    }
    throw BadInput(fmt::format("unknown key '{}{}{}'", section,
                               section.empty() ? "" : ".", key),
                   where, SuggestKey(section, key));
  }

  // A shell takes quotes away, so text may stand as it is.
  void StoreText(const Field& field, std::string_view text,
                 const std::string& where) {
    const Slot slot = field.slot(config_);
    const bool wants_text = std::holds_alternative<std::string*>(slot) ||
                            std::holds_alternative<Choice>(slot);
    toml::table parsed;
    try {
      parsed = ParseToml(fmt::format("v = {}", text));
    } catch (const toml::parse_error&) {  // then it is text
    } catch (const TomlAssertion&) {
    }
    const toml::node* node = parsed.size() == 1 ? parsed.get("v") : nullptr;
    if (node != nullptr && (!wants_text || node->is_string())) {
      StoreNode(field, *node, where);
    } else {
      StoreNode(field, toml::value<std::string>(Disguised(text)), where);
    }
  }

  void StoreNode(const Field& field, const toml::node& node,
                 const std::string& where) {
    std::visit(Setter{field, node, where}, field.slot(config_));
    places_[field.FullKey()] = where;
  }

  // Of the first of `keys` that was given; else the file.
  std::string PlaceOf(std::span<const std::string> keys) const {
    for (const std::string& key : keys) {
      const auto found = places_.find(key);
      if (found != places_.end()) return found->second;
    }
    return where_;
  }

  std::string where_;
  TrainConfig config_ = {};
  bool preset_ = false;
  std::map<std::string, std::string> places_ = {};  // key → file:line or --set
};

// A basic string of TOML.
std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      quoted += fmt::format("\\u{:04X}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

struct ValueText {
  std::string operator()(const std::string* text) const {
    return Quoted(*text);
  }
  std::string operator()(const Choice& choice) const {
    return Quoted(choice.Word());
  }
  std::string operator()(const bool* truth) const {
    return *truth ? "true" : "false";
  }
  std::string operator()(const std::optional<double>* number) const {
    return *number ? fmt::format("{}", **number) : "";
  }
  // The shortest digits that read back as the same number.
  std::string operator()(const auto* number) const {
    return fmt::format("{}", *number);
  }
};

}  // namespace

bool ModelsWords(const TrainConfig& config) {
  return config.model.name == "word_lm";
}
bool ModelsCharacters(const TrainConfig& config) {
  return config.model.name == "char_lm";
}
bool ModelsLanguage(const TrainConfig& config) {
  return ModelsWords(config) || ModelsCharacters(config);
}

bool Protects(Algorithm algorithm) { return algorithm != Algorithm::kFedAvg; }

bool Draws(const TrainConfig& config) {
  return config.algorithm == Algorithm::kDpFedAvgGan || ModelsLanguage(config);
}

bool Selects(const SelectConfig& config) {
  return config.by != By::kEveryone || config.half != 0;
}

bool NeedsModel(By by) { return by == By::kExamples || HasThresholds(by); }

bool NeedsWordModel(By by) {
  return by == By::kPerplexity || by == By::kLikelihood;
}

bool HasThresholds(By by) {
  return by == By::kAccuracy || by == By::kUnlikePublic || NeedsWordModel(by);
}

bool HasQuantiles(By by) {
  return by == By::kAccuracy || by == By::kPerplexity;
}

void CheckThresholds(const SelectConfig& config) {
  const bool given = config.above && config.below &&
                     config.above_quantile == 0 && config.below_quantile == 0;
  if (!HasThresholds(config.by) || !given || *config.above >= *config.below) {
    return;
  }
  throw BadInput(fmt::format("above {:g} and below {:g} overlap", *config.above,
                             *config.below),
                 "select.below", "give at most select.above");
}

bool GeneratesReference(const CensusConfig& config) {
  return config.reference == "handwriting" || config.reference == "forum";
}

bool SidesShareNobody(By by) {
  return by == By::kAccuracy || by == By::kPerplexity || by == By::kVote;
}

TrainConfig ParseTrainConfig(std::string_view toml, const std::string& where,
                             const std::vector<std::string>& sets) {
  Reader reader(where);
  for (const std::string& set : sets) {
    constexpr std::string_view kPreset = "preset=";
    if (set.starts_with(kPreset)) {
      reader.SetPreset(std::string_view(set).substr(kPreset.size()));
    }
  }
  reader.ReadToml(toml);
  for (const std::string& set : sets) reader.Set(set);
  return reader.Finish();
}

TrainConfig ReadTrainConfig(const base::Path& path,
                            const std::vector<std::string>& sets) {
  return ParseTrainConfig(base::ReadFile(path, kMostBytes), path.string(),
                          sets);
}

std::string ValueToml(const Field& field, TrainConfig& config) {
  return std::visit(ValueText(), field.slot(config));
}

std::string ToToml(const TrainConfig& config) {
  TrainConfig copy = config;  // slots point into what may be changed
  std::string toml;
  std::string section;
  for (const Field& field : Fields()) {
    if (field.section != section) {
      section = field.section;
      toml += fmt::format("\n[{}]\n", section);
    }
    const std::string value = ValueToml(field, copy);
    const std::string line = value.empty()
                                 ? fmt::format("# {}: not given", field.key)
                                 : fmt::format("{} = {}", field.key, value);
    toml += fmt::format("{:<28} # {}\n", line, field.comment);
  }
  return toml;
}

std::string ChangedKeys(const TrainConfig& config) {
  TrainConfig copy = config;
  TrainConfig usual;
  std::string changed;
  for (const Field& field : Fields()) {
    const std::string value = ValueToml(field, copy);
    if (value == ValueToml(field, usual)) continue;
    changed += fmt::format("{} = {}\n", field.FullKey(), value);
  }
  return changed;
}

}  // namespace sfumato::config
