#include "data/import/label_names.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/ascii.h"
#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

// The value of "6", "-1", "6.0000"; nothing when it is not a whole number.
std::optional<std::int64_t> WholeNumber(std::string_view text) {
  const auto value = base::ParseNumber<double>(text);
  if (!value || !(std::fabs(*value) < 1e15) || std::floor(*value) != *value) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*value);
}

// Every spelling as a whole number; nothing when one is not.
std::optional<std::vector<std::int64_t>> WholeNumbers(
    const std::vector<std::string>& spellings) {
  std::vector<std::int64_t> values;
  for (const std::string& spelling : spellings) {
    const auto value = WholeNumber(spelling);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

// `values` numbered in sorted order.
template <typename T, typename NameOf>
LabelNames::Numbering NumberSorted(const std::vector<T>& values,
                                   NameOf name_of) {
  std::vector<T> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  LabelNames::Numbering numbering;
  for (const T& value : sorted) numbering.classes.push_back(name_of(value));
  for (const T& value : values) {
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), value);
    numbering.of_code.push_back(static_cast<std::int32_t>(at - sorted.begin()));
  }
  return numbering;
}

}  // namespace

LabelNames::LabelNames(const ImportRequest& request) {
  if (request.classes) {
    for (const std::string& name : *request.classes) Code(name);
    rule_ = Rule::kDeclared;
  } else if (!request.keeps_labels()) {
    rule_ = Rule::kNone;
  }
}

std::int32_t LabelNames::Code(std::string_view label) {
  if (label.empty()) return -1;
  const auto found = codes_.find(label);
  if (found != codes_.end()) return found->second;
  if (rule_ != Rule::kCollected) {
    const auto whole = WholeNumber(label);
    const auto number =
        whole ? codes_.find(fmt::to_string(*whole)) : codes_.end();
    if (number != codes_.end()) return number->second;
    ++outside_;
    return -1;
  }
  const auto code = static_cast<std::int32_t>(spellings_.size());
  spellings_.emplace_back(label);
  codes_.emplace(label, code);
  return code;
}

LabelNames::Numbering LabelNames::Number(const std::string& where) const {
  if (rule_ != Rule::kCollected) {
    Numbering numbering{.classes = spellings_, .of_code = {}};
    numbering.of_code.resize(spellings_.size());
    std::iota(numbering.of_code.begin(), numbering.of_code.end(), 0);
    return numbering;
  }
  if (spellings_.size() > kMaxClasses) {
    throw BadInput(fmt::format("{} different labels, where at most {} classes "
                               "were expected",
                               spellings_.size(), kMaxClasses),
                   where, "say which column or field is the label");
  }
  const auto values = WholeNumbers(spellings_);
  if (!values) {
    return NumberSorted(spellings_, [](const std::string& s) { return s; });
  }
  if (values->empty()) return {};
  const auto [least, largest] =
      std::minmax_element(values->begin(), values->end());
  if (*least < 0 || *largest >= kMaxClasses) {
    return NumberSorted(*values,
                        [](std::int64_t v) { return fmt::to_string(v); });
  }
  return {.classes = NumberNames(static_cast<int>(*largest) + 1),
          .of_code = {values->begin(), values->end()}};
}

std::vector<std::string> NumberNames(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(fmt::to_string(i));
  return names;
}

}  // namespace sfumato::data
