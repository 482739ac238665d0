// Every key of a training config: where its value is kept, what it means, what
// it may be. One table, from which reading, `--set`, the effective TOML,
// suggestions for mistyped keys and docs/config.md all come.
//
//   for (const Field& field : Fields()) {
//     Slot value = field.slot(config);  // a pointer to the member
//   }
//
// An algorithm's own section is a struct in train_config.h, a member of
// TrainConfig, and its rows in config_fields.cc.

#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/train_config.h"

namespace sfumato::config {

// Numbers from low to high; an end that is open does not belong to them.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open_low = false;
  bool open_high = false;

  bool Holds(double value) const;  // never for NaN
  std::string Text() const;        // "above 0", "from 0 to below 1"
};
struct OneOf {
  std::vector<std::string> words;
};
// A path to something that is opened. docs/privacy_proofs.md has a row for each
// such key: what it may come from, who checks that, and which gate its contents
// pass.
enum class Input { kDataset, kRun, kVocabulary, kLedger };
using Rule = std::variant<std::monostate, Range, OneOf, Input>;

// An enum of words.h: by the place of its word in their list.
struct Choice {
  std::vector<std::string> words;
  std::function<std::size_t()> get;
  std::function<void(std::size_t)> set;

  const std::string& Word() const { return words.at(get()); }
};

// Where a value is kept; also says its type. An optional number that is not
// given has no line in a config.
using Slot = std::variant<std::string*, std::int64_t*, double*,
                          std::optional<double>*, bool*, Choice>;

struct Field {
  std::string section;  // empty: the top of the file
  std::string key;
  std::string comment;
  Rule rule;
  std::function<Slot(TrainConfig&)> slot;

  std::string FullKey() const;  // "cohort.size"
};

// In the order of the file: the top first, then section by section.
const std::vector<Field>& Fields();
// Those whose value is a path to an input.
std::vector<const Field*> Inputs();

// A field's value as TOML; empty: an optional number that is not given.
std::string ValueToml(const Field& field, TrainConfig& config);

const Field* FindField(std::string_view section, std::string_view key);
std::vector<std::string> Sections();
bool IsSection(std::string_view name);

// What may have been meant by a key that does not exist.
std::string SuggestKey(std::string_view section, std::string_view key);
std::string SuggestSection(std::string_view name);

}  // namespace sfumato::config
