#include "census/voter/text_words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/utf8.h"
#include "census/voter/foreign_words.h"
#include "census/voter/text_damages.h"
#include "data/text.h"

namespace sfumato::census {
namespace {

constexpr std::size_t kMostWords = 30'000;
constexpr std::size_t kLongest = 400;  // letters of a token that are looked at
constexpr std::int64_t kSharedBy = 2;
// From here on words come and go with topics; the others are the language.
constexpr std::int32_t kCommonest = 300;
constexpr std::size_t kKinds = 30;  // of letters
// A habit counts as the references' own from this share on.
constexpr double kOwnShare = 0.02;

std::u32string Decode(std::string_view text) {
  std::u32string out;
  while (!text.empty() && out.size() < kLongest) {
    const base::CodePoint c = base::DecodeUtf8(text);
    out.push_back(c.value);
    text.remove_prefix(c.size);
  }
  return out;
}

std::uint64_t Mix(std::uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33);
}

std::uint64_t Hash(std::u32string_view word) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char32_t c : word) hash = (hash ^ c) * 0x100000001b3ULL;
  return Mix(hash);
}

bool IsDigit(char32_t c) { return c >= '0' && c <= '9'; }
bool IsSpace(char32_t c) { return c == ' ' || c == 0xA0; }

// 0 is the edge of a word.
std::size_t KindOf(char32_t c) {
  if (c >= 'a' && c <= 'z') return c - 'a' + 1;
  if (c == '\'' || c == '-') return 27;
  return IsDigit(c) ? 28 : 29;
}

std::size_t Place(std::size_t a, std::size_t b, std::size_t c) {
  return (a * kKinds + b) * kKinds + c;
}

// With one letter of two alike taken away: in one place, in all, or everywhere.
std::vector<std::u32string> Undoubled(const std::u32string& word) {
  std::vector<std::u32string> out;
  std::u32string all;
  bool halves = word.size() % 2 == 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool twice = i > 0 && word[i] == word[i - 1];
    if (i % 2 == 1 && !twice) halves = false;
    if (!twice) {
      all += word[i];
      continue;
    }
    out.push_back(word);
    out.back().erase(i, 1);
  }
  if (out.size() > 1) {
    out.push_back(std::move(all));
    if (halves) {
      std::u32string half;
      for (std::size_t i = 0; i < word.size(); i += 2) half += word[i];
      out.push_back(std::move(half));
    }
  }
  return out;
}

}  // namespace

TextWords::TextWords(const TextPeople& people) : traits_(word_set_) {
  struct Seen {
    std::int64_t people = 0;
    std::size_t last = 0;  // person, from 1
  };
  std::map<std::string, Seen, std::less<>> seen;
  std::size_t words = 0;
  std::size_t with_capital = 0;
  for (std::size_t p = 0; p < people.size(); ++p) {
    for (const std::string& sentence : people[p]) {
      for (const std::string_view token : data::SplitTokens(sentence)) {
        if (token.size() > kLongest) continue;
        auto found = seen.find(token);
        if (found == seen.end()) {
          found = seen.emplace(std::string(token), Seen{}).first;
        }
        if (found->second.last != p + 1) {
          found->second.last = p + 1;
          ++found->second.people;
        }
        ++words;
        with_capital += std::ranges::any_of(
            token, [](char c) { return c >= 'A' && c <= 'Z'; });
      }
    }
  }
  capitals_ = static_cast<double>(with_capital) >
              kOwnShare * static_cast<double>(words);
  std::vector<std::pair<std::int64_t, std::string>> order;
  for (auto& [word, what] : seen) {
    if (what.people >= kSharedBy) order.emplace_back(-what.people, word);
  }
  std::ranges::sort(order);
  if (order.size() > kMostWords) order.resize(kMostWords);
  for (auto& [minus, word] : order) {
    words_.push_back(std::move(word));
    people_.push_back(-minus);
  }

  letters_.assign(kKinds * kKinds * kKinds, 0);
  for (std::size_t id = 0; id < words_.size(); ++id) {
    std::size_t a = 0;
    std::size_t b = 0;
    const auto add = [&](std::size_t c) {
      letters_[Place(a, b, c)] += static_cast<double>(people_[id]);
      a = b;
      b = c;
    };
    for (const char32_t c : Decode(words_[id])) add(KindOf(data::LowerCase(c)));
    add(0);
  }

  std::unordered_map<std::string_view, std::int32_t> ids;
  for (std::int32_t id = 0;
       id <
       std::min<std::int32_t>(kEdge, static_cast<std::int32_t>(words_.size()));
       ++id) {
    ids.emplace(words_[id], id);
  }
  constexpr std::size_t kSide = kEdge + 1;
  pairs_.assign(kSide * kSide, 0);
  for (const auto& sentences : people) {
    for (const std::string& sentence : sentences) {
      std::int32_t last = kEdge;
      const auto add = [&](std::int32_t next) {
        if (last >= 0 && next >= 0) ++pairs_[last * kSide + next];
        last = next;
      };
      for (const std::string_view token : data::SplitTokens(sentence)) {
        const auto found = ids.find(token);
        add(found == ids.end() ? -1 : found->second);
      }
      add(kEdge);
    }
  }
  Index();
}

