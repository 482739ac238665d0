#include "models/sequences.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/random.h"
#include "data/text.h"
#include "fmt/format.h"

namespace sfumato::models {
namespace {

constexpr std::string_view kSpaceInside = "\u00A0";
// Symbols of a sequence: more would be a table of zeros.
constexpr std::int64_t kMostSymbols = 1 << 16;

void CheckText(const data::FederatedDataset& set, std::int64_t longest) {
  if (set.info().kind != data::Kind::kText) {
    throw BadInput(
        fmt::format("{} for a language model", data::Name(set.info().kind)),
        set.info().name, "give a set of text");
  }
  if (!(longest >= 1 && longest <= kMostSymbols)) {
    throw BadInput(fmt::format("sequences of {} symbols", longest), "text",
                   fmt::format("give 1 to {}", kMostSymbols));
  }
}

// Writes a row and returns its number of predictions.
template <typename Symbols>
std::int64_t WriteRow(const Symbols& symbols, std::int64_t longest,
                      std::int64_t begin, std::int64_t end,
                      std::span<float> row) {
  std::ranges::fill(row, 0.0f);
  const std::size_t kept =
      std::min(symbols.size(), static_cast<std::size_t>(longest));
  row[0] = static_cast<float>(begin);
  for (std::size_t i = 0; i < kept; ++i) {
    row[i + 1] = static_cast<float>(symbols[i]);
  }
  if (kept < symbols.size()) return static_cast<std::int64_t>(kept);
  row[kept + 1] = static_cast<float>(end);
  return static_cast<std::int64_t>(kept) + 1;
}

class Sentences : public Examples {
 public:
  Sentences(const data::FederatedDataset& set,
            const data::Vocabulary& vocabulary, std::int64_t longest)
      : set_(set), vocabulary_(vocabulary), longest_(longest) {}

  Shape shape() const override { return {.width = longest_ + 2}; }
  std::int64_t classes() const override { return vocabulary_.symbols(); }
  std::int64_t users() const override {
    return static_cast<std::int64_t>(set_.users());
  }
  std::int64_t user_size(std::int64_t user) const override {
    return static_cast<std::int64_t>(
        set_.user_size(static_cast<std::size_t>(user)));
  }
  std::int64_t Read(std::int64_t user, std::int64_t i,
                    std::span<float> values) const override {
    const data::Example example =
        set_.user(static_cast<std::size_t>(user))[static_cast<std::size_t>(i)];
    const std::string tokens =
        data::TokensOf(example.text, set_.info().text_form);
    std::vector<std::int64_t> ids;
    for (const std::string_view token : data::SplitTokens(tokens)) {
      ids.push_back(vocabulary_.IdOf(token));
    }
    return WriteSentence(ids, values);
  }

 private:
  const data::FederatedDataset& set_;
  const data::Vocabulary& vocabulary_;
  std::int64_t longest_;
};

class Words : public Examples {
 public:
  explicit Words(std::int64_t longest) : longest_(longest) {}

  void BeginUser() { user_begins_.push_back(word_begins_.size()); }
  void Add(std::string_view word) {
    word_begins_.push_back(bytes_.size());
    bytes_ += word;
  }
  void EndUsers() {
    user_begins_.push_back(word_begins_.size());
    word_begins_.push_back(bytes_.size());
  }

  Shape shape() const override { return {.width = longest_ + 2}; }
  std::int64_t classes() const override { return kByteSymbols; }
  std::int64_t users() const override {
    return static_cast<std::int64_t>(user_begins_.size()) - 1;
  }
  std::int64_t user_size(std::int64_t user) const override {
    const auto u = static_cast<std::size_t>(user);
    return static_cast<std::int64_t>(user_begins_[u + 1] - user_begins_[u]);
  }
  std::int64_t Read(std::int64_t user, std::int64_t i,
                    std::span<float> values) const override {
    const std::size_t word = user_begins_[static_cast<std::size_t>(user)] +
                             static_cast<std::size_t>(i);
    const std::size_t begin = word_begins_[word];
    const auto* first =
        reinterpret_cast<const unsigned char*>(bytes_.data()) + begin;
    const std::span symbols(first, word_begins_[word + 1] - begin);
    return WriteRow(symbols, longest_, kByteBegin, kByteEnd, values);
  }

 private:
  std::int64_t longest_;
  std::string bytes_;                     // word after word
  std::vector<std::size_t> word_begins_;  // in bytes_
  std::vector<std::size_t> user_begins_;  // in word_begins_
};

class Synthetic : public Examples {
 public:
  explicit Synthetic(const SyntheticSequenceOptions& options)
      : options_(options) {}

