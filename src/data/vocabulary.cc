#include "data/vocabulary.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/random.h"
#include "base/utf8.h"
#include "data/text.h"
#include "fmt/format.h"

namespace sfumato::data {
namespace {

constexpr std::string_view kRemark = "# ";

bool IsToken(std::string_view word) {
  return word.size() <= Vocabulary::kLongestWord &&
         NormaliseText(word) == word &&
         word.find(' ') == std::string_view::npos;
}

// Quotes nothing: a private file may have been given by mistake.
Error NoToken(const std::string& where) {
  return BadInput("not a word as the text pipeline leaves it", where,
                  "give words in lower case, one token each");
}

Error TooMany(const std::string& where) {
  return BadInput(fmt::format("more than {} words", Vocabulary::kMostWords),
                  where, "give the most frequent ones");
}

}  // namespace

Vocabulary::Vocabulary(std::vector<std::string> words)
    : words_(std::move(words)) {
  if (words_.empty()) {
    throw BadInput("a vocabulary without words", "vocabulary",
                   "give at least one");
  }
  if (words_.size() > kMostWords) throw TooMany("vocabulary");
  ids_.reserve(words_.size());
  for (const std::string& word : words_) {
    const auto id = kFirstWord + static_cast<std::int64_t>(ids_.size());
    if (!ids_.emplace(word, id).second) {
      throw BadInput("a word that is there twice", "vocabulary",
                     "leave one out");
    }
  }
}

std::int64_t Vocabulary::IdOf(std::string_view token) const {
  const auto found = ids_.find(token);
  return found == ids_.end() ? kUnknown : found->second;
}

std::string Vocabulary::Sum() const {
  std::string all;
  for (const std::string& word : words_) all += word + "\n";
  return fmt::format("{:08x}", base::Crc32c(all));
}

VocabularyText ParseVocabulary(std::string_view text,
                               const std::string& where) {
  VocabularyText found;
  std::map<std::string_view, std::size_t> lines;
  std::size_t line = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.ends_with('\r')) word.remove_suffix(1);
    const std::string here = fmt::format("{}, line {}", where, ++line);
    if (!base::IsUtf8(word)) {
      throw BadInput("bytes that are no UTF-8", here,
                     "write the file as UTF-8");
    }
    if (word.starts_with(kRemark)) {
      found.remarks.emplace_back(word.substr(kRemark.size()));
      continue;
    }
    if (word.empty()) {
      throw BadInput("an empty line", here, "give a word a line");
    }
    if (!IsToken(word)) throw NoToken(here);
    const auto [before, fresh] = lines.emplace(word, line);
    if (!fresh) {
      throw BadInput(
          "a word that is there twice", here,
          fmt::format("it is in line {} too; leave one out", before->second));
    }
    if (lines.size() > Vocabulary::kMostWords) throw TooMany(where);
    found.words.emplace_back(word);
  }
  if (found.words.empty()) {
    throw BadInput("a vocabulary without words", where, "give a word a line");
  }
  return found;
}

Vocabulary ReadVocabulary(const base::Path& path) {
  const std::string text = base::ReadFile(path);
  VocabularyText found = ParseVocabulary(text, path.string());
  return Vocabulary(std::move(found.words));
}

std::string ToText(const VocabularyText& vocabulary) {
  std::string text;
  for (const std::string& remark : vocabulary.remarks) {
    text += std::string(kRemark) + remark + "\n";
  }
  for (const std::string& word : vocabulary.words) text += word + "\n";
  return text;
}

std::string TokensOf(std::string_view sentence, TextForm form) {
  return form == TextForm::kRaw ? NormaliseText(sentence)
                                : std::string(sentence);
}

void WordCounter::Add(std::string_view sentence, TextForm form) {
  const std::string tokens = TokensOf(sentence, form);
  for (const std::string_view token : SplitTokens(tokens)) {
    ++tokens_[std::string(token)];
  }
}

WordCounts WordCounter::Counts() const {
  WordCounts words;
  for (const auto& [token, count] : tokens_) {
    if (IsToken(token)) words.emplace(token, count);
  }
  return words;
}

WordCounts CountWords(const FederatedDataset& set) {
  WordCounter counter;
  for (std::size_t u = 0; u < set.users(); ++u) {
    const User user = set.user(u);
    for (std::size_t i = 0; i < user.size(); ++i) {
      counter.Add(user[i].text, set.info().text_form);
    }
  }
  return counter.Counts();
}

std::vector<std::string> MostFrequent(const WordCounts& counts,
                                      std::size_t size) {
  std::vector<std::pair<std::int64_t, std::string_view>> order;
  for (const auto& [word, count] : counts) order.emplace_back(-count, word);
  std::ranges::sort(order);
  std::vector<std::string> words;
  for (const auto& [count, word] : order) {
    if (words.size() == size) break;
    words.emplace_back(word);
  }
  return words;
}

std::vector<std::string> WordsOfUser(const User& user, TextForm form,
                                     std::size_t most, std::uint64_t seed) {
  std::set<std::string> different;
  for (std::size_t i = 0; i < user.size(); ++i) {
    const std::string tokens = TokensOf(user[i].text, form);
    for (const std::string_view token : SplitTokens(tokens)) {
      if (IsToken(token)) different.emplace(token);
    }
  }
  std::vector<std::string> words(different.begin(), different.end());
  // The first `most` of a shuffle.
  base::Rng random(seed, {base::Key("words of a user"), base::Key(user.id())});
  const std::size_t kept = std::min(most, words.size());
  for (std::size_t i = 0; i < kept; ++i) {
    std::swap(words[i], words[i + random.Below(words.size() - i)]);
  }
  words.resize(kept);
  return words;
}

}  // namespace sfumato::data
