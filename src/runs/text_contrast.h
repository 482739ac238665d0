// What language models of two sides drew, side by side: the part of a contrast
// (runs/contrast.h) that only text has. eval/text_contrast.h fills it, report/
// draws it.
//
// All words and phrases are printable (base/printable.h): bytes that are not
// UTF-8 and hidden characters are spelled out, what is long is cut. An unknown
// word of a phrase is an empty string.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"

namespace sfumato::runs {

// Of the words drawn at a position of sentences, the share outside the
// vocabulary.
struct UnknownAt {
  int position = 0;  // 1: the first word
  double a = 0;
  double b = 0;
  double floor = 0;      // |difference| between two models of one side
  bool differs = false;  // clearly above it
};

// A word outside the vocabulary that a character model finds most likely.
struct LikelyWord {
  std::string word = "";
  double probability = 0;  // of the whole word: equation 1 of the first paper
  bool marked = false;     // carries what the first supported hypothesis says
};

// A word that one side draws more often than the other.
struct ChangedWord {
  std::string word = "";
  bool known = false;  // in the vocabulary
  double a = 0;        // of all words of the text
  double b = 0;
};

// How much one model drew, and how varied and readable it is.
struct TextModel {
  std::string model = "";  // "a1"
  std::int64_t sentences = 0;
  std::int64_t words = 0;         // outside the vocabulary, repeats counted
  double distinct_sentences = 0;  // share
  double distinct_words = 0;      // share
  double readable_words = 0;      // share that is UTF-8 without control marks
  double unknown_share = 0;       // of the words of its sentences
};

using Phrase = std::vector<std::string>;  // words; "" is an unknown one

struct TextContrast {
  // Of all words of drawn sentences.
  double unknown_a = 0;
  double unknown_b = 0;
  double unknown_floor = 0;
  std::vector<UnknownAt> unknown_by_position = {};
  std::vector<LikelyWord> top_a = {};  // most likely first
  std::vector<LikelyWord> top_b = {};
  bool top_exact = true;  // no other word is more likely
  std::vector<Phrase> phrases_a = {};
  std::vector<Phrase> phrases_b = {};
  std::vector<ChangedWord> changed_words = {};  // largest difference first
  std::vector<TextModel> models = {};
};

void to_json(nlohmann::json& json, const TextContrast& text);
void from_json(const nlohmann::json& json, TextContrast& text);

}  // namespace sfumato::runs