  Shape shape() const override { return {.width = options_.longest + 2}; }
  std::int64_t classes() const override { return options_.symbols; }
  std::int64_t users() const override { return options_.users; }
  std::int64_t user_size(std::int64_t) const override {
    return options_.user_size;
  }
  std::int64_t Read(std::int64_t user, std::int64_t i,
                    std::span<float> values) const override {
    base::Rng random(options_.seed, {static_cast<std::uint64_t>(user),
                                     static_cast<std::uint64_t>(i)});
    const auto symbols = static_cast<std::uint64_t>(options_.symbols);
    std::vector<std::uint64_t> row(
        1 + random.Below(static_cast<std::uint64_t>(options_.longest)));
    for (std::uint64_t& symbol : row) symbol = random.Below(symbols);
    return WriteRow(row, options_.longest, 0, 0, values);
  }

 private:
  SyntheticSequenceOptions options_;
};

// Calls `see` with every token of a sentence.
template <typename See>
void ForEachToken(const data::Example& sentence, data::TextForm form,
                  const See& see) {
  const std::string tokens = data::TokensOf(sentence.text, form);
  for (const std::string_view token : data::SplitTokens(tokens)) see(token);
}

// Damage in one user's text may not stop the others, nor be revealed.
template <typename Work>
void Quietly(bool quiet, const Work& work) {
  try {
    work();
  } catch (const Error&) {
    if (!quiet) throw;
  }
}

}  // namespace

std::string BytesOf(std::string_view token) {
  std::string bytes;
  while (!token.empty()) {
    const bool space = token.starts_with(kSpaceInside);
    bytes += space ? ' ' : token.front();
    token.remove_prefix(space ? kSpaceInside.size() : 1);
  }
  return bytes;
}

std::int64_t WriteSentence(std::span<const std::int64_t> words,
                           std::span<float> row) {
  const auto longest = static_cast<std::int64_t>(row.size()) - 2;
  return WriteRow(words, longest, data::Vocabulary::kBegin,
                  data::Vocabulary::kEnd, row);
}

std::unique_ptr<Examples> SentencesOf(const data::FederatedDataset& set,
                                      const data::Vocabulary& vocabulary,
                                      std::int64_t longest) {
  CheckText(set, longest);
  return std::make_unique<Sentences>(set, vocabulary, longest);
}

std::unique_ptr<Examples> UnknownWordsOf(const data::FederatedDataset& set,
                                         const data::Vocabulary& vocabulary,
                                         const UnknownWordOptions& options) {
  CheckText(set, options.longest);
  const bool quiet = set.info().origin == data::Origin::kPrivate;
  auto words = std::make_unique<Words>(options.longest);
  const std::size_t count =
      options.users == nullptr ? set.users() : options.users->size();
  for (std::size_t u = 0; u < count; ++u) {
    words->BeginUser();
    Quietly(quiet, [&] {
      const data::User user =
          set.user(options.users == nullptr
                       ? u
                       : static_cast<std::size_t>((*options.users)[u]));
      const auto take = [&](std::size_t i) {
        ForEachToken(user[i], set.info().text_form,
                     [&](std::string_view token) {
                       if (!vocabulary.Knows(token)) words->Add(BytesOf(token));
                     });
      };
      if (options.sentences == nullptr) {
        for (std::size_t i = 0; i < user.size(); ++i) take(i);
      } else {
        for (const std::int64_t i : (*options.sentences)[u]) {
          take(static_cast<std::size_t>(i));
        }
      }
    });
  }
  words->EndUsers();
  return words;
}

std::unique_ptr<Examples> SyntheticSequences(
    const SyntheticSequenceOptions& options) {
  return std::make_unique<Synthetic>(options);
}

std::vector<double> UnknownShares(const data::FederatedDataset& set,
                                  const data::Vocabulary& vocabulary) {
  const bool quiet = set.info().origin == data::Origin::kPrivate;
  std::vector<double> shares(set.users(),
                             std::numeric_limits<double>::quiet_NaN());
  for (std::size_t u = 0; u < set.users(); ++u) {
    double all = 0;
    double unknown = 0;
    Quietly(quiet, [&] {
      const data::User user = set.user(u);
      for (std::size_t i = 0; i < user.size(); ++i) {
        ForEachToken(user[i], set.info().text_form,
                     [&](std::string_view token) {
                       all += 1;
                       unknown += vocabulary.Knows(token) ? 0 : 1;
                     });
      }
      if (all > 0) shares[u] = unknown / all;
    });
  }
  return shares;
}

}  // namespace sfumato::models
