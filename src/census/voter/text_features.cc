#include "census/voter/text_features.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "data/text.h"

namespace sfumato::census {
namespace {

constexpr std::size_t kMostWords = 400;      // of a sentence that are read
constexpr std::size_t kMostSeen = 1u << 17;  // words that a reader remembers
// The id of a word that is known for the user alone.
constexpr std::int32_t kOwnWord = std::numeric_limits<std::int32_t>::max();
constexpr double kLittle = 0.003;  // of what shares are separated

float LogShare(double part, double all, double little = kLittle) {
  return static_cast<float>(std::log(little + (all > 0 ? part / all : 0)));
}

double MeanOf(double sum, double count) { return count > 0 ? sum / count : 0; }

// How often each run of words comes back in another sentence.
class Repeats {
 public:
  explicit Repeats(std::size_t size) : size_(size) {}

  void Add(std::size_t sentence, const std::vector<std::uint64_t>& words) {
    for (std::size_t i = 0; i + size_ <= words.size(); ++i) {
      std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
      for (std::size_t k = i; k < i + size_; ++k) {
        hash = (hash ^ words[k]) * 0x100000001b3ULL;
        hash ^= hash >> 29;
      }
      all_.emplace_back(hash, sentence);
    }
  }

  struct Result {
    double share = 0;  // of runs that come back
    double most = 0;   // sentences with the commonest one
  };
  Result Count() {
    std::ranges::sort(all_);
    Result result;
    for (std::size_t i = 0; i < all_.size();) {
      std::size_t end = i;
      double sentences = 0;
      for (; end < all_.size() && all_[end].first == all_[i].first; ++end) {
        if (end == i || all_[end].second != all_[end - 1].second) ++sentences;
      }
      if (sentences > 1) result.share += static_cast<double>(end - i);
      result.most = std::max(result.most, sentences);
      i = end;
    }
    if (!all_.empty()) result.share /= static_cast<double>(all_.size());
    return result;
  }

