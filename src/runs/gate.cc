#include "runs/gate.h"

#include <algorithm>
#include <cassert>

#include "base/utf8.h"

namespace sfumato::runs {
namespace {

bool IsSnakeCase(std::string_view key) {
  return !key.empty() && key.front() >= 'a' && key.front() <= 'z' &&
         std::all_of(key.begin(), key.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
         });
}

std::string WithValidUtf8(std::string_view text) {
  std::string valid;
  for (; !text.empty();) {
    const base::CodePoint c = base::DecodeUtf8(text);
    base::AppendUtf8(c.value, valid);
    text.remove_prefix(c.size);
  }
  return valid;
}

}  // namespace

std::string_view Name(Label label) {
  switch (label) {
    case Label::kReleased:
      return "released";
    case Label::kPublic:
      return "public";
    case Label::kSimulationOnly:
      break;
  }
  return "simulation_only";
}

Content::Content(std::string_view text) : value_(WithValidUtf8(text)) {}

Value::Value(std::string key, Label label, Content content)
    : key_(std::move(key)), label_(label), content_(std::move(content)) {
  assert(IsSnakeCase(key_));
}

Value Released(std::string key, Content content) {
  return {std::move(key), Label::kReleased, std::move(content)};
}
Value Public(std::string key, Content content) {
  return {std::move(key), Label::kPublic, std::move(content)};
}
Value SimulationOnly(std::string key, Content content) {
  return {std::move(key), Label::kSimulationOnly, std::move(content)};
}

}  // namespace sfumato::runs
