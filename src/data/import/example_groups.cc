#include "data/import/example_groups.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/progress.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

// The value of "6", "-1", "6.0000"; nothing when it is not a whole number.
std::optional<std::int64_t> WholeNumber(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  if (!(std::fabs(value) < 1e15) || std::floor(value) != value) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(value);
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

Example ExampleGroups::Group::At(std::size_t i) const {
  const auto row = [&](const auto& values) {
    const std::size_t width = values.size() / labels.size();
    return std::span(values).subspan(i * width, width);
  };
  Example example = {.pixels = row(pixels),
                     .features = row(features),
                     .label = labels[i],
                     .columns = row(columns)};
  if (!text_ends.empty()) {
    const std::size_t begin = i == 0 ? 0 : text_ends[i - 1];
    example.text = std::string_view(text).substr(begin, text_ends[i] - begin);
  }
  return example;
}

ExampleGroups::Group& ExampleGroups::Find(std::string_view user) {
  if (last_ < groups_.size() && groups_[last_].id == user) {
    return groups_[last_];
  }
  const auto found = index_.find(user);
  if (found != index_.end()) {
    last_ = found->second;
  } else {
    last_ = groups_.size();
    index_.emplace(user, last_);
    groups_.emplace_back().id = user;
  }
  return groups_[last_];
}

void ExampleGroups::Add(std::string_view user, const Example& example) {
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  Group& group = Find(user);
  append(group.pixels, example.pixels);
  append(group.features, example.features);
  append(group.columns, example.columns);
  group.text += example.text;
  group.text_ends.push_back(group.text.size());
  group.labels.push_back(example.label);
  ++examples_;
}

void ExampleGroups::WriteTo(DatasetWriter& writer,
                            std::span<const std::int32_t> of_code) const {
  base::Progress progress("writing", examples_, "examples");
  for (const Group& group : groups_) {
    writer.BeginUser(group.id);
    for (std::size_t i = 0; i < group.labels.size(); ++i) {
      Example example = group.At(i);
      if (example.label >= 0 && !of_code.empty()) {
        example.label = of_code[example.label];
      }
      writer.Add(example);
    }
    progress.Advance(group.labels.size());
  }
}

std::int32_t LabelNames::Code(std::string_view label) {
  if (label.empty()) return -1;
  const auto found = codes_.find(label);
  if (found != codes_.end()) return found->second;
  const auto code = static_cast<std::int32_t>(spellings_.size());
  spellings_.emplace_back(label);
  codes_.emplace(label, code);
  return code;
}

LabelNames::Numbering LabelNames::Number(const std::string& where) const {
  if (spellings_.size() > kMaxClasses) {
    throw BadInput(
        fmt::format("{} different labels, '{}' and '{}' among them, where at "
                    "most {} classes were expected",
                    spellings_.size(), spellings_[0], spellings_[1],
                    kMaxClasses),
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
