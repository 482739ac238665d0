// The words that a language model knows, each with a number.
//
//   const Vocabulary words = ReadVocabulary("words.txt");
//   words.IdOf("regex");  // kUnknown if it is not in the list
//   // Only in simulations:
//   const Vocabulary frequent(MostFrequent(CountWords(set), 10'000));
//
// Four numbers are not words: padding, unknown, begin and end of a sentence. On
// disk a vocabulary is one word per line, the most frequent first; lines that
// begin with "# " say where it came from. Which words people use is private: a
// list is public, or it was chosen privately (dp/mechanisms/key_histogram.h),
// or it belongs to a simulation.

#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/file.h"
#include "data/dataset.h"

namespace sfumato::data {

class Vocabulary {
 public:
  static constexpr std::int64_t kPadding = 0;
  static constexpr std::int64_t kUnknown = 1;
  static constexpr std::int64_t kBegin = 2;
  static constexpr std::int64_t kEnd = 3;
  static constexpr std::int64_t kFirstWord = 4;
  static constexpr std::size_t kLongestWord = 1000;  // bytes; no longer one
  static constexpr std::size_t kMostWords = 1'000'000;

  // In the order of their numbers. Throws BadInput for none, too many or one
  // that comes twice.
  explicit Vocabulary(std::vector<std::string> words);

  std::span<const std::string> words() const { return words_; }
  // Of the numbers: words and the four others.
  std::int64_t symbols() const {
    return static_cast<std::int64_t>(words_.size()) + kFirstWord;
  }
  std::int64_t IdOf(std::string_view token) const;
  bool Knows(std::string_view token) const { return IdOf(token) != kUnknown; }
  // REQUIRES: kFirstWord <= id < symbols().
  const std::string& WordOf(std::int64_t id) const {
    return words_[static_cast<std::size_t>(id - kFirstWord)];
  }
  // Two lists with one sum give words the same numbers.
  std::string Sum() const;  // "6a09e667", of the words in their order

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const {
      return std::hash<std::string_view>()(word);
    }
  };
  std::vector<std::string> words_;
  std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> ids_;
};

// `where` is named in errors, with the line.
struct VocabularyText {
  std::vector<std::string> words = {};
  std::vector<std::string> remarks = {};  // lines that began with "# "
};
// Throws BadInput for a line that is empty, no UTF-8, no single token or there
// twice, and for more than kMostWords.
VocabularyText ParseVocabulary(std::string_view text, const std::string& where);
Vocabulary ReadVocabulary(const base::Path& path);
std::string ToText(const VocabularyText& vocabulary);

// The sentence as tokens, whichever form the set keeps it in.
std::string TokensOf(std::string_view sentence, TextForm form);

// How often each word was used: private data of real people. Only words that
// the text pipeline leaves as they are: what a broken stage made of them ("i
// have" as one token) belongs to no vocabulary.
using WordCounts = std::map<std::string, std::int64_t>;
WordCounts CountWords(const FederatedDataset& set);

// The same of sentences that come one by one.
class WordCounter {
 public:
  void Add(std::string_view sentence, TextForm form);
  WordCounts Counts() const;

 private:
  std::unordered_map<std::string, std::int64_t> tokens_;
};

// The `size` most frequent words, the most frequent first, equal ones in the
// order of their bytes.
std::vector<std::string> MostFrequent(const WordCounts& counts,
                                      std::size_t size);

// At most `most` different words of one user, drawn at random: what the user
// adds to a private choice of words. Words as CountWords has them. A function
// of the user's own sentences and the seed.
std::vector<std::string> WordsOfUser(const User& user, TextForm form,
                                     std::size_t most, std::uint64_t seed);

}  // namespace sfumato::data
