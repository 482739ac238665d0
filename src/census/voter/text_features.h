// One user's text as a row of numbers: how often each explanation of an unknown
// word holds, and what else damages change.
//
//   TextReader reader(words);
//   const std::vector<float> features = reader.Features(sentences);
//
// A function of the words' statistics and the sentences alone. The reader
// remembers words it has seen, so each thread has its own.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "census/voter/text_words.h"

namespace sfumato::census {

inline constexpr std::size_t kTextFeatures = 2 * kSymptoms + 40;
// Of what turned a user's sentences into others.
inline constexpr std::size_t kChangeFeatures = 2 * kTextFeatures;

class TextReader {
 public:
  // `words` must outlive it.
  explicit TextReader(const TextWords& words, Hidden hidden = {});

  // Of sentences as tokens. [kTextFeatures]
  std::vector<float> Features(const std::vector<std::string>& sentences);

  // How the features of `now` differ from those of `before`, with the words of
  // `before` known as the user's own, and without. What the user's text looks
  // like anyway cancels. Only the last of the first half, how much there is to
  // read now, is no difference. [kChangeFeatures]
  std::vector<float> ChangeFeatures(const std::vector<std::string>& before,
                                    const std::vector<std::string>& now);

 private:
  using OwnWords = std::unordered_set<std::string_view>;

  std::vector<float> Read(const std::vector<std::string>& sentences,
                          const OwnWords& own);
  WordFacts FactsOf(std::string_view token, const OwnWords& own);
  const WordFacts& Explained(std::string_view token);

  struct HashOfView {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  const TextWords& words_;
  Hidden hidden_;
  std::unordered_map<std::string, WordFacts, HashOfView, std::equal_to<>> seen_;
};

}  // namespace sfumato::census
