// Users' text as a language model takes it: rows of symbol numbers, through the
// same engine as images.
//
//   const auto sentences = SentencesOf(set, vocabulary, 20);
//   const auto unknown = UnknownWordsOf(set, vocabulary, {});     // T3
//
// A row is begin, the symbols, end, then zeros. Its label is the number of
// symbols to predict: all but the first. Its classes are the symbols. What is
// longer than `longest` symbols is cut there, and then has no end. A sentence's
// symbols are the numbers of its words (data/vocabulary.h), an unknown word's
// are its bytes; 256 begins a word and 257 ends it. A space inside a token
// (U+00A0) is a plain one there.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/dataset.h"
#include "data/vocabulary.h"
#include "models/batch.h"

namespace sfumato::models {

inline constexpr std::int64_t kByteBegin = 256;
inline constexpr std::int64_t kByteEnd = 257;
inline constexpr std::int64_t kByteSymbols = 258;

// A token as the bytes that a character model reads.
std::string BytesOf(std::string_view token);

// Writes one sentence, given by the numbers of its words, as such a row (all of
// `row`), and returns its label. REQUIRES: a row of `longest` + 2.
std::int64_t WriteSentence(std::span<const std::int64_t> words,
                           std::span<float> row);

// Every sentence of every user. The set and the vocabulary must outlive it.
// Throws BadInput for a set of another kind, or `longest` below 1.
std::unique_ptr<Examples> SentencesOf(const data::FederatedDataset& set,
                                      const data::Vocabulary& vocabulary,
                                      std::int64_t longest);

// Every word that the vocabulary does not know, as often as the user wrote it.
// They are collected here: what a device would do once. A user of a private set
// whose text cannot be read has none.
struct UnknownWordOptions {
  std::int64_t longest = 24;  // bytes
  // Only of these users of the set, who get numbers in this order; null: of
  // all.
  const std::vector<std::int64_t>* users = nullptr;
  // Only of these sentences of each user; null: of all.
  const std::vector<std::vector<std::int64_t>>* sentences = nullptr;
};
std::unique_ptr<Examples> UnknownWordsOf(const data::FederatedDataset& set,
                                         const data::Vocabulary& vocabulary,
                                         const UnknownWordOptions& options);

// Which share of a user's words the vocabulary does not know, NaN for who has
// no words: private data.
std::vector<double> UnknownShares(const data::FederatedDataset& set,
                                  const data::Vocabulary& vocabulary);

// Made-up users of `user_size` sequences each, with random symbols and lengths;
// nothing is stored.
struct SyntheticSequenceOptions {
  std::int64_t symbols = 0;
  std::int64_t longest = 20;
  std::int64_t users = 0;
  std::int64_t user_size = 0;
  std::uint64_t seed = 1;
};
std::unique_ptr<Examples> SyntheticSequences(
    const SyntheticSequenceOptions& options);

}  // namespace sfumato::models
