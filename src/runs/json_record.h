// How a record of this program is read from JSON: an object that names its
// schema.
//
//   return ReadRecord(json, {"a sweep", "sfumato.sweep/1"}, where,
//                     [](const auto& record) { return record.at("trials"); });

#pragma once

#include <string>

#include "base/error.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace sfumato::runs {

struct RecordKind {
  const char* name;  // "a sweep"
  const char* schema;
  const char* todo = "the file was changed by hand, or cut";
};

// Returns what `read` makes of the object. Throws Corrupt when it is not such a
// record, Unsupported for one of another schema.
template <typename Read>
auto ReadRecord(const nlohmann::json& json, const RecordKind& kind,
                const std::string& where, const Read& read) {
  const auto corrupt = [&](const std::string& why) {
    return Corrupt(fmt::format("not {}: {}", kind.name, why), where, kind.todo);
  };
  if (!json.is_object()) throw corrupt("no JSON object");
  try {
    if (json.at("schema") != kind.schema) {
      throw Unsupported(fmt::format("{} of another format", kind.name), where,
                        "use the program that wrote it");
    }
    return read(json);
  } catch (const nlohmann::json::exception& error) {
    throw corrupt(error.what());
  }
}

}  // namespace sfumato::runs