TextWords::TextWords(std::vector<std::string> words,
                     std::vector<std::int64_t> people,
                     std::vector<double> letters, std::vector<double> pairs,
                     bool capitals)
    : words_(std::move(words)),
      people_(std::move(people)),
      letters_(std::move(letters)),
      pairs_(std::move(pairs)),
      capitals_(capitals),
      traits_(word_set_) {
  Index();
}

void TextWords::Index() {
  // The most widespread word of a form comes first, and stays.
  for (std::int32_t id = 0; id < static_cast<std::int32_t>(words_.size());
       ++id) {
    const Letters word = Decode(words_[id]);
    known_.emplace(Hash(word), id);
    const bool letters = std::ranges::any_of(word, data::IsLetter);
    if (!letters) continue;
    if (word.size() > 1 && data::IsLetter(word.back())) {
      cut_.emplace(Hash(std::u32string_view(word).substr(0, word.size() - 1)),
                   id);
    }
    for (std::size_t i = 0; word.size() > 2 && i + 1 < word.size(); ++i) {
      Letters without = word;
      without.erase(i, 1);
      dropped_.emplace(Hash(without), id);
      without = word;
      std::erase(without, word[i]);
      dropped_.emplace(Hash(without), id);
    }
    Letters bare = word;
    std::erase_if(bare, [](char32_t c) { return c == '\'' || c == '-'; });
    if (bare.size() < word.size()) bare_.emplace(Hash(bare), id);
    for (const char32_t c : word) {
      if (c >= 'a' && c <= 'z') {
        shares_[c - 'a'] += static_cast<double>(people_[id]);
      }
    }
  }
  double sum = 0;
  for (double& share : shares_) sum += share += 1;
  for (double& share : shares_) share /= sum;

  costs_.resize(letters_.size());
  for (std::size_t ab = 0; ab < kKinds * kKinds; ++ab) {
    const double* row = &letters_[ab * kKinds];
    double all = 0;
    for (std::size_t c = 0; c < kKinds; ++c) all += row[c] + 0.5;
    for (std::size_t c = 0; c < kKinds; ++c) {
      costs_[ab * kKinds + c] =
          static_cast<float>(-std::log((row[c] + 0.5) / all));
    }
  }

  constexpr std::size_t kSide = kEdge + 1;
  row_sums_.assign(kSide, 0);
  column_sums_.assign(kSide, 0);
  for (std::size_t i = 0; i < kSide; ++i) {
    for (std::size_t j = 0; j < kSide; ++j) {
      row_sums_[i] += pairs_[i * kSide + j];
      column_sums_[j] += pairs_[i * kSide + j];
      pair_sum_ += pairs_[i * kSide + j];
    }
  }

  word_set_ = eval::WordSet(words_.begin(), words_.end());
  for (const Language& language : Languages()) {
    for (const std::string_view word : language.common) {
      if (!word_set_.contains(std::string(word))) foreign_.emplace(word);
    }
  }
}

bool TextWords::IsVisible(std::int32_t id, const Hidden& hidden) const {
  if (people_[id] == kSharedBy && hidden.own.contains(id)) return false;
  if (hidden.share <= 0 || id < kCommonest) return true;
  const double u =
      static_cast<double>(Mix(hidden.salt ^ static_cast<std::uint64_t>(id)) >>
                          11) *
      0x1p-53;
  return u >= hidden.share;
}

