#include "base/json.h"

namespace sfumato::base {

nlohmann::json ParseJson(std::string_view text) {
  using nlohmann::json;
  constexpr int kMaxDepth = 64;
  bool too_deep = false;
  const auto watch = [&](int depth, json::parse_event_t, json&) {
    too_deep = too_deep || depth > kMaxDepth;
    return !too_deep;  // what is too deep is not kept
  };
  json value = json::parse(text, watch, false);
  return too_deep ? json(json::value_t::discarded) : value;
}

}  // namespace sfumato::base
