// What a broken text pipeline leaves in words: the catalogue of explanations
// for text, each a trait that a drawn word or a run of words has or has not.
//
//   const TextTraits traits(vocabulary);
//   traits.OfWord("i have") == Bit(TextTrait::kJoined);
//   traits.OfSentence({"a", "&", "amp", ";"});   // a set for each word
//
// A word outside the vocabulary is judged by its spelling, where a space inside
// is a plain one; a word of a sentence also by its neighbours.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace sfumato::eval {

// In the order of simplicity, by which equals are ranked. A template is of
// sentences, and found by comparing them (text_draws.h).
enum class TextTrait {
  kJoined,
  kCase,
  kCut,
  kEntities,
  kEncoding,
  kTemplate,
  kLanguage,
  kNumbers
};
inline constexpr std::size_t kTextTraits = 8;

struct TextTraitInfo {
  std::string key;    // "join"
  std::string words;  // "two words joined into one"
  std::string cause;  // where this usually comes from
  // No training does it by itself: it need only be far above its own floor.
  bool never_by_chance = false;
};
const std::array<TextTraitInfo, kTextTraits>& TextTraitCatalogue();
inline const TextTraitInfo& InfoOf(TextTrait trait) {
  return TextTraitCatalogue()[static_cast<std::size_t>(trait)];
}

using TraitSet = std::uint32_t;
constexpr TraitSet Bit(TextTrait trait) {
  return TraitSet{1} << static_cast<std::size_t>(trait);
}

using WordSet = std::unordered_set<std::string>;

class TextTraits {
 public:
  // `vocabulary` must outlive it.
  explicit TextTraits(const WordSet& vocabulary);

  bool IsKnown(std::string_view word) const;
  // Of a word alone, known or not.
  TraitSet OfWord(std::string_view word) const;
  // Of the words of a sentence; "" is an unknown one, and has none.
  std::vector<TraitSet> OfSentence(const std::vector<std::string>& words) const;
  // Whether this word of a healthy sentence would carry the trait, were the
  // pipeline broken for all: of joined, unfolded and cut words. Of the others
  // nobody can say, and the answer is yes.
  bool Takes(TextTrait trait, std::string_view word, bool first) const;

 private:
  bool IsJoined(std::string_view word) const;
  bool IsUnfolded(std::string_view word) const;
  bool IsCut(std::string_view word) const;
  bool IsForeign(std::string_view word) const;

  const WordSet& vocabulary_;
  bool has_capitals_ = false;      // the vocabulary itself
  std::uint32_t own_scripts_ = 0;  // scripts that it is written in
  WordSet beginnings_;             // its words without their last letters
};

}  // namespace sfumato::eval