std::int32_t TextWords::Find(std::u32string_view word,
                             const Hidden& hidden) const {
  const auto found = known_.find(Hash(word));
  if (found == known_.end() || !IsVisible(found->second, hidden)) return -1;
  return found->second;
}

bool TextWords::Has(const Forms& forms, std::u32string_view word,
                    const Hidden& hidden) const {
  const auto found = forms.find(Hash(word));
  return found != forms.end() && IsVisible(found->second, hidden);
}

float TextWords::Surprise(std::u32string_view word) const {
  float sum = 0;
  std::size_t a = 0;
  std::size_t b = 0;
  for (const char32_t letter : word) {
    const std::size_t c = KindOf(letter);
    sum += costs_[Place(a, b, c)];
    a = b;
    b = c;
  }
  sum += costs_[Place(a, b, 0)];
  return sum / static_cast<float>(word.size() + 1);
}

// Whether it is two or more known words, short ones only if they are common.
bool TextWords::IsRun(std::u32string_view word, const Hidden& hidden) const {
  constexpr std::size_t kLongestPart = 16;
  if (word.size() < 4) return false;
  // [end]: fewest letters in parts that are not words, plus a price per part.
  constexpr int kNever = 1 << 20;
  std::vector<int> price(word.size() + 1, kNever);
  price[0] = 0;
  for (std::size_t end = 1; end <= word.size(); ++end) {
    for (std::size_t size = 1; size <= std::min(end, kLongestPart); ++size) {
      if (price[end - size] >= kNever) continue;
      const std::int32_t id = Find(word.substr(end - size, size), hidden);
      if (id < 0 || (size < 4 && id > (size == 1 ? 40 : 600))) continue;
      price[end] = std::min(price[end], price[end - size] + 1);
    }
    // A few letters of a long run may be of an unknown word.
    if (word.size() >= 12 && price[end] >= kNever && price[end - 1] < kNever) {
      price[end] = price[end - 1] + 4;
    }
  }
  const int parts = price[word.size()];
  return parts >= 2 && 3 * parts <= 1 + static_cast<int>(word.size()) * 2;
}

std::uint32_t TextWords::Edits(const Letters& word,
                               const Hidden& hidden) const {
  std::uint32_t set = 0;
  const auto note = [&](Symptom symptom, bool is) {
    if (is) set |= Bit(symptom);
  };
  const std::u32string_view view = word;
  const Letters reversed(word.rbegin(), word.rend());
  const std::vector<Letters> undoubled = Undoubled(word);
  std::vector<Letters> swapped;
  if (word.size() <= 24) {
    for (std::size_t i = 0; i + 1 < word.size(); ++i) {
      if (word[i] == word[i + 1]) continue;
      swapped.push_back(word);
      std::swap(swapped.back()[i], swapped.back()[i + 1]);
    }
  }
  const Letters shorter(view.substr(0, view.size() - 1));
  const auto is_known = [&](const Letters& w) { return Find(w, hidden) >= 0; };

  note(Symptom::kCut, Has(cut_, word, hidden));
  note(Symptom::kDropped, Has(dropped_, word, hidden));
  note(Symptom::kMark, Has(bare_, word, hidden));
  note(Symptom::kDoubled, std::ranges::any_of(undoubled, is_known));
  note(Symptom::kSwapped, std::ranges::any_of(swapped, is_known));
  note(Symptom::kReversed, word.size() > 1 && is_known(reversed));
  note(Symptom::kEnding,
       word.size() > 3 && (is_known(shorter) || Has(cut_, shorter, hidden)));
  if (set != 0) return set;
  note(Symptom::kRun, IsRun(word, hidden));
  if (set != 0 || word.size() < 4) return set;

  // Two things may have happened to one word.
  const auto then = [&](Symptom symptom, const Letters& w) {
    if (Has(cut_, w, hidden)) set |= Bit(symptom) | Bit(Symptom::kCut);
    if (Has(dropped_, w, hidden)) set |= Bit(symptom) | Bit(Symptom::kDropped);
    if (Has(bare_, w, hidden)) set |= Bit(symptom) | Bit(Symptom::kMark);
  };
  then(Symptom::kReversed, reversed);
  for (const Letters& w : Undoubled(reversed)) {
    if (is_known(w)) set |= Bit(Symptom::kReversed) | Bit(Symptom::kDoubled);
  }
  if (set == 0) {
    for (const Letters& w : undoubled) then(Symptom::kDoubled, w);
    for (const Letters& w : swapped) then(Symptom::kSwapped, w);
  }
  return set;
}

