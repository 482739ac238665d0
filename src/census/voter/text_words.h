// The words of reference text, and what would explain a word that is not one.
//
//   TextWords words(people);  // [person][sentence], as tokens
//   const WordFacts facts = words.Explain("helo", nobody);
//   bool is_known = facts.id >= 0;
//   bool misses_a_letter = facts.symptoms & Bit(Symptom::kDropped);
//
// A word is known if two people write it. When a reference person's own text is
// explained, their share in that is taken away (Hidden), so that it looks as
// text of somebody who is no reference would.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "eval/text_traits.h"

namespace sfumato::census {

// What makes an unknown word a known one, or shows where it is from.
enum class Symptom {
  kGap,       // a space inside
  kCapital,   // lower case
  kEncoding,  // as it looks when UTF-8 is misread
  kScript,    // letters of a script that the references do not use
  kLook,      // Latin letters for those that look alike
  kForeign,   // a common word of another language
  kNumber,    // digits, an identifier
  kCut,       // one more letter at the end
  kDoubled,   // one letter of two alike
  kDropped,   // a letter more inside
  kSwapped,   // two neighbours exchanged
  kReversed,  // from the end to the beginning
  kRun,       // spaces between words
  kMark,      // an apostrophe or hyphen inside
  kEnding,    // another last letter, or none
  kNothing    // no explanation
};
inline constexpr std::size_t kSymptoms = 16;
constexpr std::uint32_t Bit(Symptom symptom) {
  return std::uint32_t{1} << static_cast<std::size_t>(symptom);
}

struct WordFacts {
  std::uint32_t symptoms = 0;
  std::int32_t id = -1;    // by how many people write it; -1: unknown
  bool is_word = false;    // has a letter or digit, is not just a mark
  bool capital = false;    // has a capital
  std::uint16_t size = 0;  // letters
  float surprise = 0;      // of its spelling, per letter, in nats
};

// Words that are unknown for one person, or in one trial.
struct Hidden {
  std::unordered_set<std::int32_t> own = {};  // written by one other only
  double share = 0;                           // of all but the commonest
  std::uint64_t salt = 0;
};

using TextPeople = std::vector<std::vector<std::string>>;

class TextWords {
 public:
  explicit TextWords(const TextPeople& people);
  // From words in the order of their ids, as Words() gives them.
  explicit TextWords(std::vector<std::string> words,
                     std::vector<std::int64_t> people,
                     std::vector<double> letters, std::vector<double> pairs,
                     bool capitals);
  TextWords(const TextWords&) = delete;
  TextWords& operator=(const TextWords&) = delete;

  WordFacts Explain(std::string_view token, const Hidden& hidden) const;
  // How much more likely `next` follows `id` than by chance, in nats; kEdge is
  // the beginning or end of a sentence. 0 where one of them is rare.
  double Fits(std::int32_t id, std::int32_t next) const;
  static constexpr std::int32_t kEdge = 300;
  // Of what letters() and pairs() hold.
  static constexpr std::size_t kLetterCounts = 30 * 30 * 30;
  static constexpr std::size_t kPairCounts = (kEdge + 1) * (kEdge + 1);

  // The hidden words of a person whose sentences these are.
  Hidden Without(const std::vector<std::string>& sentences) const;
  bool capitals() const { return capitals_; }

  // The share of letter a … z among all of these.
  double LetterShare(std::size_t letter) const { return shares_[letter]; }

  const std::vector<std::string>& words() const { return words_; }
  const std::vector<std::int64_t>& people() const { return people_; }
  const std::vector<double>& letters() const { return letters_; }
  const std::vector<double>& pairs() const { return pairs_; }

 private:
  using Letters = std::u32string;
  using Forms = std::unordered_map<std::uint64_t, std::int32_t>;

  void Index();
  std::int32_t Find(std::u32string_view word, const Hidden& hidden) const;
  bool Has(const Forms& forms, std::u32string_view word,
           const Hidden& hidden) const;
  bool IsVisible(std::int32_t id, const Hidden& hidden) const;
  std::uint32_t Edits(const Letters& word, const Hidden& hidden) const;
  bool IsRun(std::u32string_view word, const Hidden& hidden) const;
  float Surprise(std::u32string_view word) const;

  std::vector<std::string> words_;    // [id]
  std::vector<std::int64_t> people_;  // [id]
  std::vector<double> letters_;       // [before last, last, letter]: counts
  std::vector<double> pairs_;         // [word, next]: counts, with kEdge
  bool capitals_ = false;

  Forms known_;
  Forms cut_;                     // without the last letter
  Forms dropped_;                 // without one before, or all of one kind
  Forms bare_;                    // without marks inside
  std::vector<float> costs_;      // [before last, last, letter]
  std::vector<double> row_sums_;  // of pairs
  std::vector<double> column_sums_;
  double pair_sum_ = 0;
  std::array<double, 26> shares_{};
  eval::WordSet word_set_;
  eval::TextTraits traits_;
  std::unordered_set<std::string> foreign_;
};

}  // namespace sfumato::census
