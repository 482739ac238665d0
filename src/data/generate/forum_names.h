// Technical names that nobody has seen before but that look familiar:
// identifiers, exceptions and error codes, files, products.
//
//   const Topic& databases = ForumLexicon::Get().topics()[1];
//   Identifier(databases, 4, Spelling::kSnake);  // "schema_config"
//   ErrorName(databases, 4);                     // "TriggerTimeoutError"
//
// A name is a function of its topic and number, the same in every forum. Also
// words that people coin from known ones, such as "subindex" and "tablerow".

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/random.h"
#include "data/generate/forum_lexicon.h"

namespace sfumato::data {

// What the grammar may ask for by name.
enum class NameKind {
  kIdentifier,
  kCall,
  kError,
  kFile,
  kVersion,
  kNumber,
  kProject
};
std::optional<NameKind> NameKindFromName(std::string_view name);

enum class Spelling { kCamel, kSnake };

std::string Identifier(const Topic& topic, std::uint64_t number,
                       Spelling spelling);
std::string FunctionName(const Topic& topic, std::uint64_t number,
                         Spelling spelling);
std::string ErrorName(const Topic& topic, std::uint64_t number);
std::string FileName(const Topic& topic, std::uint64_t number);
std::string ProductName(std::uint64_t number);

std::string Version(base::Rng& rng);   // "3.8.1"
std::string Quantity(base::Rng& rng);  // "250"; at least 2

// `word` behind a prefix that suits its class ("auto-", "semi-"), or a thing
// behind another of the topic ("tablerow"). Phrases, and words of other classes
// than things, actions and traits, stay.
std::string Coin(const Topic& topic, WordClass word_class,
                 const std::string& word, base::Rng& rng);

}  // namespace sfumato::data
