// JSON from files that somebody else may have written.

#pragma once

#include <string_view>

#include "nlohmann/json.hpp"

namespace sfumato::base {

// The value that `text` spells; a discarded value when it is not JSON, is
// nested more than 64 deep (copying such a value would exhaust the stack), or
// gives a key of one object twice (readers disagree on which one counts).
nlohmann::json ParseJson(std::string_view text);

}  // namespace sfumato::base
