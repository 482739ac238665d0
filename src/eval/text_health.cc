#include "eval/text_health.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/printable.h"
#include "base/utf8.h"
#include "fmt/format.h"

namespace sfumato::eval {
namespace {

// Text with fewer kinds of draws than this cannot be compared.
constexpr double kLeastKinds = 8;
constexpr double kLeastReadable = 0.6;
constexpr double kLeastWords = 50;
// English uses its words so unevenly that a pair of words in about 100 is
// alike; a model that learned nothing draws all of them equally.
constexpr double kRandomShare = 0.3;
constexpr double kRandomWords = 500;

// How many kinds there would be, were all equally frequent: one over the chance
// that two draws are alike.
template <typename Map>
double KindsOf(const Map& counts) {
  double all = 0;
  double pairs = 0;
  for (const auto& [kind, count] : counts) {
    all += count;
    pairs += count * (count - 1);
  }
  return pairs > 0 ? all * (all - 1) / pairs : all * all;
}

bool IsReadable(std::string_view word) {
  return base::IsUtf8(word) &&
         base::Printable(word, {.most = word.size()}) == word;
}

double Sum(const std::vector<CountedWord>& words) {
  double sum = 0;
  for (const CountedWord& word : words) sum += word.count;
  return sum;
}

// What is wrong; empty: nothing.
std::string WrongWith(const DrawnText& drawn, std::size_t vocabulary,
                      const runs::TextModel& figures) {
  if (!drawn.sentences.empty()) {
    std::map<std::vector<std::string>, double> sentences;
    std::map<std::string, double> words;
    double all = 0;
    for (const auto& sentence : drawn.sentences) {
      ++sentences[sentence];
      all += static_cast<double>(sentence.size());
      for (const std::string& word : sentence) {
        if (!word.empty()) ++words[word];  // unknown ones are many
      }
    }
    if (all < static_cast<double>(drawn.sentences.size())) {
      return "draws empty sentences: it learned nothing, or ends too early";
    }
    if (KindsOf(sentences) < kLeastKinds) {
      return "draws a few sentences over and over";
    }
    if (!words.empty() && KindsOf(words) < 3)
      return "draws one word over and over";
    if (KindsOf(words) >
        std::max(kRandomWords,
                 kRandomShare * static_cast<double>(vocabulary))) {
      return "draws words at random: it learned nothing";
    }
  }
  if (!drawn.words.empty()) {
    std::map<std::string, double> words;
    for (const CountedWord& word : drawn.words) words[word.word] += word.count;
    if (KindsOf(words) < kLeastKinds) {
      return "draws a few unknown words over and over";
    }
    if (figures.readable_words < kLeastReadable) {
      return "draws unknown words that are not text: it learned nothing, or "
             "its "
             "noise is too strong";
    }
  }
  return "";
}

}  // namespace

runs::TextModel TextModelOf(const DrawnText& drawn) {
  runs::TextModel figures{
      .model = drawn.model,
      .sentences = static_cast<std::int64_t>(drawn.sentences.size()),
      .words = static_cast<std::int64_t>(Sum(drawn.words))};
  const std::set<std::vector<std::string>> distinct(drawn.sentences.begin(),
                                                    drawn.sentences.end());
  double tokens = 0;
  double unknown = 0;
  for (const auto& sentence : drawn.sentences) {
    tokens += static_cast<double>(sentence.size());
    unknown += static_cast<double>(std::ranges::count(sentence, ""));
  }
  if (!drawn.sentences.empty()) {
    figures.distinct_sentences = static_cast<double>(distinct.size()) /
                                 static_cast<double>(drawn.sentences.size());
  }
  if (tokens > 0) figures.unknown_share = unknown / tokens;
  const double all = Sum(drawn.words);
  if (all > 0) {
    double readable = 0;
    for (const CountedWord& word : drawn.words) {
      if (IsReadable(word.word)) readable += word.count;
    }
    figures.distinct_words = static_cast<double>(drawn.words.size()) / all;
    figures.readable_words = readable / all;
  }
  return figures;
}

bool IsSpelled(const DrawnText& drawn) {
  return Sum(drawn.words) >= kLeastWords &&
         TextModelOf(drawn).readable_words >= kLeastReadable;
}

runs::Health TextHealthOf(const DrawnText& drawn, std::size_t vocabulary) {
  const runs::TextModel figures = TextModelOf(drawn);
  const std::string wrong = WrongWith(drawn, vocabulary, figures);
  return {.model = drawn.model,
          .diversity = drawn.sentences.empty() ? figures.distinct_words
                                               : figures.distinct_sentences,
          .collapsed = wrong.find("over and over") != std::string::npos,
          .usable = wrong.empty(),
          .words = wrong.empty() ? "draws varied text" : wrong};
}

}  // namespace sfumato::eval
