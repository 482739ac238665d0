#include "config/config_reference.h"

#include <map>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "config/config_fields.h"
#include "config/presets.h"
#include "config/train_config.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sfumato::config {
namespace {

constexpr std::string_view kIntroduction = R"(# Config reference

Every key of a config file, with its default. `sfumato config --reference` prints this page.

- `sfumato census FILE.toml`, `sfumato train FILE.toml` and `sfumato inspect FILE.toml` read a TOML file. Every key has a default, so a file names only what it changes; the least is a source of data and, for an algorithm with privacy, `privacy.epsilon` or `privacy.noise_multiplier`.
- `--set KEY=VALUE` changes one key for one command and wins over the file: `--set cohort.size=50 --set model.name=mlp`.
- `sfumato config` lists the built-in configs, which these commands also take by name; `sfumato config quick > mine.toml` prints one to start from.
- `preset = "gan_quick"` starts from a set of values, [listed below](#presets), which the file then changes.
- A run's folder keeps the effective config, every key with its value, as `config.toml`.

[Training](training.md) and [inspecting](inspecting.md) explain how the keys work together, the [glossary](glossary.md) the words.
)";

const std::map<std::string, std::string_view> kSections = {
    {"", "Keys above the first section."},
    {"data", "Which data, read or generated, and which bug a simulation has."},
    {"model", "The model."},
    {"lstm", "Sizes of the language models `word_lm` and `char_lm`."},
    {"text", "How text becomes symbols."},
    {"canary",
     "Planted sentences, which measure what a language model remembers of one "
     "user ([canaries](training.md#canaries))."},
    {"gan", "Training of a generator (`algorithm = \"dp_fedavg_gan\"`)."},
    {"select",
     "Whose data is used. Each device checks the criterion for itself."},
    {"survey",
     "Questions to all users before an inspection trains, each with its own "
     "noise and price."},
    {"primary",
     "The classifier that an inspection of generated people judges with. It is "
     "trained on other generated people, so it is public."},
    {"inspect", "What an inspection trains and compares."},
    {"census",
     "A vote of all users on which damage their own examples have; trains "
     "nothing on them."},
    {"cohort", "Who takes part in a round, and with which weight."},
    {"local", "Training on each device."},
    {"server", "What the server does with the released mean update."},
    {"privacy", "Noise, clipping, budget and ledger."},
    {"evaluation", "Evaluation on the test users during training."},
    {"checkpoint", "Which states of training are kept."},
    {"device", "Where cohorts are trained."}};

std::string Code(std::string_view text) { return fmt::format("`{}`", text); }

std::string Type(const Field& field) {
  TrainConfig config;
  if (std::holds_alternative<OneOf>(field.rule)) return "word";
  if (std::holds_alternative<Input>(field.rule)) return "path";
  return std::visit(
      [](auto slot) -> std::string {
        if (std::is_same_v<decltype(slot), bool*>) return "true or false";
        if (std::is_same_v<decltype(slot), std::int64_t*>)
          return "whole number";
        if (std::is_same_v<decltype(slot), double*> ||
            std::is_same_v<decltype(slot), std::optional<double>*>)
          return "number";
        return "text";
      },
      field.slot(config));
}

std::string Allowed(const Field& field) {
  if (const auto* range = std::get_if<Range>(&field.rule)) return range->Text();
  const auto* one_of = std::get_if<OneOf>(&field.rule);
  if (one_of == nullptr) return "";
  std::vector<std::string> words;
  for (const std::string& word : one_of->words) {
    words.push_back(word.empty() ? "empty" : Code(word));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

// As in a config file; "not given" where there is no value.
std::string Value(const Field& field, TrainConfig config) {
  const std::string value = ValueToml(field, config);
  return value.empty() ? "not given" : value == "\"\"" ? "empty" : Code(value);
}

TrainConfig WithPreset(const std::string& name) {
  return ParseTrainConfig(
      "data.generate = \"forum\"\npreset = \"" + name + "\"", name);
}

std::string Presets() {
  std::string head = "| key | default |";
  std::string rule = "|---|---|";
  std::vector<TrainConfig> presets;
  for (const std::string& name : PresetNames()) {
    if (name.empty()) continue;
    head += " " + Code(name) + " |";
    rule += "---|";
    presets.push_back(WithPreset(name));
  }
  std::string rows;
  for (const Field& field : Fields()) {
    if (field.key == "preset" || field.FullKey() == "data.generate") continue;
    const std::string usual = Value(field, {});
    std::string row = fmt::format("| {} | {} |", Code(field.FullKey()), usual);
    bool differs = false;
    for (const TrainConfig& preset : presets) {
      const std::string value = Value(field, preset);
      row += value == usual ? " |" : " " + value + " |";
      differs = differs || value != usual;
    }
    if (differs) rows += row + "\n";
  }
  return "\n## Presets\n\nAn empty cell is the default.\n\n" + head + "\n" +
         rule + "\n" + rows;
}

}  // namespace

std::string ConfigReference() {
  std::string text(kIntroduction);
  std::optional<std::string> section;
  for (const Field& field : Fields()) {
    if (field.section != section) {
      section = field.section;
      text += fmt::format(
          "\n## {}\n\n{}\n\n| key | type | default | allowed | meaning |\n"
          "|---|---|---|---|---|\n",
          section->empty() ? "Top of the file" : "[" + *section + "]",
          kSections.at(*section));
    }
    text += fmt::format("| {} | {} | {} | {} | {} |\n", Code(field.FullKey()),
                        Type(field), Value(field, {}), Allowed(field),
                        field.comment);
  }
  return text + Presets();
}

}  // namespace sfumato::config
