// The commonest words of a dozen languages: enough to recognise one, and to
// write sentences that have its words but no meaning.
//
//   for (const Language& language : Languages()) Use(language);

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sfumato::census {

struct Language {
  std::string name;                      // "German"
  std::vector<std::string_view> common;  // words that every text has
  std::vector<std::string_view> others;  // of everyday life
};

const std::vector<Language>& Languages();

}  // namespace sfumato::census
