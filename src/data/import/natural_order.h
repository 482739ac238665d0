// The order in which people count: "s2" before "s10".

#pragma once

#include <string_view>

namespace sfumato::data {

// A strict order of all strings. Runs of digits compare by value, all else by
// byte; where only leading zeros differ, the bytes decide.
struct NaturalLess {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const;
};

}  // namespace sfumato::data
