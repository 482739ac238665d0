#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "bench/outside_damages.h"
#include "data/text.h"

namespace sfumato::bench {
namespace {

using base::Rng;
using census::TextChange;
using Words = std::vector<std::string>;

// `change(words)` made to the tokens of a sentence.
TextChange OfWords(const std::function<void(Words&, Rng&)>& change) {
  return [change](std::string_view sentence, data::TextForm form, Rng& rng) {
    const std::string tokens = census::HealthyTokens(sentence, form, false);
    Words words;
    for (const std::string_view token : data::SplitTokens(tokens)) {
      words.emplace_back(token);
    }
    change(words, rng);
    std::string out;
    for (const std::string& word : words) {
      if (word.empty()) continue;
      if (!out.empty()) out += ' ';
      out += word;
    }
    return out;
  };
}

bool IsPlain(const std::string& word) {
  return !word.empty() && std::ranges::all_of(word, base::IsLetter);
}

// `change(word)` made to every word of ASCII letters.
TextChange EachWord(const std::function<void(std::string&, Rng&)>& change) {
  return OfWords([change](Words& words, Rng& rng) {
    for (std::string& word : words) {
      if (IsPlain(word)) change(word, rng);
    }
  });
}

void PigLatin(std::string& word, Rng&) {
  word = word.substr(1) + word[0] + "ay";
}

void Scrambled(std::string& word, Rng& rng) {
  if (word.size() > 3) rng.Shuffle(std::span(word).subspan(1, word.size() - 2));
}

void Hyphenated(std::string& word, Rng&) {
  for (std::size_t i = 3; i < word.size(); i += 4) word.insert(i, 1, '-');
}

void HalvesSwapped(std::string& word, Rng&) {
  std::ranges::rotate(word, word.begin() + std::ssize(word) / 2);
}

void Stuttered(std::string& word, Rng&) {
  if (word.size() > 2) word = word.substr(0, 2) + "-" + word;
}

void AsItSounds(std::string& word, Rng&) {
  static const std::pair<std::string_view, std::string_view> sounds[] = {
      {"th", "d"}, {"ph", "f"}, {"ck", "k"},  {"ee", "i"},
      {"ea", "i"}, {"ou", "u"}, {"qu", "kw"}, {"tion", "shun"},
      {"wh", "w"}, {"c", "k"},  {"x", "ks"},  {"gh", ""}};
  for (const auto& [from, to] : sounds) {
    for (std::size_t at = word.find(from); at != std::string::npos;
         at = word.find(from, at + to.size())) {
      word.replace(at, from.size(), to);
    }
  }
}

void Base64(std::string& word, Rng&) {
  static constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < word.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits =
          bits << 8 |
          (i + k < word.size() ? static_cast<unsigned char>(word[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += i + k > word.size() ? '=' : kLetters[bits >> (18 - 6 * k) & 63];
    }
  }
  word = out;
}

// Neighbours letter by letter: "an other" is "aonther".
void Zipped(Words& words, Rng&) {
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const std::string one = words[i];
    const std::string two = words[i + 1];
    if (!IsPlain(one) || !IsPlain(two)) continue;
    words[i].clear();
    words[i + 1].clear();
    for (std::size_t k = 0; k < std::max(one.size(), two.size()); ++k) {
      if (k < one.size()) words[i] += one[k];
      if (k < two.size()) words[i] += two[k];
    }
  }
}

void InTags(Words& words, Rng&) {
  Words out;
  for (const std::string& word : words) {
    out.insert(out.end(), {"<", "b", ">", word, "<", "/", "b", ">"});
  }
  words = out;
}

void EscapedSpaces(Words& words, Rng&) {
  Words out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out.emplace_back("%");
    out.push_back(i > 0 ? "20" + words[i] : words[i]);
  }
  words = out;
}

// "big dog" is "dig bog".
void FirstLettersExchanged(Words& words, Rng&) {
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    if (IsPlain(words[i]) && IsPlain(words[i + 1])) {
      std::swap(words[i][0], words[i + 1][0]);
    }
  }
}

void SecondHalfFirst(Words& words, Rng&) {
  std::ranges::rotate(words, words.begin() + std::ssize(words) / 2);
}

void PairsExchanged(Words& words, Rng&) {
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    std::swap(words[i], words[i + 1]);
  }
}

// A preview of three words at each end.
void MiddleLeftOut(Words& words, Rng&) {
  constexpr std::ptrdiff_t kShown = 3;
  if (std::ssize(words) <= 2 * kShown) return;
  words.erase(words.begin() + kShown, words.end() - kShown);
  words.insert(words.begin() + kShown, "...");
}

// As a tagger of parts of speech writes: "the_DT dog_NN".
void Tagged(std::string& word, Rng&) {
  static constexpr std::string_view kTags[] = {"DT", "NN", "VB", "JJ", "IN"};
  word += '_';
  word += kTags[word.size() <= 4 ? 0 : 1 + word[0] % 4];
}

void InnerLettersMasked(std::string& word, Rng&) {
  for (std::size_t i = 1; i + 1 < word.size(); ++i) word[i] = '*';
}

// Windows of three words that overlap by two.
void Windows(Words& words, Rng&) {
  Words out;
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    out.insert(out.end(), {words[i], words[i + 1], words[i + 2]});
  }
  if (!out.empty()) words = out;
}

// A bag of words: each once, with how often it comes.
void Counted(Words& words, Rng&) {
  Words out;
  for (const std::string& word : words) {
    const std::string counted =
        word + ':' + std::to_string(std::ranges::count(words, word));
    if (std::ranges::find(out, counted) == out.end()) out.push_back(counted);
  }
  words = out;
}

void Twice(Words& words, Rng&) {
  const Words once = words;
  words.insert(words.end(), once.begin(), once.end());
}

}  // namespace

const std::vector<OutsideText>& OutsideTexts() {
  static const std::vector<OutsideText> damages = {
      {"words from last to first",
       OfWords([](Words& words, Rng&) { std::ranges::reverse(words); })},
      {"words in alphabetical order",
       OfWords([](Words& words, Rng&) { std::ranges::sort(words); })},
      {"every sentence twice", OfWords(Twice)},
      {"in tags of HTML", OfWords(InTags)},
      {"spaces as %20", OfWords(EscapedSpaces)},
      {"neighbouring words letter by letter", OfWords(Zipped)},
      {"first letter last, and ay", EachWord(PigLatin)},
      {"letters inside words in any order", EachWord(Scrambled)},
      {"hyphens inside words", EachWord(Hyphenated)},
      {"halves of words swapped", EachWord(HalvesSwapped)},
      {"beginnings of words twice", EachWord(Stuttered)},
      {"spelled as it sounds", EachWord(AsItSounds)},
      {"words as base64", EachWord(Base64)},
      {"first letters of two words exchanged", OfWords(FirstLettersExchanged),
       true},
      {"second half of a sentence first", OfWords(SecondHalfFirst), true},
      {"words of a pair exchanged", OfWords(PairsExchanged), true},
      {"middle of sentences left out", OfWords(MiddleLeftOut), true},
      {"tags of a tagger on words", EachWord(Tagged), true},
      {"letters inside words as asterisks", EachWord(InnerLettersMasked), true},
      {"windows of three words", OfWords(Windows), true},
      {"words with their counts", OfWords(Counted), true},
  };
  return damages;
}

}  // namespace sfumato::bench
