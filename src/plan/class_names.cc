#include "plan/class_names.h"

#include <algorithm>

#include "base/error.h"
#include "base/json.h"
#include "fmt/format.h"

namespace sfumato::plan {
namespace {

constexpr const char* kKey = "class_names";

std::vector<std::string> NamesIn(const std::string& text,
                                 const std::string& where) {
  const nlohmann::json list = base::ParseJson(text);
  std::vector<std::string> names;
  const bool is_list =
      list.is_array() && std::ranges::all_of(list, [](const auto& name) {
        return name.is_string();
      });
  if (!is_list) {
    throw Corrupt("class_names is not a list of names", where,
                  "the file was changed by hand; train the classifier again");
  }
  for (const nlohmann::json& name : list) {
    names.push_back(name.get<std::string>());
  }
  return names;
}

}  // namespace

base::Metadata ClassNamesFor(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  return {{kKey, nlohmann::json(names).dump()}};
}

void CheckClassNames(const base::Metadata& metadata,
                     const std::vector<std::string>& names,
                     const std::string& where) {
  const auto found = metadata.find(kKey);
  if (found == metadata.end() || names.empty()) return;
  const std::vector<std::string> own = NamesIn(found->second, where);
  const auto [mine, theirs] = std::ranges::mismatch(own, names);
  if (mine == own.end() || theirs == names.end()) return;
  throw BadInput(
      fmt::format("a classifier of other classes than the data: its class {} "
                  "is '{}', and theirs is '{}'",
                  mine - own.begin(), *mine, *theirs),
      where,
      "take a classifier and data of the same classes, in the same order");
}

}  // namespace sfumato::plan
