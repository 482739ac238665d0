// The value of an enum that a file names.

#pragma once

#include <initializer_list>
#include <string>

#include "base/error.h"
#include "fmt/format.h"

namespace sfumato::census {

// Throws Corrupt, naming `where`, if none of `all` has that Name.
template <typename Enum>
Enum NamedIn(std::initializer_list<Enum> all, const std::string& word,
             const std::string& where) {
  for (const Enum one : all) {
    if (Name(one) == word) return one;
  }
  throw Corrupt(fmt::format("'{}' is unknown here", word), where,
                "the file was changed by hand");
}

}  // namespace sfumato::census
