#include "eval/text_tables.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/printable.h"

namespace sfumato::eval {
namespace {

constexpr std::size_t kTopWords = 20;
constexpr std::size_t kPhrases = 12;
constexpr std::size_t kPhraseWords = 16;
constexpr std::size_t kChangedWords = 20;
constexpr std::size_t kMostLetters = 40;
constexpr double kLeastCount = 12;

runs::Phrase PhraseOf(const std::vector<std::string>& sentence) {
  runs::Phrase phrase;
  for (const std::string& word : sentence) {
    if (phrase.size() == kPhraseWords) {
      phrase.push_back("…");
      break;
    }
    phrase.push_back(TableWord(word));
  }
  return phrase;
}

}  // namespace

std::string TableWord(const std::string& word) {
  return base::Printable(word, {.most = kMostLetters});
}

std::vector<runs::Phrase> PhrasesOf(const std::vector<DrawnText>& side) {
  std::vector<runs::Phrase> phrases;
  for (std::size_t i = 0; phrases.size() < kPhrases; ++i) {
    const auto& sentences = side[i % side.size()].sentences;
    const std::size_t at = i / side.size();
    if (at >= sentences.size()) break;
    if (!sentences[at].empty()) phrases.push_back(PhraseOf(sentences[at]));
  }
  return phrases;
}

std::vector<runs::LikelyWord> TopOf(const std::vector<ProbableWord>& words,
                                    const TextTraits& traits,
                                    TraitSet winning) {
  std::vector<runs::LikelyWord> top;
  for (const ProbableWord& word : words) {
    if (top.size() == kTopWords) break;
    top.push_back({.word = TableWord(word.word),
                   .probability = std::exp(std::min(0.0, word.log_probability)),
                   .marked = (traits.OfWord(word.word) & winning) != 0});
  }
  return top;
}

std::vector<runs::ChangedWord> ChangedWords(const TextDraws& draws,
                                            const Pairing& sides) {
  std::vector<std::pair<double, runs::ChangedWord>> all;
  for (const TextDraws::WordShare& word : draws.WordShares()) {
    if (word.count < kLeastCount) continue;
    runs::ChangedWord changed{.word = TableWord(word.word),
                              .known = word.known};
    double floor = 0;
    const auto side = [&](const std::vector<int>& models) {
      double sum = 0;
      std::vector<double> each;
      for (const int model : models) {
        each.push_back(word.shares[static_cast<std::size_t>(model)]);
        sum += each.back() / static_cast<double>(models.size());
      }
      floor = std::max(floor, std::abs(each.back() - each.front()));
      return sum;
    };
    changed.a = side(sides.from);
    changed.b = side(sides.to);
    const double difference = std::abs(changed.b - changed.a);
    if (difference > floor) all.emplace_back(floor - difference, changed);
  }
  std::ranges::stable_sort(all, {},
                           [](const auto& each) { return each.first; });
  std::vector<runs::ChangedWord> words;
  for (const auto& [less, changed] : all) {
    if (words.size() == kChangedWords) break;
    words.push_back(changed);
  }
  return words;
}

}  // namespace sfumato::eval
