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
#include <unordered_map>
#include <vector>

#include "census/voter/text_words.h"

namespace sfumato::census {

inline constexpr std::size_t kTextFeatures = 2 * kSymptoms + 40;

class TextReader {
 public:
  // `words` must outlive it.
  explicit TextReader(const TextWords& words, Hidden hidden = {});

  // Of sentences as tokens. [kTextFeatures]
  std::vector<float> Features(const std::vector<std::string>& sentences);

 private:
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
