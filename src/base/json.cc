#include "base/json.h"

#include <set>
#include <string>
#include <vector>

namespace sfumato::base {

nlohmann::json ParseJson(std::string_view text) {
  using nlohmann::json;
  using Event = json::parse_event_t;
  constexpr int kMaxDepth = 64;
  bool refused = false;
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  const auto watch = [&](int depth, Event event, json& value) {
    refused = refused || depth > kMaxDepth;
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key) {
      refused = refused || !keys.back().insert(value.get<std::string>()).second;
    }
    return !refused;  // what is refused is not kept
  };
  json value = json::parse(text, watch, false);
  return refused ? json(json::value_t::discarded) : value;
}

}  // namespace sfumato::base