WordFacts TextWords::Explain(std::string_view token,
                             const Hidden& hidden) const {
  WordFacts facts;
  Letters word = Decode(token);
  facts.size = static_cast<std::uint16_t>(word.size());
  facts.is_word = std::ranges::any_of(
      word, [](char32_t c) { return data::IsLetter(c) || IsDigit(c); });
  facts.capital = std::ranges::any_of(
      word, [](char32_t c) { return data::LowerCase(c) != c; });
  facts.id = Find(word, hidden);
  if (facts.id >= 0) {
    facts.surprise = facts.is_word ? Surprise(word) : 0;
    return facts;
  }
  const auto gap = std::ranges::find_if(word, IsSpace);
  if (gap != word.end() && gap != word.begin() && gap + 1 != word.end()) {
    facts.symptoms |= Bit(Symptom::kGap);
    facts.is_word = true;
    // The longer side is looked at further.
    Letters before(word.begin(), gap);
    Letters after(gap + 1, word.end());
    word = before.size() > after.size() ? before : after;
  }
  if (!facts.is_word) {
    const eval::TraitSet traits = traits_.OfWord(token);
    if (traits & eval::Bit(eval::TextTrait::kEncoding)) {
      facts.symptoms |= Bit(Symptom::kEncoding);
    }
    return facts;
  }
  const eval::TraitSet traits =
      token.size() <= kLongest ? traits_.OfWord(token) : 0;
  if (traits & eval::Bit(eval::TextTrait::kEncoding) ||
      std::ranges::find(word, base::kReplacementCharacter) != word.end()) {
    facts.symptoms |= Bit(Symptom::kEncoding);
    facts.surprise = Surprise(word);
    return facts;
  }
  if (facts.capital) {
    for (char32_t& c : word) c = data::LowerCase(c);
    if (!capitals_ || Find(word, hidden) >= 0) {
      facts.symptoms |= Bit(Symptom::kCapital);
    }
  }
  Letters latin = word;
  for (char32_t& c : latin) c = LatinLookOf(c);
  const bool looks = latin != word;
  const bool foreign_letters = std::ranges::any_of(
      word, [](char32_t c) { return data::IsLetter(c) && c >= 0x250; });
  if (foreign_letters) facts.symptoms |= Bit(Symptom::kScript);
  if (looks) {
    if (Find(latin, hidden) >= 0) facts.symptoms |= Bit(Symptom::kLook);
    word = latin;
  }
  facts.surprise = Surprise(word);
  if (foreign_.contains(std::string(token))) {
    facts.symptoms |= Bit(Symptom::kForeign);
  }
  if (traits & eval::Bit(eval::TextTrait::kNumbers)) {
    facts.symptoms |= Bit(Symptom::kNumber);
  }
  const bool plain = std::ranges::all_of(word, [](char32_t c) {
    return data::IsLetter(c) || c == '\'' || c == '-';
  });
  if (plain && !word.empty() && Find(word, hidden) < 0) {
    const std::uint32_t edits = Edits(word, hidden);
    facts.symptoms |= edits != 0 ? edits : Bit(Symptom::kNothing);
  } else if (!plain) {  // marks may have run together with words
    std::erase_if(word, [](char32_t c) { return !data::IsLetter(c); });
    if (IsRun(word, hidden)) facts.symptoms |= Bit(Symptom::kRun);
  }
  return facts;
}

double TextWords::Fits(std::int32_t id, std::int32_t next) const {
  if (id < 0 || next < 0 || id > kEdge || next > kEdge) return 0;
  constexpr std::size_t kSide = kEdge + 1;
  if (row_sums_[id] <= 0 || column_sums_[next] <= 0) return 0;
  const double expected = row_sums_[id] * column_sums_[next] / pair_sum_;
  return std::log((pairs_[id * kSide + next] + 1) / (expected + 1));
}

Hidden TextWords::Without(const std::vector<std::string>& sentences) const {
  Hidden hidden;
  for (const std::string& sentence : sentences) {
    for (const std::string_view token : data::SplitTokens(sentence)) {
      const auto found = known_.find(Hash(Decode(token)));
      if (found != known_.end() && people_[found->second] == kSharedBy) {
        hidden.own.insert(found->second);
      }
    }
  }
  return hidden;
}

}  // namespace sfumato::census
