#include "eval/text_measures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "data/text.h"
#include "eval/measures.h"

namespace sfumato::eval {
namespace {

constexpr int kPositions = 8;

// A mean over draws, with the error of its sampling.
class Mean {
 public:
  void Add(double value, double weight = 1) {
    weight_ += weight;
    sum_ += weight * value;
    squares_ += weight * value * value;
  }
  double value() const { return weight_ > 0 ? sum_ / weight_ : 0; }
  double error() const {
    if (weight_ < 2) return 0;
    const double spread = squares_ / weight_ - value() * value();
    return std::sqrt(std::max(0.0, spread) / weight_);
  }

 private:
  double weight_ = 0;
  double sum_ = 0;
  double squares_ = 0;
};

using OfModel = std::function<Mean(const DrawnText&)>;

Mean OverSentences(const DrawnText& drawn,
                   double (*number)(const std::vector<std::string>&)) {
  Mean mean;
  for (const auto& sentence : drawn.sentences) mean.Add(number(sentence));
  return mean;
}

Mean OverWords(const DrawnText& drawn,
               const std::function<double(const std::string&)>& number) {
  Mean mean;
  for (const CountedWord& word : drawn.words) {
    mean.Add(number(word.word), word.count);
  }
  return mean;
}

Mean OverTokens(const DrawnText& drawn, bool (*is)(const std::string&)) {
  Mean mean;
  for (const auto& sentence : drawn.sentences) {
    for (const std::string& word : sentence) mean.Add(is(word) ? 1 : 0);
  }
  return mean;
}

Mean UnknownAtPosition(const DrawnText& drawn, std::size_t position) {
  Mean mean;
  for (const auto& sentence : drawn.sentences) {
    if (position < sentence.size()) mean.Add(sentence[position].empty());
  }
  return mean;
}

bool Any(const std::string& word, bool (*is)(char)) {
  return std::ranges::any_of(word, is);
}

// How surprising letters are after their neighbours in words of the
// vocabulary, in bits per letter: high for other languages, and for garbage.
class LetterPairs {
 public:
  explicit LetterPairs(const WordSet& vocabulary) {
    for (const std::string& word : vocabulary) {
      unsigned char before = ' ';
      for (const char c : word + " ") {
        const auto byte = static_cast<unsigned char>(c);
        ++pairs_[before][byte];
        ++firsts_[before];
        before = byte;
      }
    }
  }
  double Bits(const std::string& word) const {
    double bits = 0;
    unsigned char before = ' ';
    for (const char c : word + " ") {
      const auto byte = static_cast<unsigned char>(c);
      bits -= std::log2((pairs_[before][byte] + 0.1) /
                        (firsts_[before] + 0.1 * 256));
      before = byte;
    }
    return bits / static_cast<double>(word.size() + 1);
  }

 private:
  std::array<std::array<double, 256>, 256> pairs_{};
  std::array<double, 256> firsts_{};
};

MeasuredSides OfBoth(const Lineup& lineup, const std::vector<DrawnText>& models,
                     runs::Measure measure, const OfModel& number) {
  return MeasureSides(lineup, std::move(measure), [&](int model) {
    const Mean mean = number(models[static_cast<std::size_t>(model)]);
    return Number{mean.value(), mean.error()};
  });
}

}  // namespace

std::vector<runs::Measure> TextMeasures(const Lineup& lineup,
                                        const std::vector<DrawnText>& models,
                                        const WordSet& vocabulary) {
  std::vector<MeasuredSides> measures;
  const auto add = [&](const char* key, const char* words,
                       const OfModel& number) {
    measures.push_back(
        OfBoth(lineup, models, {.key = key, .words = words}, number));
  };
  const DrawnText& any = models.front();
  if (!any.sentences.empty()) {
    add("unknown_share", "unknown words, share of words",
        [](const DrawnText& drawn) {
          return OverTokens(drawn,
                            [](const std::string& w) { return w.empty(); });
        });
    add("unknown_first", "sentences that begin with an unknown word, share",
        [](const DrawnText& drawn) { return UnknownAtPosition(drawn, 0); });
    add("unknown_later", "unknown words from the second word on, share",
        [](const DrawnText& drawn) {
          Mean mean;
          for (const auto& sentence : drawn.sentences) {
            for (std::size_t i = 1; i < sentence.size(); ++i) {
              mean.Add(sentence[i].empty());
            }
          }
          return mean;
        });
    add("sentence_length", "words in a sentence", [](const DrawnText& drawn) {
      return OverSentences(drawn, [](const std::vector<std::string>& sentence) {
        return static_cast<double>(sentence.size());
      });
    });
    add("digits_known", "words of sentences with a digit, share",
        [](const DrawnText& drawn) {
          return OverTokens(drawn, [](const std::string& w) {
            return Any(w, base::IsDigit);
          });
        });
  }
  if (!any.words.empty()) {
    const auto share = [&](const char* key, const char* words,
                           bool (*is)(const std::string&)) {
      add(key, words, [is](const DrawnText& drawn) {
        return OverWords(
            drawn, [is](const std::string& w) { return is(w) ? 1.0 : 0.0; });
      });
    };
    add("word_length", "letters in an unknown word",
        [](const DrawnText& drawn) {
          return OverWords(drawn, [](const std::string& w) {
            return static_cast<double>(base::Letters(w));
          });
        });
    share(
        "spaces", "unknown words with a space, share",
        [](const std::string& w) { return w.find(' ') != std::string::npos; });
    share("capitals", "unknown words with a capital, share",
          [](const std::string& w) { return Any(w, base::IsUpper); });
    share("digits", "unknown words with a digit, share",
          [](const std::string& w) { return Any(w, base::IsDigit); });
    share("beyond_ascii", "unknown words beyond ASCII, share",
          [](const std::string& w) {
            return Any(w, [](char c) {
              return static_cast<unsigned char>(c) >= 0x80;
            });
          });
    share("not_utf8", "unknown words that are not UTF-8, share",
          [](const std::string& w) { return !base::IsUtf8(w); });
    const LetterPairs pairs(vocabulary);
    add("letter_pairs",
        "how unlike the vocabulary's letter pairs unknown words are, bits",
        [&pairs](const DrawnText& drawn) {
          return OverWords(
              drawn, [&pairs](const std::string& w) { return pairs.Bits(w); });
        });
  }
  return MostDifferentFirst(std::move(measures), [](const MeasuredSides& each) {
    return each.measure.floor + each.sampling + 1e-6;
  });
}

std::vector<runs::UnknownAt> UnknownByPosition(
    const Lineup& lineup, const std::vector<DrawnText>& models) {
  std::vector<runs::UnknownAt> shares;
  if (models.front().sentences.empty()) return shares;
  for (int i = 0; i < kPositions; ++i) {
    const runs::Measure measure =
        OfBoth(lineup, models, {}, [i](const DrawnText& drawn) {
          return UnknownAtPosition(drawn, static_cast<std::size_t>(i));
        }).measure;
    shares.push_back({.position = i + 1,
                      .a = measure.a,
                      .b = measure.b,
                      .floor = measure.floor,
                      .differs = measure.verdict == runs::Verdict::kDiffers});
  }
  return shares;
}

}  // namespace sfumato::eval