 private:
  std::size_t size_;
  std::vector<std::pair<std::uint64_t, std::size_t>> all_;
};

// "& amp ;" and "& # 39 ;", as the tokeniser leaves them.
bool IsEntityAt(const std::vector<std::string_view>& tokens, std::size_t i) {
  if (tokens[i] != "&") return false;
  const auto is = [&](std::size_t k, std::string_view what) {
    return k < tokens.size() && tokens[k] == what;
  };
  if (is(i + 1, "#") && is(i + 3, ";")) return true;
  return is(i + 2, ";");
}

}  // namespace

TextReader::TextReader(const TextWords& words, Hidden hidden)
    : words_(words), hidden_(std::move(hidden)) {}

const WordFacts& TextReader::Explained(std::string_view token) {
  const auto found = seen_.find(token);
  if (found != seen_.end()) return found->second;
  if (seen_.size() >= kMostSeen) seen_.clear();
  return seen_.emplace(std::string(token), words_.Explain(token, hidden_))
      .first->second;
}

// A copy: the next word may move what the reader remembers.
WordFacts TextReader::FactsOf(std::string_view token, const OwnWords& own) {
  WordFacts facts = Explained(token);
  if (facts.id < 0 && own.contains(token)) {
    facts.id = kOwnWord;
    facts.symptoms = 0;
  }
  return facts;
}

std::vector<float> TextReader::Features(
    const std::vector<std::string>& sentences) {
  return Read(sentences, {});
}

std::vector<float> TextReader::ChangeFeatures(
    const std::vector<std::string>& before,
    const std::vector<std::string>& now) {
  OwnWords own;
  for (const std::string& sentence : before) {
    for (const std::string_view token : data::SplitTokens(sentence)) {
      own.insert(token);
    }
  }
  const std::vector<float> then = Read(before, {});
  const std::vector<float> with_own = Read(now, own);
  const std::vector<float> without = Read(now, {});
  std::vector<float> out;
  out.reserve(kChangeFeatures);
  for (std::size_t i = 0; i < kTextFeatures; ++i) {
    out.push_back(with_own[i] - then[i]);
  }
  out.back() = with_own.back();
  for (std::size_t i = 0; i < kTextFeatures; ++i) {
    out.push_back(without[i] - then[i]);
  }
  return out;
}

std::vector<float> TextReader::Read(const std::vector<std::string>& sentences,
                                    const OwnWords& own) {
  std::array<double, kSymptoms> counts{};
  std::array<double, kSymptoms> dense{};  // sentences full of it
  std::array<double, 26> letters{};
  double all_letters = 0;
  double other_letters = 0;
  double read = 0;  // sentences with a word
  double tokens_read = 0;
  double words = 0;
  double unknown = 0;
  double common = 0;
  double entities = 0;
  double quotes = 0;     // entities that stand for one
  double escapable = 0;  // what would be an entity
  double pieces = 0;
  double single = 0;
  double sizes = 0;
  double capital = 0;
  double surprise = 0;
  double surprise_unknown = 0;
  double fits = 0;
  double fits_count = 0;
  double begins = 0;
  double ends = 0;
  double length_sum = 0;
  double length_squares = 0;
  double closed = 0;  // sentences that end in . ? !
  std::array<double, 6> marks{};
  double apostrophes = 0;
  double encoded = 0;                                  // misread letters
  std::map<std::string, double, std::less<>> endings;  // of words with another
  double digits = 0;
  double first_unknown = 0;
  double twice = 0;  // a word that follows itself
  std::vector<std::uint64_t> whole;
  Repeats repeats(4);

  for (std::size_t s = 0; s < sentences.size(); ++s) {
    std::vector<std::string_view> tokens = data::SplitTokens(sentences[s]);
    if (tokens.size() > kMostWords) tokens.resize(kMostWords);
    if (tokens.empty()) continue;
    ++read;
    std::array<double, kSymptoms> here{};
    double words_here = 0;
    std::vector<std::uint64_t> hashes;  // of words
    std::int32_t last = TextWords::kEdge;
    bool last_unknown = false;
    std::string_view last_word;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::string_view token = tokens[i];
      const WordFacts facts = FactsOf(token, own);
      ++tokens_read;
      if (IsEntityAt(tokens, i)) {
        ++entities;
        const std::string_view name = tokens[i + 1];
        quotes += name == "#" || name == "quot" || name == "apos";
      } else {
        escapable += token == "&" || token == "<" || token == ">" ||
                     token == "\"" || token == "'";
      }
      const std::int32_t id = facts.id < TextWords::kEdge ? facts.id : -1;
      if (last >= 0 && id >= 0) {
        const double fit = words_.Fits(last, id);
        if (last == TextWords::kEdge) {
          begins += fit;
        } else {
          fits += fit;
          ++fits_count;
        }
      }
      last = id;
      for (std::size_t k = 0; k < kSymptoms; ++k) {
        if ((facts.symptoms >> k & 1) != 0) ++here[k];
      }
      encoded += (facts.symptoms & Bit(Symptom::kEncoding)) != 0;
      if (!facts.is_word) {
        const char c = token.front();
        const std::size_t kind = c == '.' || c == '?' || c == '!'    ? 0
                                 : c == ','                          ? 1
                                 : c == '"' || c == '\'' || c == '`' ? 2
                                 : c == '(' || c == ')'              ? 3
                                 : c == ';' || c == '&' || c == '#'  ? 4
                                                                     : 5;
        ++marks[kind];
        last_word = {};
        continue;
      }
      ++words_here;
      hashes.push_back(std::hash<std::string_view>{}(token));
      const bool is_unknown = facts.id < 0;
      unknown += is_unknown;
      if (words_here == 1) first_unknown += is_unknown;
      common += facts.id >= 0 && facts.id < 100;
      single += facts.size == 1;
      sizes += facts.size;
      capital += facts.capital;
      surprise += facts.surprise;
      if ((facts.symptoms & Bit(Symptom::kEnding)) != 0 && token.size() > 3) {
        ++endings[std::string(token.substr(token.size() - 2))];
      }
      if (is_unknown) surprise_unknown += facts.surprise;
      apostrophes += token.find('\'') != std::string_view::npos;
      digits += std::ranges::any_of(
          token, [](char c) { return c >= '0' && c <= '9'; });
      for (const char c : token) {
        if (c >= 'a' && c <= 'z') {
          ++letters[c - 'a'];
          ++all_letters;
        } else if ((static_cast<unsigned char>(c) & 0xC0) == 0xC0) {
          ++other_letters;
        }
      }
      if (!last_word.empty()) {
        twice += token == last_word;
        if ((is_unknown || last_unknown || facts.size <= 2 ||
             last_word.size() <= 2) &&
            last_word.size() + token.size() >= 4 &&
            last_word.size() + token.size() < 40) {
          const WordFacts both =
              FactsOf(std::string(last_word) + std::string(token), own);
          pieces += both.id >= 0;
        }
      }
      last_unknown = is_unknown;
      last_word = token;
    }
    if (last >= 0) ends += words_.Fits(last, TextWords::kEdge);
    const char end = tokens.back().front();
    closed += end == '.' || end == '?' || end == '!';
    const double length = std::log(static_cast<double>(tokens.size()));
    length_sum += length;
    length_squares += length * length;
    words += words_here;
    for (std::size_t k = 0; k < kSymptoms; ++k) {
      counts[k] += here[k];
      dense[k] += here[k] >= 1 && here[k] >= 0.3 * words_here;
    }
    repeats.Add(s, hashes);
    if (tokens.size() >= 3) {
      whole.push_back(std::hash<std::string_view>{}(sentences[s]));
    }
  }

  std::vector<float> out;
  out.reserve(kTextFeatures);
  for (const double count : counts) out.push_back(LogShare(count, words));
  for (const double count : dense) out.push_back(LogShare(count, read, 0.03));
  out.push_back(LogShare(unknown, words, 0.01));
  out.push_back(LogShare(common, words, 0.02));
  out.push_back(LogShare(entities, words));
  out.push_back(LogShare(pieces, words));
  out.push_back(LogShare(single, words, 0.01));
  out.push_back(static_cast<float>(std::log(0.5 + MeanOf(sizes, words))));
  out.push_back(LogShare(capital, words));
  out.push_back(static_cast<float>(MeanOf(surprise, words)));
  out.push_back(
      static_cast<float>(MeanOf(surprise_unknown + 2.5 * 3, unknown + 3)));
  out.push_back(static_cast<float>(MeanOf(fits, fits_count + 3)));
  out.push_back(LogShare(fits_count, tokens_read, 0.02));
  out.push_back(static_cast<float>(MeanOf(begins, read + 1)));
  out.push_back(static_cast<float>(MeanOf(ends, read + 1)));
  const double mean_length = MeanOf(length_sum, read);
  out.push_back(static_cast<float>(mean_length));
  out.push_back(static_cast<float>(std::sqrt(std::max(
      0.0, MeanOf(length_squares, read) - mean_length * mean_length))));
  out.push_back(static_cast<float>(MeanOf(closed, read)));
  for (const double mark : marks) out.push_back(LogShare(mark, words, 0.01));
  out.push_back(LogShare(apostrophes, words));
  out.push_back(LogShare(digits, words));
  out.push_back(LogShare(first_unknown, read, 0.03));
  out.push_back(LogShare(twice, words));
  out.push_back(LogShare(other_letters, words));
  // Of the marks that could be entities, those that are.
  const double plain = escapable + apostrophes;
  out.push_back(static_cast<float>(entities / (entities + plain + 2)));
  out.push_back(LogShare(quotes, words, 0.001));
  out.push_back(LogShare(encoded, sizes, 0.001));
  const double bare = counts[static_cast<std::size_t>(Symptom::kMark)];
  out.push_back(static_cast<float>(bare / (bare + apostrophes + 2)));
  double commonest = 0;
  for (const auto& [ending, count] : endings) {
    commonest = std::max(commonest, count);
  }
  out.push_back(LogShare(commonest, words));
  const Repeats::Result repeated = repeats.Count();
  out.push_back(LogShare(repeated.share, 1, 0.01));
  out.push_back(LogShare(repeated.most, read, 0.03));
  double doubles = 0;
  std::ranges::sort(whole);
  for (std::size_t i = 1; i < whole.size(); ++i) {
    doubles += whole[i] == whole[i - 1];
  }
  out.push_back(LogShare(doubles, static_cast<double>(whole.size()), 0.01));
  // Letters that are rarer or commoner than they should be.
  std::array<double, 26> odds{};
  double divergence = 0;
  for (std::size_t k = 0; k < 26; ++k) {
    const double expected = words_.LetterShare(k);
    const double share = (letters[k] + 20 * expected) / (all_letters + 20);
    odds[k] = (share - expected) / std::sqrt(expected + 1e-4);
    divergence += share * std::log(share / expected);
  }
  std::ranges::sort(odds);
  out.push_back(static_cast<float>(10 * odds[0]));
  out.push_back(static_cast<float>(10 * odds[1]));
  out.push_back(static_cast<float>(10 * odds[25]));
  out.push_back(static_cast<float>(std::log(0.01 + divergence)));
  out.push_back(static_cast<float>(std::log(1 + words)));
  assert(out.size() == kTextFeatures);
  return out;
}

}  // namespace sfumato::census
